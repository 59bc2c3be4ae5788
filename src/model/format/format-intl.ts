import { BoundedMap } from '../../core/bounded-map.ts';
import { once } from '../../core/memoize.ts';
import { findOwn } from '../../core/record.ts';

/** Maximum cached `Intl` formatters: making one takes longer than using it a hundred times. */
const MOST_FORMATTERS = 200;
const dates = new BoundedMap<Intl.DateTimeFormat>(MOST_FORMATTERS);
const numbers = new BoundedMap<Intl.NumberFormat>(MOST_FORMATTERS);
const distances = new BoundedMap<Intl.RelativeTimeFormat>(MOST_FORMATTERS);

const PARTS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  'weekday-short': { weekday: 'short' },
  'weekday-long': { weekday: 'long' },
  'month-short': { month: 'short' },
  'month-long': { month: 'long' },
};

/** Usual forms of a language: of the day, of the time of day, and of both. */
const FORMS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  short: { dateStyle: 'short' },
  medium: { dateStyle: 'medium' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
  'datetime-short': { dateStyle: 'short', timeStyle: 'short' },
  'datetime-long': { dateStyle: 'long', timeStyle: 'short' },
  'datetime-full': { dateStyle: 'full', timeStyle: 'short' },
};

export const isDateForm = (form: string): boolean => Object.hasOwn(FORMS, form);

/** A time in UTC by one of {@link PARTS} or {@link FORMS}. */
export function formatDate(tag: string, date: Date, form: string): string {
  const options = findOwn(PARTS, form) ?? findOwn(FORMS, form);
  const make = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  return dates.getOrCreate(`${tag} ${form}`, make).format(date);
}

/** `vor 3 Minuten`, `übermorgen`. */
export const formatDistance = (tag: string, count: number, unit: Intl.RelativeTimeFormatUnit): string =>
  distances
    .getOrCreate(`${tag} ${unit}`, () => {
      // Only days have names, such as "yesterday"; "last year" would be wrong for any year ago.
      return new Intl.RelativeTimeFormat(tag, { numeric: unit === 'day' ? 'auto' : 'always' });
    })
    .format(count, unit);

/** A whole number as `Intl` prints it in English, in a tenth of the time: lists have hundreds. */
function groupDigits(value: number): string {
  let rest = String(Math.abs(value));
  let grouped = '';
  for (; rest.length > 3; rest = rest.slice(0, -3)) grouped = `,${rest.slice(-3)}${grouped}`;
  return `${value < 0 ? '-' : ''}${rest}${grouped}`;
}

/** `1,234.5` in English, `1.234,5` in German. A text is formatted by its own digits (ECMA-402 15.5.16), without a double. */
export function formatNumber(tag: string, value: number | string, options?: Intl.NumberFormatOptions): string {
  const isPlain =
    tag === 'en' &&
    options === undefined &&
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    !Object.is(value, -0);
  if (isPlain) return groupDigits(value);
  const key = options === undefined ? tag : `${tag} ${JSON.stringify(options)}`;
  return numbers
    .getOrCreate(key, () => new Intl.NumberFormat(tag === 'en' ? 'en-US' : tag, options))
    .format(value as `${number}`);
}

/** A decimal as text such as `1234.50` with all of its digits, and at least `least` after the point. */
export function formatDecimal(tag: string, text: string, currency?: string, least = 0): string {
  const digits = Math.max(least, text.split('.')[1]?.length ?? 0);
  const money = currency === undefined ? {} : ({ style: 'currency', currency } as const);
  return formatNumber(tag, text, { ...money, minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const zones = new BoundedMap<Intl.DateTimeFormat | null>(MOST_FORMATTERS);

/** Reads the clock of a time zone; null if the zone is unknown. */
const findZone = (zone: string): Intl.DateTimeFormat | null =>
  zones.getOrCreate(zone, () => {
    const shape = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    try {
      return new Intl.DateTimeFormat('en-US', { ...shape, second: 'numeric', hourCycle: 'h23', timeZone: zone });
    } catch {
      return null;
    }
  });

/** Whether a text is a time zone of the IANA database, such as `Europe/Berlin`. */
export const isTimeZone = (zone: string): boolean => findZone(zone) !== null;

/** A time whose UTC parts are those of the clock in a time zone; as it is if the zone is unknown. */
export function toZoneTime(date: Date, zone: string): Date {
  const clock = findZone(zone);
  if (clock === null) return date;
  const parts = Object.fromEntries(clock.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

const listCurrencies = once(() => new Set(Intl.supportedValuesOf('currency')));

/** Whether a text is a currency of ISO 4217, such as `EUR`. */
export const isCurrency = (code: string): boolean => listCurrencies().has(code);

/** Digits that a currency has after the point: 2 for `EUR`, none for `JPY`. */
export const countCurrencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/** `€1,234.50` in English, `1.234,50 €` in German, with the decimals of the currency. */
export const formatPrice = (tag: string, value: number, currency: string): string =>
  formatNumber(tag, value, { style: 'currency', currency });
