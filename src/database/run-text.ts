import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import type { Row } from './row-statement.ts';

/** Runs a statement that is given as text. */
export const runText = (database: Database, text: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  database.run(CompiledQuery.raw(text), parameters);
