import type { Database } from './database.ts';
/**
 * Counts the writes of each model table. Triggers update it, so raw SQL, cascades and other programs count
 * too.
 */
export declare const VERSION_TABLE = "treadle_version";
/** The versions of all tables at one moment. */
export interface TableVersions {
    /** Changes with every commit of any process. */
    readonly whole: string;
    /**
     * A text that changes with every commit that wrote one of these tables. Equals {@link TableVersions.whole}
     * if a table is not counted, or if the tables are unknown.
     */
    of(tables: readonly string[] | undefined): string;
}
/**
 * @param structure Changes with every schema change.
 * @param tables The version of each counted table.
 */
export declare function createTableVersions(whole: string, structure: string, tables: ReadonlyMap<string, string>): TableVersions;
/** The version of these tables; of the whole database if it does not count by table. */
export declare function readVersion(database: Database, tables: readonly string[] | undefined): Promise<string | undefined>;
/**
 * The tables that these statements read, sorted; undefined if unknown. Search words are written together with
 * their rows, so they count as the rows' table. A name that is no table may be included; it is never counted.
 */
export declare function listReadTables(statements: Iterable<string>): readonly string[] | undefined;
/** Records a statement for {@link recordReads}. */
export declare function noteRead(text: string): void;
/** Runs work and gives the text of every statement that it has read with so far. */
export declare function recordReads<T>(work: () => T): {
    readonly value: T;
    readonly statements: ReadonlySet<string>;
};
