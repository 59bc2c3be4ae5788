import { translate } from '../../../core/translate.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** A size for people: `12.3 MB`. */
export function toSizeText(bytes: number): string {
  if (bytes < 1000) return translate('{count} bytes', { count: bytes });
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}

/** A duration for people: `35 ms`, `2.5 s`. */
export const toDurationText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
