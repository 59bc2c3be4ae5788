import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { groupBatches, isBatchable, runBatch } from '../schema-batch.ts';
import { quote, toLiteral } from '../table-sql.ts';
import { createTableVersions, type TableVersions, VERSION_TABLE } from '../table-version.ts';

const TRIGGER = VERSION_TABLE;
const FUNCTION = `${VERSION_TABLE}_note`;
/** From this number on, rows of ended connections are deleted. */
const MOST_ROWS = 1000;
/**
 * Written by migrations and index rebuilds: they change query results without a write to the table's rows.
 */
const EVERY = 'all';

/** The visible state: unchanged while no writing transaction begins or ends. */
const SNAPSHOT = CompiledQuery.raw('select txid_current_snapshot()::text as whole');

/**
 * The snapshot and, if it differs from `$1`, the tables with the trigger. A table's version is its file, the
 * number of connections that wrote it, and the sum of their last transaction ids: each commit increases one
 * of these.
 */
const VERSIONS = CompiledQuery.raw(`select whole, case when whole is distinct from $1::text then (
    select json_object_agg(name, version)::text from (
      select c.relname::text as name, concat_ws('.', c.oid, c.relfilenode, count(v.id), sum(v.changed)) as version
        from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
        left join ${VERSION_TABLE} v on v.name = c.oid::text
        where t.tgname = '${TRIGGER}' and t.tgenabled in ('O', 'A') and c.relnamespace = current_schema()::regnamespace
        group by c.relname, c.oid, c.relfilenode) as counted) end as tables,
  case when whole is distinct from $1::text then (
    select concat_ws('.', '${VERSION_TABLE}'::regclass::oid, count(*), sum(changed)) from ${VERSION_TABLE} where name = '${EVERY}') end as every,
  case when whole is distinct from $1::text then (select count(*) from ${VERSION_TABLE}) end as rows
  from (select txid_current_snapshot()::text as whole) as snapshot`);

/**
 * A connection's number is reused only after it has ended, and its last write is older than all running
 * transactions.
 */
const PRUNE = CompiledQuery.raw(`delete from ${VERSION_TABLE}
  where changed < txid_snapshot_xmin(txid_current_snapshot())
    and split_part(id, ':', 2) not in (select pid::text from pg_catalog.pg_stat_activity)`);

const TRACKED = CompiledQuery.raw(`select c.relname::text as name from pg_catalog.pg_trigger t
  join pg_catalog.pg_class c on c.oid = t.tgrelid join pg_catalog.pg_proc p on p.oid = t.tgfoid
  where t.tgname = '${TRIGGER}' and c.relnamespace = current_schema()::regnamespace
    and p.pronamespace = c.relnamespace and p.prosrc = $1 and to_regclass('${VERSION_TABLE}') is not null`);

type Run = (query: CompiledQuery, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

/** Reads the versions. */
export class PostgresTableVersions {
  readonly #run: Run;
  #last: TableVersions | undefined;
  #mostRows = MOST_ROWS;
  /** True if the table of counts exists: {@link trackPostgresTables} created or found it. */
  isTracking = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Must not be called concurrently. */
  async read(): Promise<TableVersions> {
    if (!this.isTracking) return this.#readWhole();
    let row: Row | undefined;
    try {
      [row] = await this.#run(VERSIONS, [this.#last?.whole ?? null]);
    } catch {
      // If the table of counts is gone, the snapshot still works.
      this.#last = undefined;
      return this.#readWhole();
    }
    const whole = String(row?.whole);
    if (this.#last?.whole === whole) return this.#last;
    const tables = new Map(Object.entries(JSON.parse(String(row?.tables ?? '{}')) as Record<string, string>));
    this.#last = createTableVersions(whole, String(row?.every), tables);
    this.#prune(Number(row?.rows));
    return this.#last;
  }

  async #readWhole(): Promise<TableVersions> {
    const [row] = await this.#run(SNAPSHOT, []);
    return createTableVersions(String(row?.whole), '', new Map());
  }

  #prune(rows: number): void {
    if (rows <= this.#mostRows) return;
    this.#mostRows = 2 * rows;
    this.#run(PRUNE, []).then(
      () => {
        this.#mostRows = MOST_ROWS;
      },
      () => {},
    );
  }
}

/**
 * Each connection has its own row per table, so writers never wait for each other. `security definer` lets a
 * user with another login write a table.
 */
const buildFunctionBody = (schema: string): string => `begin
  insert into ${quote(schema)}.${VERSION_TABLE} as known (id, name, changed)
    values (tg_relid::text || ':' || pg_backend_pid()::text, tg_relid::text, txid_current())
    on conflict (id) do update set changed = excluded.changed where known.changed <> excluded.changed;
  return null;
end`;

/** Creates the table of counts and the missing triggers. */
export async function trackPostgresTables(database: Database, tables: readonly string[]): Promise<void> {
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  const schema = String((await run('select current_schema()::text as name'))[0]?.name);
  const body = buildFunctionBody(schema);
  const listMissing = async (): Promise<string[]> => {
    const there = new Set((await database.run(TRACKED, [body])).map(({ name }) => name));
    return tables.filter((table) => !there.has(table));
  };
  if ((await listMissing()).length === 0) return;
  await database.restructure(
    async () => {
      await run(
        `create table if not exists ${VERSION_TABLE} (id text primary key, name text not null, changed bigint not null) with (fillfactor = 50)`,
      );
      await run(
        `create or replace function ${FUNCTION}() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as ${toLiteral(body)}`,
      );
      const triggers = (await listMissing()).flatMap((table) => [
        `drop trigger if exists ${TRIGGER} on ${quote(table)}`,
        `create trigger ${TRIGGER} after insert or update or delete or truncate on ${quote(table)} for each statement execute function ${FUNCTION}()`,
      ]);
      for (const batch of groupBatches(triggers, isBatchable)) await runBatch(database, batch);
    },
    false,
    'migration',
  );
}

/** Changes the version of every table, in the transaction of the change that affects query results. */
export async function touchPostgresTables(database: Database): Promise<void> {
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  const [found] = await run(`select to_regclass('${VERSION_TABLE}') is not null as "isThere"`);
  if (found?.isThere !== true && Number(found?.isThere) !== 1) return;
  await run(`insert into ${VERSION_TABLE} as known (id, name, changed)
    values ('${EVERY}:' || pg_backend_pid()::text, '${EVERY}', txid_current())
    on conflict (id) do update set changed = excluded.changed`);
}
