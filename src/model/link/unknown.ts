import type { Problem } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { UnknownCall } from '../link.ts';

/**
 * Problems of scopes with an unknown call, or of apps with an unknown web hook: defined neither in a file nor
 * in the project's code.
 *
 * @param known The plan's calls, or its hooks.
 */
export function findUnknown(unknown: readonly UnknownCall[], known: readonly { readonly name: string }[]): Problem[] {
  const names = new Set(known.map(({ name }) => name));
  return unknown
    .filter(({ name }) => !names.has(name))
    .map(({ name, problem }) => ({ ...problem, hint: toDidYouMean(name, [...names].sort()) }));
}
