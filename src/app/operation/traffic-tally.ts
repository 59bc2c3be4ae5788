import type { Clock } from '../../core/clock.ts';
import type { MinuteCount, Traffic } from '../../plan/operation.ts';

const MINUTES = 60;
const MINUTE_MS = 60_000;
/** Upper bounds in milliseconds of the classes of duration; a last class holds the rest. */
const BOUNDS = [2, 5, 10, 20, 35, 50, 75, 100, 150, 250, 500, 1000, 2500, 5000, 10_000, 30_000] as const;

interface Minute {
  /** Minutes since 1970. */
  number: number;
  total: number;
  refused: number;
  failed: number;
  readonly durations: number[];
}

/** What one process counted in a minute, as sent to the others. */
export type MinuteTally = Readonly<Omit<Minute, 'durations'>> & { readonly durations: readonly number[] };

const createMinute = (number: number): Minute => ({
  number,
  total: 0,
  refused: 0,
  failed: 0,
  durations: new Array<number>(BOUNDS.length + 1).fill(0),
});

/** Counts the requests of the last hour by minute. Counting one takes no memory and less than a microsecond. */
export class TrafficTally {
  readonly #clock: Clock;
  readonly #minutes: (Minute | undefined)[] = new Array<undefined>(MINUTES).fill(undefined);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param startedAt Clock time at which the request began. */
  add(startedAt: number, status: number): void {
    const now = this.#clock.now();
    const minute = this.#find(Math.floor(now / MINUTE_MS));
    minute.total += 1;
    if (status >= 500) minute.failed += 1;
    else if (status >= 400) minute.refused += 1;
    const milliseconds = now - startedAt;
    let place = 0;
    for (const bound of BOUNDS) {
      if (milliseconds <= bound) break;
      place += 1;
    }
    minute.durations[place] = (minute.durations[place] ?? 0) + 1;
  }

  #find(number: number): Minute {
    const place = number % MINUTES;
    const known = this.#minutes[place];
    if (known?.number === number) return known;
    const minute = createMinute(number);
    this.#minutes[place] = minute;
    return minute;
  }

  /** The minutes with requests, unordered. Older ones than an hour may be among them. */
  read(): MinuteTally[] {
    return this.#minutes.filter((minute) => minute !== undefined);
  }
}

/** Milliseconds within which a share of the requests was answered; the mean of its class. */
function findQuantile(durations: readonly number[], share: number): number | undefined {
  const total = durations.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let left = total * share;
  const place = durations.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
  return BOUNDS[place] ?? BOUNDS[BOUNDS.length - 1];
}

/** Sums what several processes counted. @param now Milliseconds since 1970. */
export function sumTraffic(tallies: readonly (readonly MinuteTally[])[], now: number): Traffic {
  const last = Math.floor(now / MINUTE_MS);
  const all = tallies.flat().filter(({ number }) => number > last - MINUTES && number <= last);
  const durations = new Array<number>(BOUNDS.length + 1).fill(0);
  for (const minute of all)
    for (const [place, count] of minute.durations.entries()) durations[place] = (durations[place] ?? 0) + count;
  const minutes = Array.from({ length: MINUTES }, (_, index): MinuteCount => {
    const number = last - MINUTES + 1 + index;
    const some = all.filter((minute) => minute.number === number);
    const sum = (key: 'total' | 'refused' | 'failed'): number => some.reduce((count, minute) => count + minute[key], 0);
    return { at: number * 60, total: sum('total'), refused: sum('refused'), failed: sum('failed') };
  });
  return { minutes, median: findQuantile(durations, 0.5), slow: findQuantile(durations, 0.95) };
}
