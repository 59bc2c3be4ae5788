import type { CompiledQuery } from 'kysely';

/** Raw SQL that only reads. */
const READS = /^\s*(select|show|explain|pragma\s+(table|index|foreign_key)_\w+\s*\()/i;

/** Whether a query only reads: on SQLite it needs no place in the writer's queue, on PostgreSQL it may be asked twice. */
export function isRead(query: CompiledQuery): boolean {
  const { kind } = query.query;
  return kind === 'SelectQueryNode' || (kind === 'RawNode' && READS.test(query.sql));
}

/** Whether Kysely wants to know how many rows were changed rather than the rows. */
export function isChange({ query }: CompiledQuery): boolean {
  if (query.kind !== 'InsertQueryNode' && query.kind !== 'UpdateQueryNode' && query.kind !== 'DeleteQueryNode') {
    return false;
  }
  return query.returning === undefined;
}
