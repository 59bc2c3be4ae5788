import type { Database } from './database.ts';
/**
 * Locks the rows that a query reads until the transaction ends, on databases with parallel writers. SQLite
 * has one writer and needs no lock.
 */
export declare function lockRows<Q extends {
    forUpdate(): Q;
}>(query: Q, database: Database): Q;
