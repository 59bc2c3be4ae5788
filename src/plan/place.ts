import type { Problem } from '../core/errors.ts';

/** The place of a problem in the project's code, from `file:line`. */
export function toPlace(place: string | undefined): Pick<Problem, 'file' | 'path' | 'line'> {
  const [, file = place ?? 'app', line] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
  return { file, path: '', ...(line === undefined ? {} : { line: Number(line) }) };
}
