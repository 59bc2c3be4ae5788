import { type Clock, toSeconds } from '../core/clock.ts';
import { memoize } from '../core/memoize.ts';
import type { Database } from '../database/database.ts';

/** An action of a schema that roles refused on pages in the last hour. */
export interface Refusal {
  readonly schema: string;
  readonly action: string;
  readonly count: number;
}

const MINUTE_SECONDS = 60;
const MINUTES = 60;

interface RefusalCount {
  readonly schema: string;
  readonly action: string;
  /** Number by minute, as minutes since 1970. */
  readonly minutes: Map<number, number>;
}

/** What roles refused in this process, by minute. There are at most as many entries as schemas and actions. */
class RefusalTally {
  readonly #counted = new Map<string, RefusalCount>();

  add({ schema, action }: Pick<Refusal, 'schema' | 'action'>, clock: Pick<Clock, 'now'>): void {
    const now = toMinute(clock);
    const key = `${action} ${schema}`;
    const counted = this.#counted.get(key) ?? { schema, action, minutes: new Map<number, number>() };
    this.#counted.set(key, counted);
    counted.minutes.set(now, (counted.minutes.get(now) ?? 0) + 1);
    for (const minute of counted.minutes.keys()) if (minute <= now - MINUTES) counted.minutes.delete(minute);
  }

  read(clock: Pick<Clock, 'now'>): Refusal[] {
    const now = toMinute(clock);
    return [...this.#counted.values()]
      .map(({ schema, action, minutes }) => ({
        schema,
        action,
        count: [...minutes].reduce((sum, [minute, count]) => (minute > now - MINUTES ? sum + count : sum), 0),
      }))
      .filter(({ count }) => count > 0);
  }
}

const toMinute = ({ now }: Pick<Clock, 'now'>): number => Math.floor(toSeconds(now()) / MINUTE_SECONDS);

/** The tally of an application, which has one database. */
export const tallyOf = memoize((_database: Database) => new RefusalTally());

/** The refusals of several processes together, most first. */
export function sumRefusals(told: readonly (readonly Refusal[])[]): Refusal[] {
  const sum = new Map<string, Refusal>();
  for (const each of told.flat()) {
    const key = `${each.action} ${each.schema}`;
    sum.set(key, { ...each, count: each.count + (sum.get(key)?.count ?? 0) });
  }
  return [...sum.values()].sort((a, b) => b.count - a.count);
}
