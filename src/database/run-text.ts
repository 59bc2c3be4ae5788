import { CompiledQuery } from 'kysely';
import type { Database, Row } from './database.ts';

/** Runs a statement that is given as text. */
export const runText = (database: Database, text: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  database.run(CompiledQuery.raw(text), parameters);
