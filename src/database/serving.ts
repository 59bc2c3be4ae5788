import { CompiledQuery, sql } from 'kysely';
import type { Database, SystemTable } from './database.ts';
import { toSystemTable } from './table.ts';
import { createTableSql, quote } from './table-sql.ts';

const SERVING = 'treadle_serving';
/** The one row. */
const LAST = 'last';

/** In which mode a server last started on this database: how a command tells a production host from a developer's machine. */
export const servingTable: SystemTable = {
  name: SERVING,
  columns: [
    { name: 'id', type: 'key' },
    { name: 'mode', type: 'text', isRequired: true },
    // Tells whether a command has the root secret of the server; see `toPrint`.
    { name: 'secret', type: 'text' },
  ],
};

/** What a server last served a database as. */
export type ServedMode = 'development' | 'production';

/** In which mode this database was last served; undefined where it never was. Its table must be there. */
export async function readServedMode({ kysely }: Database): Promise<ServedMode | undefined> {
  const row = await kysely.selectFrom(SERVING).select('mode').where('id', '=', LAST).executeTakeFirst();
  if (row === undefined) return undefined;
  // Whatever else stands there was not written by `dev`.
  return row.mode === 'development' ? 'development' : 'production';
}

async function hasTable({ kysely, dialect }: Database): Promise<boolean> {
  const query =
    dialect === 'sqlite'
      ? sql`select 1 as found from sqlite_schema where type = 'table' and name = ${SERVING}`
      : sql`select 1 as found where to_regclass(${SERVING}) is not null`;
  return (await query.execute(kysely)).rows.length > 0;
}

/** As {@link readServedMode}, of a database that may not be migrated yet. */
export const findServedMode = async (database: Database): Promise<ServedMode | undefined> =>
  (await hasTable(database)) ? readServedMode(database) : undefined;

/** The print of the root secret that this database was last served with; undefined where none was noted. */
export async function readServedSecret({ kysely }: Database): Promise<string | undefined> {
  const row = await kysely.selectFrom(SERVING).select('secret').where('id', '=', LAST).executeTakeFirst();
  return typeof row?.secret === 'string' ? row.secret : undefined;
}

/**
 * Notes in which mode this database is served. Its table must be there.
 *
 * @param secret The print of its root secret; null where it is not known.
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

/**
 * After all rows of a database were replaced, those of this table among them: the note is of the place and not of the
 * rows, so it is as it was before. Else a backup that a developer made would let commands on a production host migrate
 * and call loopback.
 *
 * @param before What stood there. Where nothing did, the rows may be production's, and so is the place until `treadle dev`
 * has served it.
 */
export async function keepServedMode(database: Database, before: ServedMode | undefined): Promise<void> {
  const run = (text: string) => database.run(CompiledQuery.raw(text));
  const { dialect } = database;
  // Made anew, since what came may have it in another form, or not at all.
  await run(`drop table if exists ${quote(SERVING)}`);
  await run(createTableSql(toSystemTable(servingTable, dialect), { dialect }));
  await writeServedMode(database, before ?? 'production');
}
