/**
 * Converts parameters for SQLite; usually gives the same array unchanged.
 *
 * The package `sqlite3` silently binds `undefined` and bigints as NULL, and objects as "[object Object]", so
 * these are refused here. @throws DATABASE_PARAMETER_INVALID
 */
export declare function toParameters(parameters: readonly unknown[]): readonly unknown[];
