import type { Database } from './database.ts';
import { readPostgresStructure } from './postgres/structure.ts';
import { readSqliteStructure } from './sqlite/structure.ts';
import type { Structure } from './structure.ts';

/** The existing tables, columns and indexes. */
export function readStructure(database: Database): Promise<Structure> {
  return database.dialect === 'sqlite' ? readSqliteStructure(database) : readPostgresStructure(database);
}
