import { type CompiledQuery } from 'kysely';
import type { Database, Dialect } from '../database/database.ts';
import type { ActiveWanted } from './draft.ts';
import { type Fragment } from './operator.ts';
import { type RowTest, type Sight } from './predicate.ts';
import type { Search } from './search.ts';
import type { Source, SourceColumn } from './source.ts';
/** A compiled statement and, for each parameter, the index of the value to bind. */
export interface Statement {
    readonly query: CompiledQuery;
    readonly slots: readonly number[];
}
/** Compiles a statement with slots as parameters. */
export declare function compileStatement(fragment: Fragment, database: Database): Statement;
/** The values of one run, in the order of the statement's parameters. */
export declare function bind({ slots }: Statement, values: readonly unknown[]): unknown[];
/** What the columns of a statement are masked by: some rows show a column, and others do not. */
export interface Masking {
    readonly source: Source;
    readonly rows: RowTest | undefined;
    readonly sight: Sight;
    readonly dialect: Dialect;
}
/** The column that holds a whole row as JSON text. */
export declare const PRINTED = "treadle_row";
/**
 * True if the database may format rows of this many columns as JSON: on SQLite that is half the work of returning
 * values.
 */
export declare const isPrintable: (count: number, { dialect }: Database) => boolean;
/** A row as one JSON text. Invalid JSON in a JSON column becomes a string. */
export declare function printedRow(columns: Iterable<SourceColumn>, masking: Masking): Fragment;
/** Columns as a select list. */
export declare const selectList: (columns: Iterable<SourceColumn>, masking: Masking, dialect?: Dialect) => Fragment;
/** `from` with the joins of the 1:1 relations. */
export declare const fromJoined: (source: Source, dialect: Dialect, sight?: Sight) => Fragment;
/** Selects active or removed rows. The value is a literal, so that a partial index can be used. */
export declare function activeConditions({ active }: Source, wanted: ActiveWanted): Fragment[];
export declare const where: (parts: readonly Fragment[]) => Fragment;
/** Columns that a search needs but was not asked for: to make cursors and to expand. */
export declare function hiddenColumns({ fields, source, order, expand }: Search): SourceColumn[];
/** True if rows can be read as JSON text, because nothing is added or removed afterwards. */
export declare function isPrinted(search: Search, database: Database): boolean;
/** Compiles the rows of a search, each as columns or as one JSON text. */
export declare function compileRows(search: Search, database: Database): Statement;
/** Compiles the groups of a search. */
export declare function compileGroups(search: Search, database: Database): Statement;
/** Compiles the number of rows (or groups) of a search on all pages. */
export declare function compileCount(search: Search, database: Database): Statement;
