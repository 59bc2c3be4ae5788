import type { Database } from './database.ts';

/**
 * Keeps the rows that a query reads as they are until the transaction ends, where others may write meanwhile. On SQLite
 * nobody does: there is one writer.
 */
export function lockRows<Q extends { forUpdate(): Q }>(query: Q, database: Database): Q {
  return database.dialect === 'postgres' ? query.forUpdate() : query;
}
