import { TreadleError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { readSqliteStructure } from './sqlite/structure.ts';
import type { Structure } from './structure.ts';

/** What is there, in the dialect's own way. */
export async function readStructure(database: Database): Promise<Structure> {
  if (database.dialect === 'sqlite') return readSqliteStructure(database);
  throw new TreadleError('DATABASE_URL_UNSUPPORTED', `Migrations of ${database.dialect} are not supported.`);
}
