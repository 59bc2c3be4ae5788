import type { Database } from './database.ts';
import { readPostgresStructure } from './postgres/structure.ts';
import { readSqliteStructure } from './sqlite/structure.ts';
import type { Structure } from './structure.ts';

/** What is there, in the dialect's own way. */
export function readStructure(database: Database): Promise<Structure> {
  return database.dialect === 'sqlite' ? readSqliteStructure(database) : readPostgresStructure(database);
}
