import { BoundedMap } from '../core/bounded-map.ts';

/** Formatters of `Intl` that are kept: making one takes longer than using it a hundred times. */
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

/** A time in UTC by one of {@link PARTS}, or by the usual form `short`, `medium`, `long` or `full`. */
export function formatDate(tag: string, date: Date, form: string): string {
  const options = PARTS[form] ?? { dateStyle: form as 'long' };
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

/** `1,234.5` in English, `1.234,5` in German. */
export function formatNumber(tag: string, value: number, options?: Intl.NumberFormatOptions): string {
  const isPlain = tag === 'en' && options === undefined && Number.isSafeInteger(value) && !Object.is(value, -0);
  if (isPlain) return groupDigits(value);
  const key = options === undefined ? tag : `${tag} ${JSON.stringify(options)}`;
  return numbers.getOrCreate(key, () => new Intl.NumberFormat(tag === 'en' ? 'en-US' : tag, options)).format(value);
}
