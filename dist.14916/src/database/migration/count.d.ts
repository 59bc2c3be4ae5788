import type { Database } from '../database.ts';
import type { TableReference } from '../table.ts';
/** Maximum number of rows listed one by one; others are only counted. */
export declare const NAMED_ROWS = 20;
export type RowId = string | number;
/** Rows that block a change. */
export interface Found {
    readonly count: number;
    /** Primary keys of the first of them; empty for a composite key. */
    readonly ids: readonly RowId[];
}
/** Counts the rows that block a change, and lists the first of them. */
export declare class RowCounter {
    #private;
    constructor(database: Database);
    rows(table: string): Promise<number>;
    nulls(table: string, column: string, key?: readonly string[]): Promise<Found>;
    values(table: string, column: string, key?: readonly string[]): Promise<Found>;
    /** Counts values that differ from automatic ones such as the column's default. */
    given(table: string, column: string, unasked: readonly (string | number)[]): Promise<number>;
    /** Counts rows that have a value, or that would get one in place of null. */
    filled(table: string, column: string, value: string | number, key: readonly string[]): Promise<Found>;
    /** Counts rows that share their values with another; null is never equal. */
    duplicates(table: string, columns: readonly string[], { key, only }: {
        readonly key: readonly string[];
        readonly only: string | undefined;
    }): Promise<Found>;
    /** Counts rows with a dangling foreign key. */
    orphans(table: string, column: string, target: Pick<TableReference, 'table' | 'column'>, key: readonly string[]): Promise<Found>;
    /** Whether any row has this value. */
    has(table: string, column: string, value: string | number): Promise<boolean>;
    /** Counts rows still without a value after a copy is restored. */
    unrestored(table: string, key: readonly string[], copy: string): Promise<Found>;
}
