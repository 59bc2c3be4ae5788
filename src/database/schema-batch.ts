import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { toLiteral } from './table-sql.ts';

const ONE = String.raw`create\s+trigger\s[^;]*;\s*end|(?:create|drop|alter)\s[^;]*`;
const SINGLE = new RegExp(String.raw`^\s*(?:${ONE})\s*$`, 'i');
/** Begins what {@link runBatch} joined: in any other text nothing can hide behind a semicolon. */
const MARK = '-- batch\n';
const SEVERAL = new RegExp(String.raw`^${MARK}(?:\s*(?:${ONE})(?:;|$))+\s*$`, 'i');
/** Maximum statements of one batch, so that a large schema does not hold the connection for seconds. */
const MOST_TOGETHER = 50;

/** True for one schema change without a semicolon, except a trigger's own: a batch may contain it. */
export const isBatchable = (statement: string): boolean => SINGLE.test(statement);

/** True for one schema change, or several that {@link runBatch} joined. */
export const isSchemaChange = (text: string): boolean => SINGLE.test(text) || SEVERAL.test(text);

/** Splits items into batches, in order. One that may not join others is alone. */
export function groupBatches<T>(items: readonly T[], mayJoin: (item: T) => boolean): (readonly T[])[] {
  const batches: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    const isJoining = mayJoin(item);
    if (isJoining && open !== undefined && open.length < MOST_TOGETHER) open.push(item);
    else {
      const batch = [item];
      batches.push(batch);
      open = isJoining ? batch : undefined;
    }
  }
  return batches;
}

/**
 * Runs schema changes in one round trip: a new database takes over a hundred. Call it inside a transaction. On PostgreSQL the
 * time limit of a statement counts for the whole batch, so it must not read tables with many rows.
 *
 * @param statements One, or several that are each {@link isBatchable}.
 */
export async function runBatch(
  database: Pick<Database, 'dialect' | 'run'>,
  statements: readonly string[],
): Promise<void> {
  const text = statements.join(';\n');
  // PostgreSQL's extended protocol takes one statement only, and an anonymous block is one.
  const batch = database.dialect === 'postgres' ? `do ${toLiteral(`begin\n${text};\nend`)}` : `${MARK}${text}`;
  await database.run(CompiledQuery.raw(statements.length > 1 ? batch : text));
}
