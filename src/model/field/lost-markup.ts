import type { FieldType } from '../shape.ts';

/** Field kinds whose text is HTML. */
const HTML_TYPES: ReadonlySet<FieldType> = new Set(['wysiwyg', 'wysiwyglist']);
export const isHtmlType = (type: FieldType): boolean => HTML_TYPES.has(type);

const TAG = /<[a-z]/gi;
/** Names of attributes that hold a value. `rel` is not counted, because links get one. */
const ATTRIBUTE = /\s(?!rel\s*=)[a-z][a-z0-9:-]{0,40}\s?=\s?["']/gi;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** True if a text has fewer tags or attributes after it was cleaned. */
function isLess(before: string, after: string): boolean {
  if (before === after) return false;
  return count(after, TAG) < count(before, TAG) || count(after, ATTRIBUTE) < count(before, ATTRIBUTE);
}

/** The texts of a value of a formatted text: one, or those of a list, which is stored as JSON. */
function toText(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? value.map(String).join('\n') : '';
  if (!value.startsWith('[')) return value;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.map(String).join('\n') : value;
  } catch {
    return value;
  }
}

/**
 * True if the cleaner took tags or attributes from a formatted text.
 *
 * @param sent The value as it came.
 * @param stored The value after it was prepared.
 */
export const losesMarkup = (sent: unknown, stored: unknown): boolean => isLess(toText(sent), toText(stored));
