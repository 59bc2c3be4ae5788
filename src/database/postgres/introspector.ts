import { type DatabaseMetadataOptions, type Kysely, PostgresIntrospector, sql, type TableMetadata } from 'kysely';

/**
 * Kysely's introspector limited to the connection's schema: other projects may use other schemas of the same
 * database.
 */
export class OwnIntrospector extends PostgresIntrospector {
  readonly #kysely: Kysely<unknown>;

  constructor(kysely: Kysely<unknown>) {
    super(kysely);
    this.#kysely = kysely;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`select current_schema()::text as name`.execute(this.#kysely);
    return (await super.getTables(options)).filter(({ schema }) => schema === rows[0]?.name);
  }
}
