import { fromStamp } from '../../core/clock.ts';
import { noteEnd } from '../../core/lasting.ts';
import { currentLocale, currentLocaleTag, translate } from '../../core/text/translate.ts';
import { formatDate, formatDistance, isDateForm, toZoneTime } from './format-intl.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const UNITS = [
  ['year', 365 * 86_400 * SECOND],
  ['month', 30 * 86_400 * SECOND],
  ['week', 7 * 86_400 * SECOND],
  ['day', 86_400 * SECOND],
  ['hour', 3600 * SECOND],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;
const NOW_MILLISECONDS = 5 * SECOND;

/** Smaller numbers are unix seconds, larger ones milliseconds (as milliseconds they would be before 1973). */
const FIRST_MILLISECONDS = 1e11;
const CENTURY = 100 * 365 * 86_400 * SECOND;

/** Milliseconds since 1970 of a stored time, an ISO time, a day, or unix seconds; NaN if invalid. */
function toTime(stamp: unknown): number {
  if (typeof stamp === 'number') return stamp < FIRST_MILLISECONDS ? stamp * SECOND : stamp;
  if (stamp instanceof Date) return stamp.getTime();
  if (typeof stamp !== 'string' || stamp === '') return Number.NaN;
  return /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/.test(stamp) ? fromStamp(stamp.slice(0, 19)) : Date.parse(stamp);
}

/**
 * A stored time relative to now: `Now` under 5 s, `3 minutes ago`, `2 days from now`, `Yesterday`,
 * `Tomorrow`. A date if it is a century away; '' if it is not a time.
 *
 * @param pattern Pattern of that date. Default `F d, Y`.
 */
export function toRelative(stamp: unknown, nowMilliseconds: number, pattern?: string): string {
  const time = toTime(stamp);
  if (Number.isNaN(time)) return '';
  const distance = Math.abs(nowMilliseconds - time);
  noteEnd(toRelativeEnd(time, nowMilliseconds));
  if (distance < NOW_MILLISECONDS) return translate('Now');
  if (distance >= CENTURY) return toDateText(stamp, pattern);
  const isPast = time < nowMilliseconds;
  for (const [unit, milliseconds] of UNITS) {
    const count = Math.floor(distance / milliseconds);
    if (count === 0) continue;
    const tag = currentLocaleTag();
    if (!isEnglish(tag)) return formatDistance(tag, isPast ? -count : count, unit);
    if (unit === 'day' && count === 1) return isPast ? 'Yesterday' : 'Tomorrow';
    return `${count} ${unit}${count === 1 ? '' : 's'} ${isPast ? 'ago' : 'from now'}`;
  }
  return translate('Now');
}

/**
 * When the words for a time change: at the next whole unit of those that they count in, or at the next larger unit. Seconds count
 * as one minute, because a page with many requests would be rendered again each second.
 */
function toRelativeEnd(time: number, now: number): number {
  const distance = Math.abs(now - time);
  const step = UNITS.find(([, milliseconds]) => distance >= milliseconds)?.[1] ?? SECOND;
  const shown = Math.max(step, MINUTE);
  // A time ahead comes nearer: it changes just after a whole unit.
  if (time > now) return now + (distance % shown) + 1;
  const larger =
    UNITS.findLast(([, milliseconds]) => milliseconds > Math.max(distance, shown))?.[1] ?? Number.POSITIVE_INFINITY;
  return time + Math.min((Math.floor(distance / shown) + 1) * shown, larger);
}

/** The English of Treadle's own words, from which the forms of `Intl` differ. */
const isEnglish = (tag: string): boolean => tag === 'en' || tag.startsWith('en-');

const two = (value: number): string => String(value).padStart(2, '0');

/** Letters of a date pattern, as in the older system and PHP. Names are those of the running request's language. */
const LETTERS: Readonly<Record<string, (date: Date) => string>> = {
  d: (date) => two(date.getUTCDate()),
  j: (date) => String(date.getUTCDate()),
  D: (date) => formatDate(currentLocaleTag(), date, 'weekday-short'),
  l: (date) => formatDate(currentLocaleTag(), date, 'weekday-long'),
  m: (date) => two(date.getUTCMonth() + 1),
  n: (date) => String(date.getUTCMonth() + 1),
  M: (date) => formatDate(currentLocaleTag(), date, 'month-short'),
  F: (date) => formatDate(currentLocaleTag(), date, 'month-long'),
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => two(date.getUTCFullYear() % 100),
  H: (date) => two(date.getUTCHours()),
  G: (date) => String(date.getUTCHours()),
  h: (date) => two(date.getUTCHours() % 12 || 12),
  g: (date) => String(date.getUTCHours() % 12 || 12),
  i: (date) => two(date.getUTCMinutes()),
  s: (date) => two(date.getUTCSeconds()),
  A: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
};

/** A day without a time of day is the same in every time zone. */
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * A stored time by a date pattern, `F d, Y` by default; a backslash escapes a letter. A locale file may translate the pattern.
 * '' if it is not a time.
 *
 * @param pattern Or a usual form of the language: `short`, `medium`, `long`, `full` for the day, `time` for the time of day, `datetime`,
 * `datetime-short`, `datetime-long`, `datetime-full` for both.
 * @param zone IANA time zone. Default UTC, also if it is unknown.
 */
export function toDateText(stamp: unknown, pattern = 'F d, Y', zone?: string): string {
  const time = toTime(stamp);
  if (Number.isNaN(time)) return '';
  const isShifted = zone !== undefined && zone !== 'UTC' && !(typeof stamp === 'string' && DAY.test(stamp));
  const date = isShifted ? toZoneTime(new Date(time), zone) : new Date(time);
  if (isDateForm(pattern)) return formatDate(currentLocaleTag(), date, pattern);
  const own = findPattern(pattern);
  return own.replace(/\\(.)|([A-Za-z])/g, (_all, kept: string | undefined, letter: string | undefined) =>
    kept === undefined && letter !== undefined ? (LETTERS[letter]?.(date) ?? letter) : (kept ?? ''),
  );
}

/** The pattern of the language, such as `j. F Y` for `F d, Y`. The pseudo-language changes no pattern. */
function findPattern(pattern: string): string {
  const found = currentLocale()?.find(pattern);
  return found === undefined || found.includes(pattern) ? pattern : found;
}
