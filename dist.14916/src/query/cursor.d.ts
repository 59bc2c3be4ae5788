import type { Row } from '../database/database.ts';
import type { SourceColumn } from './source-column.ts';
/** A column to sort by. */
export interface Order {
    readonly column: SourceColumn;
    readonly isDescending: boolean;
    /** The requested name, if it differs from the column's: a path within JSON. */
    readonly label?: string;
}
/** The part of the sort that the statement depends on. */
export declare const toOrderKey: (order: readonly Order[]) => string;
/** An opaque position among sorted rows: the row's sort values, the primary key last. */
export declare function toCursor(order: readonly Order[], row: Row): string;
/** The values of a cursor; undefined if it is invalid or belongs to another sort. */
export declare function parseCursor(text: unknown, order: readonly Order[]): unknown[] | undefined;
