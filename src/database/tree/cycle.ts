import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type BlockingRows, NAMED_ROWS } from '../migration/count.ts';
import type { TreeTarget } from './trigger.ts';

/** Rows that are read by one statement. */
const BATCH_ROWS = 10_000;

async function readParents(
  { kysely }: Database,
  { table, primary, column }: TreeTarget,
): Promise<ReadonlyMap<number, number>> {
  const [key, parent] = [sql.ref(primary), sql.ref(column)];
  const parents = new Map<number, number>();
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await sql<{ id: number; parent: number }>`select ${key} as id, ${parent} as parent
      from ${sql.table(table)} where ${parent} is not null and ${key} > ${last} order by ${key} limit ${BATCH_ROWS}`.execute(
      kysely,
    );
    for (const row of rows) parents.set(Number(row.id), Number(row.parent));
    if (rows.length < BATCH_ROWS) return parents;
    last = Number(rows.at(-1)?.id);
  }
}

/** The rows that are below themselves. */
export async function findCycles(database: Database, target: TreeTarget): Promise<BlockingRows> {
  const parents = await readParents(database, target);
  /** By row the number of the walk that came to it first. */
  const walks = new Map<number, number>();
  const ids: number[] = [];
  let walk = 0;
  for (const start of parents.keys()) {
    walk += 1;
    let at: number | undefined = start;
    while (at !== undefined && !walks.has(at)) {
      walks.set(at, walk);
      at = parents.get(at);
    }
    if (at === undefined || walks.get(at) !== walk) continue;
    // This walk came back to a row of its own: the rows from there on are a cycle.
    for (let next: number | undefined = at; next !== undefined; next = parents.get(next)) {
      ids.push(next);
      if (parents.get(next) === at) break;
    }
  }
  ids.sort((a, b) => a - b);
  return { count: ids.length, ids: ids.slice(0, NAMED_ROWS) };
}
