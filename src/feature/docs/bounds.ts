import type { Json } from '../../model/value-schema.ts';

/** Keywords of JSON Schema, in words. */
const WORDS: readonly (readonly [keyword: string, say: (value: unknown) => string])[] = [
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `in steps of ${value}`],
  ['minLength', (value) => `at least ${value} ${Number(value) === 1 ? 'character' : 'characters'}`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value} ${Number(value) === 1 ? 'item' : 'items'}`],
  ['maxItems', (value) => `at most ${value} items`],
  ['default', (value) => `${JSON.stringify(value)} by default`],
];

/** The bounds of a value in a few words each: `at least 1`, `at most 255 characters`. */
export function listBounds(schema: Json): string[] {
  const isWhole = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return WORDS.flatMap(([keyword, say]) => {
    const value = schema[keyword];
    // The range of whole numbers itself is not worth showing.
    return value === undefined || (/imum$/i.test(keyword) && isWhole(value)) ? [] : [say(value)];
  });
}
