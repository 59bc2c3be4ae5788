import { CompiledQuery, sql } from 'kysely';
import type { Database, SystemTable } from './database.ts';
import type { Row } from './row-statement.ts';
import { createSystemTable } from './table.ts';
import { createTableSql, quote } from './table-sql.ts';

const SERVING = 'treadle_serving';
/** Key of the row of the last server. */
const LAST = 'last';
/** Key of the row whose `mode` is the id of the folder of uploads. */
const UPLOADS = 'uploads';

/**
 * The mode in which a server last started on this database: shows commands whether the host is for production
 * or development.
 */
export const servingTable: SystemTable = {
  name: SERVING,
  columns: [
    { name: 'id', type: 'key' },
    { name: 'mode', type: 'text', isRequired: true },
    // Fingerprint of the server's root secret, so that commands can tell whether they have the same; see
    // `toPrint`.
    { name: 'secret', type: 'text' },
  ],
};

/** The mode in which a server last served a database. */
export type ServedMode = 'development' | 'production';

/** What the server left that served a database last. */
export interface ServerRecord {
  /** Undefined if none did. */
  readonly mode: ServedMode | undefined;
  /** Fingerprint of its root secret; undefined if not recorded. */
  readonly print: string | undefined;
}

/** Not built by Kysely: every start runs it. */
const READ = CompiledQuery.raw(`select mode, secret from ${SERVING} where id = '${LAST}'`);

/** How this database was last served. Its table must exist. */
export async function readServed(database: Database): Promise<ServerRecord> {
  const [row] = await database.run(READ);
  return { mode: toMode(row), print: typeof row?.secret === 'string' ? row.secret : undefined };
}

function toMode(row: Row | undefined): ServedMode | undefined {
  if (row === undefined) return undefined;
  // Only `dev` writes `development`; any other value counts as production.
  return row.mode === 'development' ? 'development' : 'production';
}

async function hasTable({ kysely, dialect }: Database): Promise<boolean> {
  const query =
    dialect === 'sqlite'
      ? sql`select 1 as found from sqlite_schema where type = 'table' and name = ${SERVING}`
      : sql`select 1 as found where to_regclass(${SERVING}) is not null`;
  return (await query.execute(kysely)).rows.length > 0;
}

/** The mode in which this database was last served, which may not be migrated yet: its table may lack other columns. */
export async function findServedMode(database: Database): Promise<ServedMode | undefined> {
  if (!(await hasTable(database))) return undefined;
  const [row] = await database.run(CompiledQuery.raw(`select mode from ${SERVING} where id = '${LAST}'`));
  return toMode(row);
}

/**
 * Records the mode in which this database is served. Its table must exist.
 *
 * @param secret Fingerprint of its root secret; null if unknown.
 */
export async function writeServedMode(
  { kysely }: Database,
  mode: ServedMode,
  secret: string | null = null,
): Promise<void> {
  await kysely
    .insertInto(SERVING)
    .values({ id: LAST, mode, secret })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ mode, secret }))
    .execute();
}

/** The id of the folder that has this database's uploads; undefined if none is recorded. The table must exist. */
export async function readUploadFolder(database: Database): Promise<string | undefined> {
  const [row] = await database.run(CompiledQuery.raw(`select mode from ${SERVING} where id = '${UPLOADS}'`));
  return typeof row?.mode === 'string' && row.mode !== '' ? row.mode : undefined;
}

const putUploadFolder = ({ kysely }: Database, mode: string, isNew: boolean): Promise<unknown> =>
  kysely
    .insertInto(SERVING)
    .values({ id: UPLOADS, mode })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ mode: isNew ? mode : sql.ref(`${SERVING}.mode`) }))
    .execute();

/** Makes other processes wait with theirs until the transaction ends. */
export const lockUploadFolder = (database: Database): Promise<unknown> => putUploadFolder(database, '', false);

export const writeUploadFolder = (database: Database, id: string): Promise<unknown> =>
  putUploadFolder(database, id, true);

/**
 * Restores the mode after all rows of a database were replaced. The mode belongs to the host, not to the
 * data: otherwise a developer's backup would let commands on a production host migrate and call loopback.
 *
 * @param before The previous mode. If undefined, the rows may come from production, so the host counts as
 * production until `treadle dev` has served it.
 */
export async function keepServedMode(database: Database, before: ServedMode | undefined): Promise<void> {
  const run = (text: string) => database.run(CompiledQuery.raw(text));
  const { dialect } = database;
  // Created again, because the loaded data may have a different table or none.
  await run(`drop table if exists ${quote(SERVING)}`);
  await run(createTableSql(createSystemTable(servingTable, dialect), { dialect }));
  await writeServedMode(database, before ?? 'production');
}
