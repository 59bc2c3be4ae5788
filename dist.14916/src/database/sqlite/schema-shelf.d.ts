import type { Database } from '../database.ts';
/**
 * Creates thousands of tables, indexes and triggers in linear time. After each `create`, SQLite searches all of
 * `sqlite_schema`, which has no index, for the new row: 16,000 objects take 40 s. The shelf moves rows that SQLite has
 * read already into a temporary table, and puts them back in their order before the commit. Then SQLite reads the whole
 * schema again, so a fault fails the transaction and changes nothing.
 *
 * @see https://sqlite.org/pragma.html#pragma_writable_schema
 */
export declare class SchemaShelf {
    #private;
    private constructor();
    /** For a transaction that will create this many objects; undefined if they are few, or if SQLite does not allow it. */
    static open(database: Database, objects: number): Promise<SchemaShelf | undefined>;
    /** Call it before statements: all but plain `create` ones need the whole schema. */
    before(statements: readonly string[]): Promise<void>;
    /** Call it after them. */
    after(): Promise<void>;
    /**
     * Puts everything back and lets SQLite read it; the second time it does nothing. Call it before what reads
     * `sqlite_schema`. @throws DATABASE_DAMAGED, and the transaction must be rolled back.
     */
    close(): Promise<void>;
    /** Call it instead of {@link close} where the transaction fails: a rollback does not end the permission. */
    abandon(): Promise<void>;
}
export interface ManyOptions {
    /** About how many tables, indexes and triggers the work creates. */
    readonly objects: number;
    readonly isRebuilding?: boolean;
    readonly lock?: string;
    /** Awaited in the transaction before the work. */
    readonly check?: () => Promise<void>;
}
/**
 * {@link Database.restructure} with a shelf, if it creates many objects. If that fails, the work runs again without:
 * it must have no effects besides those on the database.
 */
export declare function restructureMany(database: Database, { objects, isRebuilding, lock, check }: ManyOptions, work: (shelf: SchemaShelf | undefined) => Promise<void>): Promise<void>;
