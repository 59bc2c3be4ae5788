import { BoundedMap } from '../core/bounded-map.ts';
import type { Clock } from '../core/clock.ts';
import { currentScope } from '../core/scope.ts';
import type { LimitStore } from './store.ts';

/** State of a key after a take. */
export interface TakeResult {
  readonly isAllowed: boolean;
  readonly left: number;
  /** Whole seconds until the next take is allowed; 0 if one is allowed now. */
  readonly retrySeconds: number;
  /** Whole seconds until the end of the window, at least 1. */
  readonly resetSeconds: number;
}

export interface LimiterOptions {
  readonly clock: Clock;
  /** Maximum number of keys; the oldest are dropped. Default 100,000 (some 15 MB). */
  readonly maxKeys?: number;
  /** Store that other processes share. Default none: this process counts alone. */
  readonly store?: LimitStore;
}

interface Counter {
  /** Number of the window that `current` counts. */
  window: number;
  current: number;
  previous: number;
  expiresAt: number;
  /** Takes in this window that other processes do not know yet. */
  untold: number;
}

const DEFAULT_KEYS = 100_000;
/** Takes between two searches for expired keys. */
const PURGE_EVERY = 10_000;
/** How often processes exchange their counts. Until then a limit may be exceeded by what others took. */
const SHARE_MILLISECONDS = 1000;
/** How often expired rows are removed from the store. */
const PURGE_STORE_MILLISECONDS = 60_000;

function advance(counter: Counter, window: number): void {
  if (counter.window === window) return;
  counter.previous = counter.window === window - 1 ? counter.current : 0;
  counter.current = 0;
  counter.untold = 0;
  counter.window = window;
}

/** Share of a window until the sliding count allows one more. */
function shareUntilFree(counter: Counter, limit: number): number {
  const room = limit - 1;
  if (limit < 1) return 2;
  if (counter.current > room) return 1 + Math.max(0, 1 - room / counter.current);
  return counter.previous === 0 ? 0 : Math.max(0, 1 - (room - counter.current) / counter.previous);
}

type Counters = ReadonlyMap<string, Counter>;

/** Sends local counts to the store and reads those of other processes. */
async function shareOnce(store: LimitStore, counters: Counters, names: readonly string[]): Promise<void> {
  const told = names.flatMap((name) => {
    const counter = counters.get(name);
    if (!counter || counter.untold === 0) return [];
    const tally = { key: name, window: counter.window, count: counter.untold, expiresAt: counter.expiresAt };
    counter.untold = 0;
    return [{ counter, tally }];
  });
  if (told.length === 0) return;
  const totals = await store.add(told.map(({ tally }) => tally));
  for (const [index, { counter, tally }] of told.entries()) {
    const total = totals[index] ?? 0;
    if (counter.window === tally.window) counter.current = total + counter.untold;
    else if (counter.window === tally.window + 1) counter.previous = total;
  }
}

/** Collects counts for a second, so that a take needs no write. */
function createSharing({ clock, store }: LimiterOptions, counters: Counters): (name: string) => void {
  if (!store) return () => {};
  const taken = new Set<string>();
  const state = { isPlanned: false, purgedAt: clock.now() };
  const share = async (): Promise<void> => {
    const names = [...taken];
    taken.clear();
    await shareOnce(store, counters, names);
    if (clock.now() - state.purgedAt < PURGE_STORE_MILLISECONDS) return;
    state.purgedAt = clock.now();
    await store.purge(clock.now());
  };
  return (name) => {
    taken.add(name);
    if (state.isPlanned) return;
    state.isPlanned = true;
    clock.after(SHARE_MILLISECONDS, () => {
      state.isPlanned = false;
      // In no scope: the caller may hold a transaction. If the database fails, each process counts alone.
      currentScope.run({}, share).catch(() => {});
    });
  };
}

/**
 * Counts takes per key in memory over a sliding window: the previous window counts in proportion to its
 * overlap, so nobody gets double the limit at a window boundary.
 */
export function createLimiter(options: LimiterOptions): {
  take(key: string, limit: number, windowSeconds: number): TakeResult;
} {
  const { clock, maxKeys = DEFAULT_KEYS } = options;
  const counters = new BoundedMap<Counter>(maxKeys);
  const progress = { takes: 0 };
  const share = createSharing(options, counters);

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
    const made = { window, current: 0, previous: 0, expiresAt: 0, untold: 0 };
    counters.set(name, made);
    return made;
  };

  return {
    take(key, limit, windowSeconds) {
      const now = clock.now();
      const span = Math.max(1, windowSeconds) * 1000;
      progress.takes += 1;
      if (progress.takes % PURGE_EVERY === 0) purge(now);
      const name = `${windowSeconds}:${key}`;
      const counter = find(name, now, span);
      const elapsed = (now % span) / span;
      const resetSeconds = Math.max(1, Math.ceil((1 - elapsed) * (span / 1000)));
      const used = counter.previous * (1 - elapsed) + counter.current;
      if (used + 1 > limit) {
        const wait = (shareUntilFree(counter, limit) - elapsed) * (span / 1000);
        return { isAllowed: false, left: 0, retrySeconds: Math.max(1, Math.ceil(wait)), resetSeconds };
      }
      counter.current += 1;
      counter.untold += 1;
      share(name);
      counter.expiresAt = (counter.window + 2) * span;
      return { isAllowed: true, left: Math.max(0, Math.floor(limit - used - 1)), retrySeconds: 0, resetSeconds };
    },
  };
}
