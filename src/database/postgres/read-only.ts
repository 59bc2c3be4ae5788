import type { CompiledQuery, QueryResult } from 'kysely';
import type { Database } from '../database.ts';
import { assertReads, raw } from '../read-only.ts';
import type { Row } from '../row-statement.ts';

/** Reset by the end of the savepoint, or of the transaction. */
const BEGIN = "select set_config('transaction_read_only', 'on', true)";

/** Runs a query in a read-only transaction; inside another one in a savepoint, which ends the restriction. */
export function readOnly(database: Database, query: CompiledQuery): Promise<QueryResult<Row>> {
  assertReads(query);
  return database.transaction(async () => {
    await database.run(raw(BEGIN));
    return { rows: await database.run(query) };
  });
}
