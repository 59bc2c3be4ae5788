import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { NAME_LENGTH } from '../../model/shape/text.ts';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { groupBatches, isBatchable, runBatch } from '../schema-batch.ts';
import { quote, toLiteral } from '../table-sql.ts';
import {
  CHANGE_TABLE,
  type CountedTable,
  type TableVersions,
  type TableWrite,
  VERSION_TABLE,
  WriteMoments,
} from '../version/table-version.ts';

/** Begins the functions of the triggers, one for each table. */
const FUNCTION = 'treadle_note_';
const CHANGES = ['insert', 'update', 'delete', 'truncate'] as const;
const toTrigger = (change: (typeof CHANGES)[number]): string => `${VERSION_TABLE}_${change}`;
const TRIGGERS = CHANGES.map((change) => toLiteral(toTrigger(change))).join(', ');
/** Rows of a statement that are noted one by one; of more only their table is. */
const MOST_ROWS = 200;
/** Statements that are read one by one; of more no table counts as unwritten. */
const MOST_READ = 2000;
/** Statements that are kept, however many follow. */
const STORED = 1000;
/** Written by migrations and index rebuilds: they change query results without a write to the table's rows. */
const EVERY = 'all';
/** Of the row that holds the first transaction whose statements are not dropped, as a negative number. */
const FLOOR = 'floor';

/** The visible state: unchanged while no writing transaction begins or ends. */
const SNAPSHOT = CompiledQuery.raw('select txid_current_snapshot()::text as whole');

/**
 * The snapshot `whole` and, if it differs from `$1`: the tables with all triggers, each with its number, its file and its noted
 * columns; and what was committed since. That is of transactions from `$2` on, which had not begun then, and of those in `$3`,
 * which had not ended. So it does not matter in which order they commit.
 */
const VERSIONS = CompiledQuery.raw(`select whole, case when whole is distinct from $1::text then (
    select json_agg(json_build_array(name, number, file, columns) order by name)::text from (
      select c.relname::text as name, c.oid::text as number, c.relfilenode::text as file,
          max(encode(t.tgargs, 'escape')) as columns
        from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
        where t.tgname in (${TRIGGERS}) and t.tgenabled in ('O', 'A') and c.relnamespace = current_schema()::regnamespace
        group by c.relname, c.oid, c.relfilenode having count(*) = ${CHANGES.length}) as counted) end as tables,
  case when whole is distinct from $1::text then (
    select json_agg(json_build_array(name, tags))::text from (
      select name, tags from ${CHANGE_TABLE} where tx > 0 and (tx >= $2::bigint or tx = any($3::bigint[]))
        limit ${MOST_READ + 1}) as written) end as writes,
  case when whole is distinct from $1::text then (
    select concat_ws(' ', '${CHANGE_TABLE}'::regclass::oid, -min(tx)) from ${CHANGE_TABLE}
      where tx < 0 and tx >= -txid_snapshot_xmax(snapshot)) end as floor
  from (select txid_current_snapshot() as snapshot, txid_current_snapshot()::text as whole) as now`);

/**
 * Drops old statements: of transactions that every transaction now sees. The floor tells readers that some are missing. Numbers
 * that are too high come from a copy of another server's database.
 */
const PRUNE = [
  `with bound as (select least(txid_snapshot_xmin(txid_current_snapshot()),
      coalesce((select tx from ${CHANGE_TABLE} where tx > 0 order by tx desc offset ${STORED} limit 1), 0)) as tx),
    gone as (delete from ${CHANGE_TABLE} as c using bound where c.tx > 0 and c.tx < bound.tx returning c.tx)
    insert into ${CHANGE_TABLE} (tx, name) select -max(tx) - 1, '${FLOOR}' from gone having count(*) > 0`,
  `delete from ${CHANGE_TABLE} where tx >= txid_snapshot_xmax(txid_current_snapshot())
    or (tx < 0 and tx > (select min(tx) from ${CHANGE_TABLE})) or tx < -txid_snapshot_xmax(txid_current_snapshot())`,
].map((text) => CompiledQuery.raw(text));

type Run = (query: CompiledQuery, parameters?: readonly unknown[]) => Promise<readonly Row[]>;
type CountedRow = readonly [name: string, number: string, file: string, columns: string];

/** A snapshot's text: the first transaction that runs, the first that has not begun, and those that run. */
function parseSnapshot(text: string): { readonly oldest: bigint; readonly next: string; readonly running: string } {
  const [oldest = '0', next = '0', running = ''] = text.split(':');
  return { oldest: BigInt(oldest), next, running: `{${running}}` };
}

