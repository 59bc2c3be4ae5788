import type { Clock } from '../core/clock.ts';

/** What a key still has. */
export interface Taken {
  readonly isAllowed: boolean;
  readonly left: number;
  /** Whole seconds until one is free again; 0 where one is. */
  readonly retrySeconds: number;
}

export interface LimiterOptions {
  readonly clock: Clock;
  /** Keys that are kept; the oldest give way. Default 100,000 (some 15 MB). */
  readonly maxKeys?: number;
}

interface Counter {
  /** Number of the window that `current` counts. */
  window: number;
  current: number;
  previous: number;
  expiresAt: number;
}

const DEFAULT_KEYS = 100_000;
/** How often what has expired is looked for, in takes. */
const PURGE_EVERY = 10_000;

function advance(counter: Counter, window: number): void {
  if (counter.window === window) return;
  counter.previous = counter.window === window - 1 ? counter.current : 0;
  counter.current = 0;
  counter.window = window;
}

/** Share of a window until the sliding count has room for one more. */
function shareUntilFree(counter: Counter, limit: number): number {
  const room = limit - 1;
  if (limit < 1) return 2;
  if (counter.current > room) return 1 + Math.max(0, 1 - room / counter.current);
  return counter.previous === 0 ? 0 : Math.max(0, 1 - (room - counter.current) / counter.previous);
}

/**
 * Counts takes per key in memory, over a sliding window: what the window before took counts in proportion to how much
 * of it is still in view, so nobody doubles a limit across a minute's edge.
 */
export function createLimiter(options: LimiterOptions): {
  take(key: string, limit: number, windowSeconds: number): Taken;
} {
  const { clock, maxKeys = DEFAULT_KEYS } = options;
  const counters = new Map<string, Counter>();
  const progress = { takes: 0 };

  const purge = (now: number): void => {
    for (const [key, counter] of counters) if (counter.expiresAt <= now) counters.delete(key);
  };

  const find = (name: string, now: number, span: number): Counter => {
    const window = Math.floor(now / span);
    const known = counters.get(name);
    if (known) {
      advance(known, window);
      return known;
    }
    if (counters.size >= maxKeys) purge(now);
    if (counters.size >= maxKeys) counters.delete(counters.keys().next().value as string);
    const made = { window, current: 0, previous: 0, expiresAt: 0 };
    counters.set(name, made);
    return made;
  };

  return {
    take(key, limit, windowSeconds) {
      const now = clock.now();
      const span = Math.max(1, windowSeconds) * 1000;
      progress.takes += 1;
      if (progress.takes % PURGE_EVERY === 0) purge(now);
      const counter = find(`${windowSeconds}:${key}`, now, span);
      const elapsed = (now % span) / span;
      const used = counter.previous * (1 - elapsed) + counter.current;
      if (used + 1 > limit) {
        const wait = (shareUntilFree(counter, limit) - elapsed) * (span / 1000);
        return { isAllowed: false, left: 0, retrySeconds: Math.max(1, Math.ceil(wait)) };
      }
      counter.current += 1;
      counter.expiresAt = (counter.window + 2) * span;
      return { isAllowed: true, left: Math.max(0, Math.floor(limit - used - 1)), retrySeconds: 0 };
    },
  };
}
