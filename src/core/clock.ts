import { randomBytes } from 'node:crypto';

/** Time as an argument, so that a test runs a month in a second. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls back after so many milliseconds; returns what cancels it. Does not keep the process alive. */
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

/** Randomness as an argument. */
export type Random = (bytes: number) => Buffer;
export const systemRandom: Random = (bytes) => randomBytes(bytes);

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** `YYYY-MM-DD HH:MM:SS` in UTC, as every stored and shown time is written. */
export function toStamp(milliseconds: number): string {
  const date = new Date(milliseconds);
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

/** Milliseconds since 1970 of a stored time; NaN where it is none. */
export function fromStamp(stamp: string): number {
  return Date.parse(`${stamp.replace(' ', 'T')}Z`);
}

/** Unix seconds, the unit of stored `…At` columns. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