/** Reads what was written. */
export class PostgresTableVersions {
  readonly #run: Run;
  readonly #moments = new WriteMoments();
  #last: TableVersions | undefined;
  /** The tables as they were read last, the file of each, and by number their names. */
  #tables: string | undefined;
  #files: ReadonlyMap<string, string> = new Map();
  #names: ReadonlyMap<string, string> = new Map();
  #counted: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  /** Statements read since old ones were dropped. */
  #read = STORED;
  /** True if the table of writes exists: {@link trackPostgresTables} created or found it. */
  isTracking = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Must not be called concurrently. */
  async read(): Promise<TableVersions> {
    if (!this.isTracking) return this.#readWhole();
    const before = this.#tables === undefined ? undefined : this.#last?.whole;
    const { oldest, next, running } = parseSnapshot(before ?? '');
    let row: Row | undefined;
    try {
      [row] = await this.#run(VERSIONS, [before ?? null, before === undefined ? null : next, running]);
    } catch {
      // If the table of writes is gone, the snapshot still works.
      this.#tables = undefined;
      return this.#readWhole();
    }
    const whole = String(row?.whole);
    if (this.#last !== undefined && before === whole) return this.#last;
    const [table = '', floor = '0'] = String(row?.floor).split(' ');
    const isWhole = before !== undefined && BigInt(floor) <= oldest;
    const writes = isWhole ? this.#toWrites(JSON.parse(String(row?.writes ?? '[]'))) : undefined;
    const renewed = this.#see(table, String(row?.tables ?? '[]'));
    if (renewed === undefined || writes === undefined) this.#moments.restart(this.#counted);
    this.#last = this.#moments.advance(whole, [...(writes ?? []), ...(renewed ?? [])]);
    return this.#last;
  }

  /** Undefined if they are too many. */
  #toWrites(written: readonly (readonly [name: string, tags: string | null])[]): readonly TableWrite[] | undefined {
    this.#read += written.length;
    this.#prune();
    if (written.length > MOST_READ) return undefined;
    return written.flatMap(([number, tags]): TableWrite[] => {
      if (number === EVERY) return [{ table: undefined, values: undefined }];
      const table = this.#names.get(number);
      return table === undefined
        ? []
        : [{ table, values: tags === null ? undefined : tags.split(' ').filter(Boolean) }];
    });
  }

