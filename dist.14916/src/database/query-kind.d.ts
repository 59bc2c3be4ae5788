import type { CompiledQuery } from 'kysely';
/** True if a query only reads: on SQLite it skips the writer's queue, on PostgreSQL it can be repeated. */
export declare function isRead(query: CompiledQuery): boolean;
/** True if Kysely expects the number of changed rows rather than rows. */
export declare function isChange({ query }: CompiledQuery): boolean;
