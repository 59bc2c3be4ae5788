import type { Response } from './response.ts';

/** How the runtime tags an answer, where whoever made it knows more than its bytes tell. */
export interface Tagging {
  /** Version of the one row that is shown; the tag begins with it, so that a later write can be held to it. */
  readonly row?: string | undefined;
  /** A list's tag says that nothing which matters differs, not that no byte does. */
  readonly isWeak: boolean;
  /** Told of the tag once it is known. */
  readonly keep?: ((tag: string) => void) | undefined;
}

const taggings = new WeakMap<Response, Tagging>();

export function setTagging(response: Response, tagging: Tagging): void {
  taggings.set(response, tagging);
}

export const getTagging = (response: Response): Tagging | undefined => taggings.get(response);

/** The opaque tag without `W/`, and without what names the encoding of its bytes. */
const toState = (tag: string): string => tag.replace(/^W\//, '').replace(/-(?:br|gz)"$/, '"');

const listTags = (given: string): string[] => given.match(/(?:W\/)?"[^"]*"/g) ?? [];

/**
 * The tag by which a client's copy is still good (weak comparison), undefined where it is not. It is the client's own where
 * that names the same bytes in an encoding, since a cache looks for what it has.
 *
 * @see RFC 9110 section 13.1.2. @see RFC 9111 section 4.3.4
 */
export function findSameTag(given: string | undefined, tag: string): string | undefined {
  if (given === undefined || tag === '') return undefined;
  if (given.trim() === '*') return tag;
  const state = toState(tag);
  const same = listTags(given).find((item) => toState(item) === state);
  if (same === undefined) return undefined;
  return !tag.startsWith('W/') && !same.startsWith('W/') ? same : tag;
}

export const isSameTag = (given: string | undefined, tag: string): boolean => findSameTag(given, tag) !== undefined;

/** Strong comparison: a weak tag on either side never matches. `*` matches whatever is there. @see RFC 9110 section 13.1.1 */
export function isStrongTag(given: string, tag: string): boolean {
  if (given.trim() === '*') return true;
  if (tag.startsWith('W/')) return false;
  const state = toState(tag);
  return listTags(given).some((item) => !item.startsWith('W/') && toState(item) === state);
}

/** Whether one of the tags, strong, names this version of a row: a detail's tag begins with it. */
export function namesVersion(given: string, version: string): boolean {
  if (given.trim() === '*') return true;
  return listTags(given).some((item) => !item.startsWith('W/') && toState(item).slice(1, -1).split('.')[0] === version);
}
