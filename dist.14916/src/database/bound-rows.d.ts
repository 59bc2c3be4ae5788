import { type RawBuilder } from 'kysely';
import type { Dialect } from './database.ts';
export type BoundType = 'text' | 'bigint';
/**
 * A list bound as one JSON parameter, as a table with the column `value`: one statement serves every
 * length.
 */
export declare function listOf(dialect: Dialect, values: readonly (string | number)[]): RawBuilder<unknown>;
/**
 * Rows bound as one JSON parameter, as a select of these columns in order. Texts must not contain NUL,
 * which PostgreSQL cannot store.
 */
export declare function rowsOf(dialect: Dialect, rows: readonly Readonly<Record<string, unknown>>[], columns: Readonly<Record<string, BoundType>>): RawBuilder<unknown>;
