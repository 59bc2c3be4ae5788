import { once } from '../core/memoize.ts';
import { fieldKinds } from './field/field-kind.ts';
import { toPlainText } from './field/markup.ts';
import type { SchemaModel } from './model.ts';

/** Increased when the words of a text change, so that existing indexes are rebuilt. */
export const WORDS_VERSION = 1;
/** Longer words are cut to this length, in rows and in searches. */
export const WORD_LENGTH = 64;
/**
 * Maximum different words of a row in the index, and their total characters; below the limits of both
 * databases.
 */
const MOST_WORDS = 20_000;
const MOST_CHARACTERS = 300_000;
/** Maximum characters read of one text. */
const TEXT_LENGTH = 2_000_000;

/** Accents, vowel points of scripts that are read without them, joiners, and soft hyphens. */
// biome-ignore-start lint/suspicious/noMisleadingCharacterClass: each is looked for by itself.
const MARKS =
  /[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]+/g;
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: each is looked for by itself.
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' },
};
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** Scripts without spaces between words. */
const DENSE =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc]';
const EMOJI = '(?:\\p{RI}\\p{RI}|(?=[\\u2300-\\u{1faff}])\\p{Extended_Pictographic})';
/** V8 takes a millisecond for these, which a start does not need. */
const findPatterns = once(() => ({
  token: new RegExp(`(${DENSE}(?:${DENSE}|\\p{M})*)|${EMOJI}|(?:(?!${DENSE})[\\p{L}\\p{N}]\\p{M}*)+`, 'gu'),
  unit: /\p{M}*\P{M}\p{M}*|\p{M}+/gu,
}));
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII starts with them.
const ASCII = /^[\x00-\x7f]*$/;

function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(MARKS, '');
  // Upper case first: this makes "ß" and "SS" equal, and all forms of "i".
  const low = bare.toUpperCase().toLowerCase().normalize('NFKD').replace(MARKS, '');
  return low.replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
}

function cut(word: string): string {
  if (word.length <= WORD_LENGTH) return word;
  const short = word.slice(0, WORD_LENGTH);
  return /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
}

/**
 * Each character with the next one, and the last alone, so that any part of a run is found, down to one
 * character.
 */
function* listPairs(run: string): Generator<string> {
  const units = run.match(findPatterns().unit) ?? [];
  for (const [index, unit] of units.entries()) yield cut(unit + (units[index + 1] ?? ''));
}

/** Characters of a text from which on its words are found one after the other: a list of all takes memory. */
const LONG_TEXT = 10_000;

function listTokens(text: string): Iterable<string> {
  const start = text.length > TEXT_LENGTH ? text.slice(0, TEXT_LENGTH) : text;
  if (!ASCII.test(start)) return listFolded(start);
  const low = start.toLowerCase();
  return low.length > LONG_TEXT ? listPlain(low) : (low.match(/[a-z0-9]+/g)?.map(cut) ?? []);
}

function* listPlain(text: string): Generator<string> {
  for (const [word] of text.matchAll(/[a-z0-9]+/g)) yield cut(word);
}

function* listFolded(text: string): Generator<string> {
  for (const [token, run] of fold(text).matchAll(findPatterns().token)) {
    if (run === undefined) yield cut(token);
    else yield* listPairs(run);
  }
}

/**
 * The distinct words of a text: letters and digits, without case and accents. In scripts without spaces each
 * pair of characters is a word; a pictograph is one too. A searched word matches if a row's word starts with
 * it.
 */
export function toWords(text: string): string[] {
  return [...new Set(listTokens(text))];
}

/** A column in the search index. */
export interface WordColumn {
  readonly name: string;
  /** True for HTML or Markdown: its tags are not words. */
  readonly isMarkup: boolean;
}

const MARKUP: ReadonlySet<string> = new Set(['wysiwyg', 'markdown']);

/** A schema's searchable columns of text. */
export function listWordColumns({ columns }: Pick<SchemaModel, 'columns'>): WordColumn[] {
  return columns
    .filter(({ field, isSearchable }) => {
      const { isText, isJson, isSecret, sql } = fieldKinds[field.type];
      return isSearchable && isText && !isJson && !isSecret && sql !== undefined;
    })
    .map(({ name, field }) => ({ name, isMarkup: MARKUP.has(field.type) }));
}

/** The distinct words of a row; for a very long text the first 20,000, or 300,000 characters of them. */
export function toRowWords(columns: readonly WordColumn[], row: Readonly<Record<string, unknown>>): string[] {
  const words = new Set<string>();
  let characters = 0;
  for (const { name, isMarkup } of columns) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    const text = String(value);
    for (const word of listTokens(isMarkup ? toPlainText(text.slice(0, TEXT_LENGTH)) : text)) {
      if (words.has(word)) continue;
      characters += word.length;
      if (words.size >= MOST_WORDS || characters > MOST_CHARACTERS) return [...words];
      words.add(word);
    }
  }
  return [...words];
}
