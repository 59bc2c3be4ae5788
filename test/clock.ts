import type { Clock, Random } from '../src/core/clock.ts';

/** A clock that only advances on request. */
export interface FakeClock extends Clock {
  /** Advances the clock and runs due callbacks in order, each at its time. */
  advance(milliseconds: number): void;
  /** Advances the clock at once, as for a process that was held: callbacks that fell due run late. */
  jump(milliseconds: number): void;
  /** Milliseconds until each callback that waits. */
  waits(): readonly number[];
}

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
    jump(milliseconds) {
      now += milliseconds;
      const due = timers.filter((timer) => timer.at <= now).sort((a, b) => a.at - b.at);
      timers = timers.filter((timer) => timer.at > now);
      for (const { callback } of due) callback();
    },
    waits: () => timers.map(({ at }) => at - now),
  };
}

/** The same seed gives the same bytes. */
export function createFakeRandom(seed = 1): Random {
  let state = seed;
  return (bytes) =>
    Buffer.from(
      Array.from({ length: bytes }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state >>> 24;
      }),
    );
}
