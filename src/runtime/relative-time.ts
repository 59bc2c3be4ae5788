import { fromStamp } from '../core/clock.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Milliseconds of a stored time, an ISO time, a date or unix seconds; NaN where it is none. */
export function toMilliseconds(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string' || value === '') return Number.NaN;
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/.test(value)) return fromStamp(value.slice(0, 19));
  return Date.parse(value);
}

const two = (value: number): string => String(value).padStart(2, '0');

const LETTERS: Readonly<Record<string, (date: Date) => string>> = {
  d: (date) => two(date.getUTCDate()),
  j: (date) => String(date.getUTCDate()),
  D: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  l: (date) => DAYS[date.getUTCDay()] ?? '',
  m: (date) => two(date.getUTCMonth() + 1),
  n: (date) => String(date.getUTCMonth() + 1),
  M: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  F: (date) => MONTHS[date.getUTCMonth()] ?? '',
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

/**
 * Writes a time by a pattern of letters, UTC: `F d, Y` is "March 05, 2026". A backslash before a letter keeps it.
 * Empty for what is no time.
 */
export function formatDate(value: unknown, pattern = 'F d, Y'): string {
  const milliseconds = toMilliseconds(value);
  if (Number.isNaN(milliseconds)) return '';
  const date = new Date(milliseconds);
  return pattern.replace(/\\(.)|([A-Za-z])/g, (_all, kept: string | undefined, letter: string | undefined) =>
    kept === undefined && letter !== undefined ? (LETTERS[letter]?.(date) ?? letter) : (kept ?? ''),
  );
}

const UNITS: readonly (readonly [limit: number, size: number, name: string])[] = [
  [MINUTE, 1, 'second'],
  [HOUR, MINUTE, 'minute'],
  [DAY, HOUR, 'hour'],
  [7 * DAY, DAY, 'day'],
  [30 * DAY, 7 * DAY, 'week'],
  [365 * DAY, 30 * DAY, 'month'],
  [100 * 365 * DAY, 365 * DAY, 'year'],
];

/**
 * A time as a person says it: "Now" under 5 s, "3 minutes ago", "2 days from now", "Yesterday", "Tomorrow"; a date where
 * it is a century away; empty for what is no time.
 *
 * @param now Milliseconds since 1970.
 */
export function formatRelative(value: unknown, now: number): string {
  const milliseconds = toMilliseconds(value);
  if (Number.isNaN(milliseconds)) return '';
  const seconds = Math.floor(Math.abs(now - milliseconds) / 1000);
  const isPast = milliseconds <= now;
  if (seconds < 5) return 'Now';
  if (seconds >= DAY && seconds < 2 * DAY) return isPast ? 'Yesterday' : 'Tomorrow';
  const unit = UNITS.find(([limit]) => seconds < limit);
  if (!unit) return formatDate(value);
  const count = Math.floor(seconds / unit[1]);
  return `${count} ${unit[2]}${count === 1 ? '' : 's'} ${isPast ? 'ago' : 'from now'}`;
}
