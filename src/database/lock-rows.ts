import type { Database } from './database.ts';

/**
 * Locks the rows that a query reads until the transaction ends, on databases with parallel writers. SQLite
 * has one writer and needs no lock.
 */
export function lockRows<Q extends { forUpdate(): Q }>(query: Q, database: Database): Q {
  return database.dialect === 'postgres' ? query.forUpdate() : query;
}

/**
 * As {@link lockRows}, for rows that are changed but not removed: others may still insert rows that refer to them. Two
 * transactions that each inserted one of those and then lock the same row would otherwise wait for each other.
 */
export function lockChanged<Q extends { forNoKeyUpdate(): Q }>(query: Q, database: Database): Q {
  return database.dialect === 'postgres' ? query.forNoKeyUpdate() : query;
}

/** As {@link lockChanged}, without the rows that another transaction has locked: it never waits. */
export function lockFree<Q extends { forNoKeyUpdate(): { skipLocked(): Q } }>(query: Q, database: Database): Q {
  return database.dialect === 'postgres' ? query.forNoKeyUpdate().skipLocked() : query;
}
