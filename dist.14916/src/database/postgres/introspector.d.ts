import { type DatabaseMetadataOptions, type Kysely, PostgresIntrospector, type TableMetadata } from 'kysely';
/**
 * Kysely's introspector limited to the connection's schema: other projects may use other schemas of the same
 * database.
 */
export declare class OwnIntrospector extends PostgresIntrospector {
    #private;
    constructor(kysely: Kysely<unknown>);
    getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]>;
}
