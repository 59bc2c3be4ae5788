import { currentScope } from './scope.ts';

/** The texts of one language. */
export interface Locale {
  /** BCP 47 tag, such as `de` or `pt-BR`. */
  readonly tag: string;
  /** Translation of an English source text; undefined if the language has none. */
  find(source: string): string | undefined;
}

/** Values for the `{name}` places of a text. */
export type TextValues = Readonly<Record<string, unknown>>;

const PLACE = /\{(\w+)\}/g;

/** The tag of the running request's language; `en` outside requests. */
export const currentLocaleTag = (): string => currentScope.getStore()?.locale?.tag ?? 'en';

/**
 * A text for people, in the language of the running request. The key is the English text itself, so a text
 * without a translation reads in English.
 *
 * @param source English text; `{name}` is replaced by the value of that name. A place without a value stays.
 * @returns Plain text: a caller that puts it into HTML escapes it.
 */
export function translate(source: string, values: TextValues = {}): string {
  const text = currentScope.getStore()?.locale?.find(source) ?? source;
  return text.replace(PLACE, (place, name: string) =>
    Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null ? String(values[name]) : place,
  );
}
