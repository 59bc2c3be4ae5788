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
