import { randomBytes } from 'node:crypto';

/** Time as an argument, so that a test runs a month in a second. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Calls back after this many milliseconds; returns a function that cancels. Does not keep the process
   * alive.
   */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves with the promise, or after the time limit. */
export async function waitAtMost(clock: Clock, promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let cancel: () => void = () => {};
  const grace = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  await Promise.race([promise, grace]);
  cancel();
}

/** Randomness as an argument. */
export type Random = (bytes: number) => Buffer;
export const systemRandom: Random = (bytes) => randomBytes(bytes);

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** `YYYY-MM-DD HH:MM:SS` in UTC, the format of every stored and displayed time. */
export function toStamp(milliseconds: number): string {
  const date = new Date(milliseconds);
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

/** Unix seconds as a stamp; undefined if there are none, or 0. */
export const secondsToStamp = (seconds: unknown): string | undefined =>
  Number(seconds ?? 0) > 0 ? toStamp(Number(seconds) * 1000) : undefined;

/** Unix seconds as a stamp, of a column that may be null. */
export const columnToStamp = (seconds: unknown): string | null =>
  seconds === null ? null : toStamp(Number(seconds) * 1000);

/** Milliseconds since 1970 of a stored time; NaN if invalid. */
export function fromStamp(stamp: string): number {
  return Date.parse(`${stamp.replace(' ', 'T')}Z`);
}

/** Unix seconds, the unit of stored `…At` columns. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Unix seconds of a date in UTC, with or without a time and zone; undefined if invalid. */
export function parseTime(text: string): number | undefined {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The parser turns February 31st into March 3rd.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  const milliseconds = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
