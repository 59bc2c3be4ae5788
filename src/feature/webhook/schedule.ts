import type { Random } from '../../core/clock.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between attempts; with the first, ten attempts over 75 h 35 min. */
export const DELAYS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;
const MAX_RETRY_AFTER = 24 * HOUR;

/** Seconds of a `Retry-After` header, at most 24 h; 0 if missing or invalid. @see RFC 9110 10.2.3 */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now * 1000) / 1000);
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER, Math.max(0, seconds)) : 0;
}

/** Maximum pause per response: the receiver may recover sooner, and a user may want to replay. */
const MAX_REST = 5 * MINUTE;

/**
 * Seconds for which all deliveries of a receiver pause because it is overloaded and said when to return.
 * Otherwise each waiting event would use up attempts on the same refusal.
 * @see RFC 6585 4, RFC 9110 15.6.4
 */
export function toRest(status: number | undefined, retryAfter: number): number {
  return status === 429 || status === 503 ? Math.min(MAX_REST, retryAfter) : 0;
}

/**
 * Seconds until the next attempt; undefined after the last. A jitter of ±20% fanOuts receivers that failed
 * together.
 * @param failed Number of failed attempts, 1 to 10.
 */
export function toDelay(failed: number, retryAfter: number, random: Random): number | undefined {
  const delay = DELAYS[failed - 1];
  if (delay === undefined) return undefined;
  const unit = random(4).readUInt32BE(0) / 2 ** 32;
  return Math.max(retryAfter, Math.round(delay * (1 - JITTER + 2 * JITTER * unit)));
}
