import type { Dialect } from '../database.ts';
import type { Table } from '../table.ts';
import type { ArchiveTable } from './shape.ts';
/** Derived tables: the word index of `q` and its state, and the write counts. */
export declare const isLeftOut: (name: string) => boolean;
/** The table in another dialect. */
export declare function toTable(table: ArchiveTable, to: Dialect, from: Dialect): Table;
/** Digest of all tables, columns and types of a model; ignores positions in files. */
export declare function toModelDigest(wanted: readonly Table[]): string;
