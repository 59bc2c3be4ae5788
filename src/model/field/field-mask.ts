import type { Field } from '../shape.ts';

const TOKENS: Readonly<Record<string, string>> = { '9': '[0-9]', a: '[A-Za-z]', '*': '[A-Za-z0-9]' };

/** The mask of a field, `data-mask`, such as `(999) 999-9999`; undefined if it has none. */
function readMask({ attributes }: Field): string | undefined {
  const mask = attributes?.['data-mask'];
  return typeof mask === 'string' && mask !== '' ? mask : undefined;
}

/**
 * The mask as a regular expression without repetition, so it runs in linear time. A `\` escapes the next
 * character.
 */
export function toMaskPattern(field: Field): RegExp | undefined {
  const mask = readMask(field);
  if (mask === undefined) return undefined;
  const parts = mask.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const source = parts.map((part) => TOKENS[part] ?? toLiteral(part.startsWith('\\') ? part.slice(-1) : part)).join('');
  return new RegExp(`^${source}$`);
}

const toLiteral = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export function describeMask(field: Field): string | undefined {
  const mask = readMask(field);
  return mask === undefined ? undefined : `must have the form ${mask}, where 9 is a digit, a a letter, * either`;
}
