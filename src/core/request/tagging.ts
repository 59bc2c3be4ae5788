import type { OutgoingHttpHeaders } from 'node:http';

/** How the runtime makes a response's ETag, if the handler knows more than the bytes show. */
export interface TagOptions {
  /** Version of the displayed row; the tag begins with it, so that a later write can require it. */
  readonly row?: string | undefined;
  /** A weak tag for a list: relevant content is equal, bytes may differ. */
  readonly isWeak: boolean;
  /** Called with the tag, the body and the headers once they are known. */
  readonly cache?: ((tag: string, body: string | Uint8Array, headers: OutgoingHttpHeaders) => void) | undefined;
}

/** The opaque tag without `W/` and without the suffix for the content encoding. */
const toState = (tag: string): string => tag.replace(/^W\//, '').replace(/-(?:br|gz)"$/, '"');

const listTags = (given: string): string[] => given.match(/(?:W\/)?"[^"]*"/g) ?? [];

/**
 * The tag for a 304 if the client's copy is still valid (weak comparison), else undefined. It is the
 * client's own tag if that names the same bytes in another encoding, because a cache looks for its own.
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

/**
 * Strong comparison: weak tags never match; `*` matches any existing representation. @see RFC 9110 section
 * 13.1.1
 */
export function isStrongTag(given: string, tag: string): boolean {
  if (given.trim() === '*') return true;
  if (tag.startsWith('W/')) return false;
  const state = toState(tag);
  return listTags(given).some((item) => !item.startsWith('W/') && toState(item) === state);
}

/** Whether one of the strong tags names this version of a row: the tag of a detail begins with it. */
export function namesVersion(given: string, version: string): boolean {
  if (given.trim() === '*') return true;
  return listTags(given).some((item) => !item.startsWith('W/') && toState(item).slice(1, -1).split('.')[0] === version);
}
