import { BoundedMap } from '../bounded-map.ts';
import { memoize } from '../memoize.ts';
import { readScope, scopeStore } from '../scope-store.ts';
import { matchPattern, type TextPattern } from './made-text.ts';
import { formatMessage } from './message.ts';

/** A language that the site offers. */
export interface OfferedLanguage {
  /** BCP 47 tag, such as `de` or `pt-BR`. */
  readonly tag: string;
  /** Its name in itself, such as `Deutsch`. */
  readonly name: string;
}

/** The texts of one language. */
export interface Locale extends OfferedLanguage {
  /** Translation of an English source text; undefined if the language has none. */
  find(source: string): string | undefined;
  /** As `find`, for a text that need not be one for people, such as the name of a row. Default: `find`. */
  findKnown?(source: string): string | undefined;
  /** Translation of a label that the project's definitions have, from the project's own files. Default: `findKnown` for every text. */
  findOwn?(label: string): { readonly found: string | undefined } | undefined;
  /** Texts with numbered places that a made text may have been. Default none. */
  readonly patterns?: readonly TextPattern[];
  /** All languages of the site; the first one is the default. */
  readonly offered: readonly OfferedLanguage[];
  /** True if each language has its own paths, such as `/de/articles`. */
  readonly isInPath: boolean;
}

/** Values for the `{name}` places of a text. */
export type TextValues = Readonly<Record<string, unknown>>;

export const currentLocale = (): Locale | undefined => readScope<{ readonly locale?: Locale }>()?.locale;

/** The tag of the running request's language; `en` outside requests. */
export const currentLocaleTag = (): string => currentLocale()?.tag ?? 'en';

/**
 * A text for people, in the language of the running request. The key is the English text itself, so a text
 * without a translation reads in English.
 *
 * @param source English text; `{name}` is replaced by the value of that name, and ICU messages by their form for it, such as
 * `{count, plural, one {# row} other {# rows}}`. A place without a value stays.
 * @returns Plain text: a caller that puts it into HTML escapes it.
 */
export function translate(source: string, values: TextValues = {}): string {
  const locale = currentLocale();
  const found = locale?.find(source);
  return found === undefined ? formatMessage(source, 'en', values) : formatMessage(found, locale?.tag ?? 'en', values);
}

/** Maximum cached translations of made texts, per language. */
const MOST_TEXTS = 2000;
/** Longer texts are data. */
const MOST_CHARACTERS = 1000;
const findMade = memoize((_locale: Locale) => new BoundedMap<string>(MOST_TEXTS));

/** A value that begins as a sentence or a label does may be one, unless it is quoted. */
function toLocalValues({ pieces, places }: TextPattern, values: Readonly<Record<string, string>>) {
  const isText = (place: string, index: number): boolean =>
    /^\p{Lu}/u.test(values[place] ?? '') && !/["`]$/.test(pieces[index] ?? '');
  return Object.fromEntries(
    places.map((place, index) => {
      const value = values[place] ?? '';
      return [place, isText(place, index) ? toLocalText(value) : value];
    }),
  );
}

const SENTENCE = /(?<=[.?!]) (?=[\p{Lu}"])/u;

/** A text that was put together of a known one and values, or of several such sentences; as it is if none fits. */
function toLocalMade(locale: Locale, text: string): string {
  // A value with the end of a sentence in it may be the next sentence.
  let unsure: string | undefined;
  for (const pattern of locale.patterns ?? []) {
    const values = matchPattern(pattern, text);
    const found = values && locale.find(pattern.source);
    if (values === undefined || found === undefined) continue;
    const made = (): string => formatMessage(found, locale.tag, toLocalValues(pattern, values));
    if (!Object.values(values).some((value) => SENTENCE.test(value))) return made();
    unsure ??= made();
  }
  const sentences = text.split(SENTENCE);
  const local = sentences.length === 1 ? text : sentences.map(toLocalText).join(' ');
  return local === text ? (unsure ?? text) : local;
}

/**
 * A whole text that was made before the language was known: a label, a message of a definition, a constant. A short label of the
 * project's definitions is looked up in the project's locale files only. If the
 * language does not have it, a text with numbered places may fit: `at most 5 rows` is found as `at most {0} rows`, and
 * `There is no schema "x".` as `There is no schema "{0}".`. Any other text stays.
 */
export function toLocalText(text: string): string {
  const locale = currentLocale();
  if (!locale) return text;
  const own = locale.findOwn?.(text);
  if (own) return own.found ?? text;
  const found = (locale.findKnown ?? locale.find)(text);
  if (found !== undefined || locale.patterns === undefined || text.length > MOST_CHARACTERS) return found ?? text;
  return findMade(locale).getOrCreate(text, () => toLocalMade(locale, text));
}

/** What is wrong, or another pair of a message and its remedy, in the language of the request. */
export const toLocalProblem = <T extends { readonly message: string; readonly hint?: string | undefined }>(
  problem: T,
): T => ({
  ...problem,
  message: toLocalText(problem.message),
  ...(problem.hint === undefined ? {} : { hint: toLocalText(problem.hint) }),
});

/** Runs work in a language, such as a mail to somebody other than the caller. Undefined: in English. */
export const inLocale = <T>(locale: Locale | undefined, work: () => T): T => {
  const { locale: _, ...scope } = readScope<{ readonly locale?: Locale }>() ?? {};
  return scopeStore.run(locale ? { ...scope, locale } : scope, work);
};
