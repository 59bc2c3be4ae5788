import type { CompiledQuery } from 'kysely';

/** Raw SQL that only reads. */
const READS = /^\s*(select|show|explain|pragma\s+(table|index|foreign_key)_\w+\s*\()/i;

/** True if a query only reads: on SQLite it skips the writer's queue, on PostgreSQL it can be repeated. */
export function isRead(query: CompiledQuery): boolean {
  const { kind } = query.query;
  return kind === 'SelectQueryNode' || (kind === 'RawNode' && READS.test(query.sql));
}

/** True if Kysely expects the number of changed rows rather than rows. */
export function isChange({ query }: CompiledQuery): boolean {
  if (query.kind !== 'InsertQueryNode' && query.kind !== 'UpdateQueryNode' && query.kind !== 'DeleteQueryNode') {
    return false;
  }
  return query.returning === undefined;
}
