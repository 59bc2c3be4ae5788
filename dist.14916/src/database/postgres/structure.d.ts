import type { Database } from '../database.ts';
import type { Structure } from '../structure.ts';
/**
 * The structure of the connection's schema, from PostgreSQL's catalogue, in four queries for any number of
 * tables.
 */
export declare function readPostgresStructure({ kysely }: Database): Promise<Structure>;
