import type { Dialect } from '../database.ts';
import type { ArchiveTable, EncodedRow } from './shape.ts';
/** Why PostgreSQL, which enforces column types, cannot store a row; SQLite stores anything. */
export declare function findValueFault(table: ArchiveTable, row: EncodedRow, dialect: Dialect): string | undefined;