  /** The tables with another file than at the last reading; undefined if they are not the same tables and columns. */
  #see(table: string, text: string): readonly TableWrite[] | undefined {
    const [former, from] = [this.#files, this.#tables];
    if (from === `${table} ${text}`) return [];
    this.#tables = `${table} ${text}`;
    const rows: readonly CountedRow[] = JSON.parse(text);
    this.#names = new Map(rows.map(([name, number]) => [number, name]));
    this.#files = new Map(rows.map(([name, number, file, columns]) => [`${number} ${name} ${columns}`, file]));
    this.#counted = new Map(rows.map(([name, , , columns]) => [name, new Set(columns.split('\\000').filter(Boolean))]));
    if (from?.split(' ', 1)[0] !== table || [...former.keys()].join() !== [...this.#files.keys()].join())
      return undefined;
    return rows.flatMap(([name, number, file, columns]) =>
      former.get(`${number} ${name} ${columns}`) === file ? [] : [{ table: name, values: undefined }],
    );
  }

  async #readWhole(): Promise<TableVersions> {
    const [row] = await this.#run(SNAPSHOT, []);
    const whole = String(row?.whole);
    if (this.#last?.whole === whole) return this.#last;
    this.#moments.restart(new Map());
    this.#last = this.#moments.advance(whole);
    return this.#last;
  }

  #prune(): void {
    if (this.#read < STORED) return;
    this.#read = 0;
    const run = async (): Promise<void> => {
      for (const query of PRUNE) await this.#run(query, []);
    };
    run().catch(() => {});
  }
}

function toFunction(table: string): string {
  const name = FUNCTION + table;
  return name.length <= NAME_LENGTH ? name : FUNCTION + createHash('sha256').update(table).digest('hex').slice(0, 32);
}

/**
 * Notes the rows of a statement in one row, so writers never wait for each other. A column that a hand renamed or dropped fails
 * no write: then any row counts. `security definer` lets a user with another login write a table.
 */
function buildFunctionBody(schema: string, { columns }: CountedTable): string {
  const list = columns.map((column) => `coalesce(${toLiteral(` ${column}#`)} || r.${quote(column)}, '')`);
  const from = (table: string): string =>
    `(select ${list.join(' || ') || "''"} as t from ${table} as r limit ${MOST_ROWS + 1})`;
  const gather = (rows: string): string =>
    `select count(*), string_agg(t, '') into many, noted from (${rows}) as noted_rows`;
  return `declare many bigint := ${MOST_ROWS + 1}; noted text;
begin
  begin
    if tg_op = 'INSERT' then ${gather(from('added'))};
    elsif tg_op = 'UPDATE' then ${gather(`${from('added')} union ${from('gone')}`)};
    elsif tg_op = 'DELETE' then ${gather(from('gone'))};
    end if;
  exception when undefined_column then many := ${MOST_ROWS + 1};
  end;
  if many > 0 then
    insert into ${quote(schema)}.${CHANGE_TABLE} (tx, name, tags)
      values (txid_current(), tg_relid::text, case when many <= ${MOST_ROWS} then noted end);
  end if;
  return null;
end`;
}

const REFERENCING: Readonly<Record<(typeof CHANGES)[number], string>> = {
  insert: 'referencing new table as added ',
  update: 'referencing new table as added old table as gone ',
  delete: 'referencing old table as gone ',
  truncate: '',
};

/** The triggers of a table, each made again. */
const listTriggers = ({ name, columns }: CountedTable): string[] =>
  CHANGES.flatMap((change) => [
    `drop trigger if exists ${toTrigger(change)} on ${quote(name)}`,
    `create trigger ${toTrigger(change)} after ${change} on ${quote(name)} ${REFERENCING[change]}for each statement execute function ${quote(toFunction(name))}(${columns.map(toLiteral).join(', ')})`,
  ]);

/** Tables with all triggers, and the text of their function. */
const TRACKED = `select c.relname::text as name, max(p.prosrc) as body from pg_catalog.pg_trigger t
  join pg_catalog.pg_class c on c.oid = t.tgrelid join pg_catalog.pg_proc p on p.oid = t.tgfoid
  where t.tgname in (${TRIGGERS}) and c.relnamespace = current_schema()::regnamespace
    and p.pronamespace = c.relnamespace and to_regclass('${CHANGE_TABLE}') is not null
  group by c.relname having count(*) = ${CHANGES.length} and count(distinct p.oid) = 1`;

/** Functions of tables that are gone. */
const UNUSED = `select p.proname::text as name from pg_catalog.pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proname like '${FUNCTION.replaceAll('_', '\\_')}%'
    and not exists (select 1 from pg_catalog.pg_trigger t where t.tgfoid = p.oid)`;

/** What an earlier release counted with. */
const FORMER = [`drop function if exists ${VERSION_TABLE}_note() cascade`, `drop table if exists ${VERSION_TABLE}`];

/** Creates the table of writes and the missing triggers, and removes those of an earlier release. */
export async function trackPostgresTables(database: Database, tables: readonly CountedTable[]): Promise<void> {
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  const schema = String((await run('select current_schema()::text as name'))[0]?.name);
  const listMissing = async (): Promise<CountedTable[]> => {
    const there = new Map((await run(TRACKED)).map(({ name, body }) => [name, body]));
    return tables.filter((table) => there.get(table.name) !== buildFunctionBody(schema, table));
  };
  if ((await listMissing()).length === 0) return;
  await database.restructure(
    async () => {
      for (const text of FORMER) await run(text);
      await run(`create table if not exists ${CHANGE_TABLE} (tx bigint not null, name text not null, tags text)`);
      await run(`create index if not exists ${CHANGE_TABLE}_tx on ${CHANGE_TABLE} (tx)`);
      const missing = await listMissing();
      for (const table of missing) {
        const body = toLiteral(buildFunctionBody(schema, table));
        await run(
          `create or replace function ${quote(toFunction(table.name))}() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as ${body}`,
        );
      }
      for (const batch of groupBatches(missing.flatMap(listTriggers), isBatchable)) await runBatch(database, batch);
      for (const { name } of await run(UNUSED)) await run(`drop function ${quote(String(name))}()`);
    },
    false,
    'migration',
  );
}

/** Changes the version of every table, in the transaction of the change that affects query results. */
export async function touchPostgresTables(database: Database): Promise<void> {
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  const [found] = await run(`select to_regclass('${CHANGE_TABLE}') is not null as "isThere"`);
  if (found?.isThere !== true && Number(found?.isThere) !== 1) return;
  await run(`insert into ${CHANGE_TABLE} (tx, name) values (txid_current(), '${EVERY}')`);
}
