import type { Dialect, Row } from '../database/database.ts';
import { type Draft } from './draft.ts';
import type { Fragment } from './operator.ts';
import type { SourceColumn } from './source.ts';
/** A column to group rows by; a time is cut to its day, month or year. */
interface Group {
    readonly column: SourceColumn;
    readonly characters: number | undefined;
}
interface GroupOrder {
    /** A group's column, or the count or total. */
    readonly name: string;
    readonly isDescending: boolean;
}
/** A search that returns groups instead of rows. */
export interface Aggregate {
    readonly groups: readonly Group[];
    /** Column to sum. */
    readonly sum: SourceColumn | undefined;
    /** Column to count values of; undefined counts rows. */
    readonly count: SourceColumn | undefined;
    readonly order: readonly GroupOrder[];
    /** The part of the statement's cache key that depends on the aggregate. */
    readonly key: string;
}
type Input = Readonly<Record<string, unknown>>;
/** Parses `group`, `sum` and `count`; undefined if none is given. */
export declare function parseAggregate(input: Input, draft: Draft): Aggregate | undefined;
/** The parts of a statement that groups rows. */
export interface AggregateSql {
    readonly list: Fragment;
    readonly groupBy: Fragment;
    readonly orderBy: Fragment;
}
/**
 * Compiles an aggregate. PostgreSQL sums decimals exactly, then converts, so that both databases give the same
 * total.
 */
export declare function compileAggregate({ groups, sum, count, order }: Aggregate, dialect: Dialect): AggregateSql;
/** Converts counts and sums to numbers, whatever type the driver returns. */
export declare function toGroupRows(rows: readonly Row[]): Row[];
export {};
