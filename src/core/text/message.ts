import { createRequire } from 'node:module';
import type { IntlMessageFormat } from 'intl-messageformat';
import { BoundedMap } from '../bounded-map.ts';

type Values = Readonly<Record<string, unknown>>;

/** Loaded with the first text that needs it: it takes some 20 ms. */
const load: (name: 'intl-messageformat') => typeof import('intl-messageformat') = createRequire(import.meta.url);

/** Maximum cached compiled messages. Texts come from files, so their number is limited anyway. */
const MOST_MESSAGES = 1000;
const messages = new BoundedMap<IntlMessageFormat>(MOST_MESSAGES);

const ARGUMENT = /\{\s*\w+\s*,/;
const PLACE = /\{(\w+)\}/g;

const compile = (text: string, tag: string): IntlMessageFormat =>
  messages.getOrCreate(
    `${tag} ${text}`,
    () => new (load('intl-messageformat').IntlMessageFormat)(text, tag, undefined, { ignoreTag: true }),
  );

/** True for an ICU message with a plural, a choice, or a formatted number or date. */
const isMessage = (text: string): boolean => ARGUMENT.test(text);

const isGiven = (values: Values, name: string): boolean =>
  Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null;

/**
 * Puts values into a text: `{name}`, or an ICU message such as `{count, plural, one {# row} other {# rows}}`.
 * A place without a value stays as it is.
 *
 * @param tag BCP 47 tag that plurals and numbers follow.
 * @see https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export function formatMessage(text: string, tag: string, values: Values): string {
  if (!text.includes('{')) return text;
  if (!isMessage(text)) {
    return text.replace(PLACE, (place, name: string) => (isGiven(values, name) ? String(values[name]) : place));
  }
  try {
    return String(compile(text, tag).format(values as Record<string, string>));
  } catch {
    // A missing value must not break a page.
    return text;
  }
}

/** Names of the places of a text; undefined if it is a broken ICU message. */
export function listPlaces(text: string): readonly string[] | undefined {
  if (!text.includes('{')) return [];
  if (!isMessage(text)) return [...new Set([...text.matchAll(PLACE)].map(([, name = '']) => name))].sort();
  try {
    const names = new Set<string>();
    collectPlaces(compile(text, 'en').getAst(), names);
    return [...names].sort();
  } catch {
    return undefined;
  }
}

/** Element types of the parser: 0 is plain text, 7 the `#` of a plural. */
const WITHOUT_NAME: ReadonlySet<unknown> = new Set([0, 7]);

function collectPlaces(elements: ReturnType<IntlMessageFormat['getAst']>, names: Set<string>): void {
  for (const element of elements) {
    if (!WITHOUT_NAME.has(element.type) && 'value' in element) names.add(String(element.value));
    if ('options' in element) for (const { value } of Object.values(element.options)) collectPlaces(value, names);
  }
}
