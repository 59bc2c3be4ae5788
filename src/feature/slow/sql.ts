import { sql } from 'kysely';
import type { Database, SystemTable } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SearchAdvice } from '../../store/advice/advise.ts';
import type { SearchNote } from '../../store/read/search-note.ts';

const TABLE = 'treadle_slow_search';
/** Stored searches; those that were not seen for longest are removed. */
export const MOST_SHAPES = 100;
/** Seconds after which a search that was not seen again is removed. */
const STORED_SECONDS = 30 * 86_400;

/** Shapes of slow searches: names and figures, and no value of any of them. */
export const slowTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'slow_id', type: 'key' },
    { name: 'slow_schema', type: 'text', isRequired: true },
    // A SearchNote.
    { name: 'slow_note', type: 'json', isRequired: true },
    // Its values are placeholders.
    { name: 'slow_statement', type: 'text', isRequired: true },
    { name: 'slow_count', type: 'integer', isRequired: true },
    { name: 'slow_worst', type: 'integer', isRequired: true },
    { name: 'slow_total', type: 'integer', isRequired: true },
    // The most rows that one returned.
    { name: 'slow_rows', type: 'integer', isRequired: true },
    // A SearchAdvice.
    { name: 'slow_advice', type: 'json', isRequired: true },
    // Unix seconds, as the next.
    { name: 'slow_since', type: 'integer', isRequired: true },
    { name: 'slow_seen', type: 'integer', isRequired: true },
  ],
};

/** A slow search, with figures since the last write. */
export interface SlowShape {
  readonly id: string;
  readonly schema: string;
  readonly note: SearchNote;
  readonly statement: string;
  readonly advice: SearchAdvice;
  readonly count: number;
  /** Milliseconds, as the next. */
  readonly worst: number;
  readonly total: number;
  readonly rows: number;
  /** Unix seconds. */
  readonly since: number;
  readonly seen: number;
}

/** Adds what one process has seen to what all have, and removes old searches. */
export async function addShapes(database: Database, shapes: readonly SlowShape[], now: number): Promise<void> {
  const { kysely } = database;
  const own = (name: string) => sql.ref(`${TABLE}.${name}`);
  const most = (name: string) =>
    sql<number>`case when ${sql.ref(`excluded.${name}`)} > ${own(name)} then ${sql.ref(`excluded.${name}`)} else ${own(name)} end`;
  const sum = (name: string) => sql<number>`${own(name)} + ${sql.ref(`excluded.${name}`)}`;
  const write = async (): Promise<void> => {
    for (const { id, schema, note, statement, advice, count, worst, total, rows, since, seen } of shapes) {
      const row = {
        ...{ slow_id: id, slow_schema: schema, slow_note: JSON.stringify(note), slow_statement: statement },
        ...{ slow_count: count, slow_worst: worst, slow_total: total, slow_rows: rows },
        ...{ slow_advice: JSON.stringify(advice), slow_since: since, slow_seen: seen },
      };
      const changes = {
        ...{ slow_count: sum('slow_count'), slow_total: sum('slow_total'), slow_worst: most('slow_worst') },
        ...{ slow_rows: most('slow_rows'), slow_advice: row.slow_advice, slow_seen: seen },
      };
      const insert = kysely.insertInto(TABLE).values(row);
      await insert.onConflict((conflict) => conflict.column('slow_id').doUpdateSet(changes)).execute();
    }
    const stored = kysely
      .selectFrom(TABLE)
      .select('slow_id')
      .orderBy('slow_seen', 'desc')
      .orderBy('slow_id')
      .limit(MOST_SHAPES);
    const remove = kysely.deleteFrom(TABLE);
    await remove
      .where((is) => is.or([is('slow_seen', '<', now - STORED_SECONDS), is('slow_id', 'not in', stored)]))
      .execute();
  };
  await database.write(write, { isPatient: true });
}

const parse = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T;

const toShape = (row: Row): SlowShape => ({
  id: String(row.slow_id),
  schema: String(row.slow_schema),
  note: parse(row.slow_note),
  statement: String(row.slow_statement),
  advice: parse(row.slow_advice),
  count: Number(row.slow_count),
  worst: Number(row.slow_worst),
  total: Number(row.slow_total),
  rows: Number(row.slow_rows),
  since: Number(row.slow_since),
  seen: Number(row.slow_seen),
});

/** The stored searches. The one that took the most time in all comes first. */
export async function listShapes({ kysely }: Database): Promise<SlowShape[]> {
  const rows = await kysely.selectFrom(TABLE).selectAll().orderBy('slow_total', 'desc').orderBy('slow_id').execute();
  return rows.map(toShape);
}

/** Removes a stored search, or all of them. @returns how many. */
export async function removeShapes(database: Database, id: string | undefined): Promise<number> {
  const remove = database.kysely.deleteFrom(TABLE);
  const { numDeletedRows } = await database.write(() =>
    (id === undefined ? remove : remove.where('slow_id', '=', id)).executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
