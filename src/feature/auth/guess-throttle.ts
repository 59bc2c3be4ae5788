import type { Clock } from '../../core/clock.ts';

export interface GuessRule {
  /** Failures that cost nothing. */
  readonly free: number;
  /** Failures are forgotten after so many seconds without one. */
  readonly forgetSeconds: number;
  /** Whether a success forgives the failures before it. */
  readonly isForgiving: boolean;
}

/** Slows guessing: after some failures the next try must wait, 1 s at first and twice as long each time, to 15 min. */
export interface GuessThrottle {
  /** Seconds to wait; 0 lets the try begin, which must then be settled. */
  begin(key: string): number;
  settle(key: string, isRight: boolean): void;
}

interface Entry {
  failures: number;
  /** Tries under way: a burst sent at once must not pass before the first failure is known. */
  pending: number;
  until: number;
  last: number;
}

const MOST_SECONDS = 900;
const MOST_PENDING = 10;
const MOST_KEYS = 20_000;

export function createGuessThrottle(clock: Clock, rule: GuessRule): GuessThrottle {
  const entries = new Map<string, Entry>();

  const find = (key: string): Entry => {
    const known = entries.get(key);
    const now = clock.now();
    if (known && (known.pending > 0 || now < Math.max(known.until, known.last) + rule.forgetSeconds * 1000))
      return known;
    entries.delete(key);
    if (entries.size >= MOST_KEYS) entries.delete(entries.keys().next().value as string);
    const made = { failures: 0, pending: 0, until: 0, last: now };
    entries.set(key, made);
    return made;
  };

  return {
    begin(key) {
      const entry = find(key);
      const wait = entry.until - clock.now();
      if (wait > 0) return Math.ceil(wait / 1000);
      if (entry.pending >= MOST_PENDING) return 1;
      entry.pending += 1;
      return 0;
    },
    settle(key, isRight) {
      const entry = find(key);
      entry.pending = Math.max(0, entry.pending - 1);
      if (isRight) {
        if (rule.isForgiving) Object.assign(entry, { failures: 0, until: 0 });
        return;
      }
      entry.failures += 1;
      entry.last = clock.now();
      const over = entry.failures - rule.free;
      if (over >= 0) entry.until = clock.now() + Math.min(2 ** over, MOST_SECONDS) * 1000;
    },
  };
}
