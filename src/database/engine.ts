import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Name and version of the database, such as `PostgreSQL 16.4`, and the schema if it is not the default. */
export async function readEngine({ dialect, kysely }: Database): Promise<string> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(kysely);
    return `SQLite ${rows[0]?.version}`;
  }
  const { rows } = await sql<{ version: string; schema: string }>`select current_setting('server_version') as version,
    current_schema()::text as schema`.execute(kysely);
  const [server] = rows;
  // Debian and others append a package version.
  const version = server?.version.split(' ')[0];
  return `PostgreSQL ${version}${server?.schema === 'public' ? '' : `, schema ${server?.schema}`}`;
}
