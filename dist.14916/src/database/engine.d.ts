import type { Database } from './database.ts';
/** Name and version of the database, such as `PostgreSQL 16.4`, and the schema if it is not the default. */
export declare function readEngine({ dialect, kysely }: Database): Promise<string>;
