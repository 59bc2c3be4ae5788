import type { Database, SystemTable } from '../../database/database.ts';

/** Rows in one write. */
const REMOVED_ROWS = 500;

/**
 * Removes a batch of rows of these states that were settled before a time, in unix seconds; true if there may be more. The
 * table has an id, `state` and `settled_at`.
 */
export async function removeSettled(
  { name: table, columns }: SystemTable,
  database: Database,
  { states, before }: { readonly states: readonly string[]; readonly before: number },
): Promise<boolean> {
  const { kysely } = database;
  const id = columns.find(({ type }) => type === 'id')?.name ?? '';
  const query = kysely.selectFrom(table).select(id).limit(REMOVED_ROWS);
  const rows = await query.where('state', 'in', states).where('settled_at', '<', before).execute();
  if (rows.length === 0) return false;
  const ids = rows.map((row) => row[id]);
  await database.write(() => kysely.deleteFrom(table).where(id, 'in', ids).execute());
  return rows.length === REMOVED_ROWS;
}
