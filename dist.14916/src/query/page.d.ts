import type { Dialect } from '../database/database.ts';
import type { Order } from './cursor.ts';
import { type Fragment } from './operator.ts';
import type { Cursor } from './search.ts';
/** The parts of a statement that reads a page. */
export interface PageQuery {
    readonly list: Fragment;
    /** Names of the listed columns. */
    readonly names: readonly string[];
    readonly from: Fragment;
    readonly tests: readonly Fragment[];
    readonly order: readonly Order[];
    readonly cursor: Cursor | undefined;
    /** Index of the row limit; then the offset, then the sum of both. */
    readonly limitSlot: number;
    /** True if no index on the order finds the rows: then one condition for all parts is cheapest. */
    readonly isWhole: boolean;
}
/** Compiles a page, from the start or from a cursor. */
export declare function compilePages(query: PageQuery, dialect: Dialect): Fragment;
