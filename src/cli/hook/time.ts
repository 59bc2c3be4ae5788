import { parseTime } from '../../core/clock.ts';
import { createUsageError } from '../failure.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const HINT = 'Write 2026-01-15, "2026-01-15 09:30:00" (UTC), unix seconds, or how long ago: 30m, 2h, 3d, 2w.';

/**
 * A flag's time as unix seconds, in digits; undefined where it was not given.
 *
 * @param flag Such as `--since`, for the message.
 * @param now Unix seconds.
 * @throws CLI_USAGE where it is no time.
 */
export function toTime(flag: string, text: string | undefined, now: number): string | undefined {
  if (text === undefined || /^\d{1,12}$/.test(text)) return text;
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const seconds = count === undefined ? parseTime(text) : Math.max(0, now - Number(count) * (UNITS[unit] ?? 0));
  if (seconds === undefined) throw createUsageError(`${flag} can't be "${text}": it is not a time.`, HINT);
  return String(seconds);
}
