import { translate } from '../../core/text/translate.ts';
import type { Json } from '../../model/json/value-schema.ts';

/** Keywords of JSON Schema, in words. */
const WORDS: readonly (readonly [keyword: string, say: (value: unknown) => string])[] = [
  ['minimum', (value) => translate('at least {value}', { value })],
  ['exclusiveMinimum', (value) => translate('more than {value}', { value })],
  ['maximum', (value) => translate('at most {value}', { value })],
  ['exclusiveMaximum', (value) => translate('less than {value}', { value })],
  ['multipleOf', (value) => translate('in steps of {value}', { value })],
  ['minLength', (value) => translate('at least {value, plural, one {# character} other {# characters}}', { value })],
  ['maxLength', (value) => translate('at most {value} characters', { value })],
  ['minItems', (value) => translate('at least {value, plural, one {# item} other {# items}}', { value })],
  ['maxItems', (value) => translate('at most {value} items', { value })],
  ['default', (value) => translate('{value} by default', { value: JSON.stringify(value) })],
];

/** The largest number of 15 digits. */
const MOST_DIGITS = 999_999_999_999_999;

/** The bounds of a value in a few words each: `at least 1`, `at most 255 characters`. */
export function listBounds(schema: Json): string[] {
  const isWhole = (value: unknown): boolean => Math.abs(Number(value)) >= MOST_DIGITS;
  return WORDS.flatMap(([keyword, say]) => {
    const value = schema[keyword];
    // The range of whole numbers itself, or of keys, is not worth showing.
    return value === undefined || (/imum$/i.test(keyword) && isWhole(value)) ? [] : [say(value)];
  });
}
