import { BoundedMap } from '../../core/bounded-map.ts';
import type { Clock } from '../../core/clock.ts';

export interface GuessRule {
  /** Failures without a delay. */
  readonly free: number;
  /** First delay in seconds; doubles with each failure. Default 1. */
  readonly firstSeconds?: number;
  /** Maximum delay. Default 900. */
  readonly mostSeconds?: number;
  /** Failures are forgotten after this many seconds without another. */
  readonly forgetSeconds: number;
  /** Whether a success clears earlier failures. */
  readonly isForgiving: boolean;
}

/** Result of an attempt; `unknown` if it did not run, which does not count. */
export type Verdict = 'right' | 'wrong' | 'unknown';

/** Slows guessing: after some failures the next attempt must wait, each time twice as long. */
export interface GuessThrottle {
  /** Seconds to wait; 0 starts an attempt, which must then be settled. */
  begin(key: string): number;
  settle(key: string, verdict: Verdict): void;
  /** Number of remembered failures. */
  failures(key: string): number;
}

interface Entry {
  failures: number;
  /** Running attempts: a parallel burst must not pass before its first failure is known. */
  pending: number;
  until: number;
  last: number;
}

/** Each entry costs a hash, so filling the table takes an hour of both processors. */
const MOST_KEYS = 20_000;

export function createGuessThrottle(clock: Clock, rule: GuessRule): GuessThrottle {
  const { free, firstSeconds = 1, mostSeconds = 900, forgetSeconds, isForgiving } = rule;
  const entries = new BoundedMap<Entry>(MOST_KEYS);

  const find = (key: string): Entry | undefined => {
    const known = entries.get(key);
    if (!known || known.pending > 0) return known;
    if (clock.now() < Math.max(known.until, known.last) + forgetSeconds * 1000) return known;
    entries.delete(key);
    return undefined;
  };

  const make = (key: string): Entry => {
    const made = { failures: 0, pending: 0, until: 0, last: clock.now() };
    entries.set(key, made);
    return made;
  };

  return {
    begin(key) {
      const known = find(key);
      const wait = (known?.until ?? 0) - clock.now();
      if (wait > 0) return Math.ceil(wait / 1000);
      const entry = known ?? make(key);
      // After the free attempts, one at a time.
      if (entry.pending >= Math.max(1, free - entry.failures)) return 1;
      entry.pending += 1;
      return 0;
    },
    settle(key, verdict) {
      const entry = find(key) ?? make(key);
      entry.pending = Math.max(0, entry.pending - 1);
      if (verdict === 'wrong') {
        entry.failures += 1;
        entry.last = clock.now();
        const over = entry.failures - free;
        if (over >= 0) entry.until = clock.now() + Math.min(firstSeconds * 2 ** over, mostSeconds) * 1000;
      } else if (verdict === 'right' && isForgiving) Object.assign(entry, { failures: 0, until: 0 });
      // Attempts that never ran are not kept: a flood of names would otherwise evict those with failures.
      if (entry.pending === 0 && entry.failures === 0) entries.delete(key);
    },
    failures: (key) => find(key)?.failures ?? 0,
  };
}
