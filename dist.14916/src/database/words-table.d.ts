import type { SchemaModel } from '../model/model.ts';
import { type WordColumn } from '../model/words.ts';
import type { Collected, Database, Dialect, Row } from './database.ts';
import type { Table } from './table.ts';
/** A table with searchable columns. */
export interface WordTarget {
    readonly table: string;
    readonly primary: string;
    readonly columns: readonly WordColumn[];
}
/**
 * Name of a table's search index. No other table ends like this: SQLite creates `<name>_data` and others for
 * each index.
 */
export declare function toWordsTable(table: string): string;
/** True for a search index, and for the tables that SQLite creates for it. */
export declare const isWordsTable: (name: string) => boolean;
/** The indexed columns of a table; undefined if none is searchable. */
export declare function toWordTarget({ name, primaryKey, words, markup }: Table): WordTarget | undefined;
/** The indexed columns of a schema, shared by all callers; empty if none is searchable. */
export declare const getWordTarget: (key: SchemaModel) => WordTarget;
/**
 * Creates a search index. On SQLite FTS5 stores neither text nor positions, and its tokenizer only splits at
 * the spaces that our code inserted. A trigger deletes the words of a deleted row, also after a cascade.
 */
export declare function createWordsSql({ table, primary }: Omit<WordTarget, 'columns'>, dialect: Dialect): string[];
/** Renames the search index with its table. */
export declare function renameWordsSql(was: string, { table, primary }: Omit<WordTarget, 'columns'>, dialect: Dialect): string[];
export declare function dropWordsSql(name: string, dialect: Dialect): string[];
/**
 * Writes the words of rows, given with their primary key and all searchable columns, in one statement. Call
 * it in the transaction that writes the rows. Words of deleted rows are deleted automatically.
 */
export declare function writeWords(database: Database, target: WordTarget, rows: readonly Row[]): Promise<void>;
/** The words of a row for a {@link Database.writeOne} of SQLite; undefined if nothing is searchable. */
export declare function collectWords(target: WordTarget, row: Row): Collected | undefined;
/**
 * Writes the words of all rows of a table, in batches by primary key, so that memory use stays constant.
 * Skips missing columns.
 *
 * @returns the indexed columns.
 */
export declare function fillWords(database: Database, target: WordTarget): Promise<string[]>;
