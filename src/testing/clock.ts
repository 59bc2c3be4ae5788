import { type Clock, systemClock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';

/** A span of time; the parts add up. */
export interface Duration {
  /** Of 24 hours. */
  readonly days?: number;
  /** Of 60 minutes. */
  readonly hours?: number;
  /** Of 60 seconds. */
  readonly minutes?: number;
  /** May have a fraction. */
  readonly seconds?: number;
}

const PARTS: Readonly<Record<keyof Duration, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
};

/** @throws TEST_CLOCK_INVALID for a part that does not exist or is not a number from 0. */
export function toMilliseconds(duration: Duration): number {
  return Object.entries(duration).reduce((sum, [part, value]) => {
    const unit = PARTS[part as keyof Duration];
    if (unit === undefined || typeof value !== 'number' || !(value >= 0))
      throw new TreadleError('TEST_CLOCK_INVALID', `A clock cannot advance by ${part}: ${String(value)}.`, {
        hint: 'Write clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4 }), with the parts that you need.',
      });
    return sum + value * unit;
  }, 0);
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
  readonly cancel: () => void;
}

/** A clock that runs with the machine's, from another time if it is told to, and can jump ahead. */
export interface MovableClock extends Clock {
  /** Moves ahead, and calls back what falls due by then, once, in order of time. */
  jump(milliseconds: number): void;
}

/** @param start Milliseconds since 1970. */
export function createMovableClock(start: number = systemClock.now()): MovableClock {
  const state = { offset: start - systemClock.now() };
  const timers = new Set<Timer>();
  const now = (): number => systemClock.now() + state.offset;
  return {
    now,
    after(milliseconds, callback) {
      const fire = (): void => {
        if (timers.delete(timer)) callback();
      };
      const timer: Timer = { at: now() + milliseconds, callback: fire, cancel: systemClock.after(milliseconds, fire) };
      timers.add(timer);
      return () => {
        timer.cancel();
        timers.delete(timer);
      };
    },
    jump(milliseconds) {
      state.offset += milliseconds;
      const due = [...timers].filter(({ at }) => at <= now()).sort((a, b) => a.at - b.at);
      for (const timer of due) {
        timer.cancel();
        timer.callback();
      }
    },
  };
}
