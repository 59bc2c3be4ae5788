import { formatMessage } from './message.ts';
import { currentScope } from './scope.ts';

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
  /** All languages of the site; the first one is the default. */
  readonly offered: readonly OfferedLanguage[];
  /** True if each language has its own paths, such as `/de/articles`. */
  readonly isInPath: boolean;
}

/** Values for the `{name}` places of a text. */
export type TextValues = Readonly<Record<string, unknown>>;

export const currentLocale = (): Locale | undefined => currentScope.getStore()?.locale;

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

const NUMBER = /\d+(?:\.\d+)*/g;

/**
 * A whole text that was made before the language was known: a label, a message of a definition, a constant. If the
 * language does not have it, its numbers are taken for places: `at most 5 rows` is found as `at most {0} rows`. Any other
 * text stays.
 */
export function toLocalText(text: string): string {
  const locale = currentLocale();
  if (!locale) return text;
  const find = (source: string): string | undefined => (locale.findKnown ?? locale.find)(source);
  const found = find(text);
  if (found !== undefined) return found;
  const numbers = text.match(NUMBER);
  if (!numbers) return text;
  const places = Object.keys(numbers);
  const general = find(text.replace(NUMBER, () => `{${places.shift()}}`));
  return general === undefined ? text : formatMessage(general, locale.tag, { ...numbers });
}

/** Runs work in a language, such as a mail to a person who is not the one who asks. Undefined: in English. */
export const inLocale = <T>(locale: Locale | undefined, work: () => T): T => {
  const { locale: _, ...scope } = currentScope.getStore() ?? {};
  return currentScope.run(locale ? { ...scope, locale } : scope, work);
};
