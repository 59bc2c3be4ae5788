import type { Database } from '../database.ts';
import { type Meaning } from './convert-value.ts';
import { type Found, type RowId } from './count.ts';
/** Conversion of one column. */
export interface Conversion {
    /** Present names. */
    readonly table: string;
    readonly key: string;
    readonly column: string;
    readonly from: Meaning;
    readonly to: Meaning;
    /** Whether the field types differ; if not, only {@link reverts} apply. */
    readonly isRead: boolean;
    /** Replaces a value that does not fit or is empty: null if the field is optional. */
    readonly fallback: string | number | null;
    /** Whether values that do not fit may be replaced. */
    readonly isLosing: boolean;
    /**
     * Copies that earlier migrations made of this column. Values that they changed, and nobody since, are
     * restored exactly.
     */
    readonly reverts: readonly string[];
}
export interface Scan {
    /** Number of values that are not null. */
    readonly total: number;
    /** Number of values that do not fit. */
    readonly failed: number;
    readonly ids: readonly RowId[];
    /** Why the first of them does not fit. */
    readonly why: string;
    /** Number of values that differ from a plain cast, including those that do not fit. */
    readonly changed: number;
    /** Number of values that fit but become null. */
    readonly emptied: number;
    /** Number of rows read. */
    readonly read: number;
    /** Rows without a value after the conversion. */
    readonly empty: Found;
}
/** Tests the conversion of every value; writes nothing. */
export declare function scanValues(database: Database, conversion: Conversion): Promise<Scan>;
/**
 * Tests every value again now that nobody else can write, and copies those that change: former and new
 * value.
 * @returns Whether the data still fits the plan.
 */
export declare function keepValues(database: Database, conversion: Conversion, copy: string | undefined): Promise<boolean>;
