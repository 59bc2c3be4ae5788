import { digest } from '../core/secret/secret.ts';
import type { Database, SystemTable } from '../database/database.ts';

export const LIMIT = 'treadle_limit';

/** Takes per limit and window, summed over all processes. */
export const limitTable: SystemTable = {
  name: LIMIT,
  columns: [
    // Hash of the key and the window number: the key may contain an address.
    { name: 'slot', type: 'key' },
    { name: 'count', type: 'integer', isRequired: true, default: 0 },
    // Unix seconds.
    { name: 'expires_at', type: 'integer', isRequired: true },
  ],
  indexes: [{ name: 'treadle_limit_expiry', columns: ['expires_at'] }],
};

/** Takes of one process in a window since it last reported. */
export interface Tally {
  readonly key: string;
  readonly window: number;
  readonly count: number;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Sums the counts of all processes. */
export interface LimitStore {
  /** Adds counts and returns the totals in the same order. */
  add(tallies: readonly Tally[]): Promise<readonly number[]>;
  /** Removes windows that ended before this time (milliseconds). */
  purge(before: number): Promise<void>;
}

/** Rows per statement. */
const STEP = 200;

const toSlot = ({ key, window }: Tally): string => `${digest(key).slice(0, 32)}:${window}`;

export function createLimitStore(database: Database): LimitStore {
  const addSome = async (tallies: readonly Tally[]): Promise<Map<string, number>> => {
    const rows = tallies.map((tally) => ({
      slot: toSlot(tally),
      count: tally.count,
      expires_at: Math.ceil(tally.expiresAt / 1000),
    }));
    // The same order everywhere: processes that add the same rows must not deadlock.
    rows.sort((a, b) => (a.slot < b.slot ? -1 : 1));
    const insert = database.kysely.insertInto(LIMIT).values(rows);
    const found = await insert
      .onConflict((conflict) =>
        conflict
          .column('slot')
          .doUpdateSet((make) => ({ count: make(`${LIMIT}.count`, '+', make.ref('excluded.count')) })),
      )
      .returning(['slot', 'count'])
      .execute();
    return new Map(found.map(({ slot, count }) => [String(slot), Number(count)]));
  };
  return {
    async add(tallies) {
      const totals = new Map<string, number>();
      for (let start = 0; start < tallies.length; start += STEP) {
        const some = tallies.slice(start, start + STEP);
        for (const [slot, count] of await database.write(() => addSome(some))) totals.set(slot, count);
      }
      return tallies.map((tally) => totals.get(toSlot(tally)) ?? tally.count);
    },
    async purge(before) {
      const removal = database.kysely.deleteFrom(LIMIT).where('expires_at', '<', Math.floor(before / 1000));
      await removal.execute();
    },
  };
}
