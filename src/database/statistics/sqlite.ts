import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { quote } from '../table-sql.ts';
import { CHANGE_TABLE, PLANNER_TABLE, STATISTICS_TABLE, VERSION_TABLE } from '../version/table-version.ts';
import { isOutdated, LEAST_ROWS, type TableStatistics } from './rule.ts';

/** A table's statistics, and the writes since they were made. */
interface NotedTable extends TableStatistics {
  /** False if nobody ever counted its rows. */
  readonly isNoted: boolean;
}

/** Seconds after which another process may count a table that one has begun to count: that one has ended. */
const ABANDONED_SECONDS = 600;
/** Seconds between two counts of a table that nearly each write makes due, such as one with a counter of views. */
const PAUSE_SECONDS = 60;
/** Tables that one statement looks into. */
const PART = 100;

const run = (database: Database, text: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  database.run(CompiledQuery.raw(text, [...parameters]));

const OWN_TABLES = [CHANGE_TABLE, STATISTICS_TABLE, PLANNER_TABLE];

/** Which of the tables with counts and statistics exist. */
async function listOwn(database: Database): Promise<ReadonlySet<string>> {
  const text = "select name from sqlite_schema where type = 'table' and name in (select value from json_each(?))";
  return new Set((await run(database, text, [JSON.stringify(OWN_TABLES)])).map(({ name }) => String(name)));
}

/** The tables with noted writes. */
const NOTED = `select distinct tbl_name as name from sqlite_schema
  where type = 'trigger' and name like '${VERSION_TABLE.replaceAll('_', '\\_')}\\_%' escape '\\'`;
/** The number of the last write of all. */
const LAST = `coalesce((select max(id) from ${CHANGE_TABLE}), 0)`;

/** The statistics of every table with noted writes. */
async function readCounted(database: Database): Promise<readonly NotedTable[]> {
  const own = await listOwn(database);
  if (!own.has(CHANGE_TABLE)) return [];
  const text = own.has(STATISTICS_TABLE)
    ? `select v.name, nullif(s.at, 0) as noted, s.rows, s.at, coalesce(s.dropped, 0) + coalesce(w.written, 0) as written
        from (${NOTED}) v left join ${STATISTICS_TABLE} s on s.id = v.name
        left join (select c.name, count(*) as written from ${CHANGE_TABLE} c left join ${STATISTICS_TABLE} o on o.id = c.name
          where c.id > coalesce(o.changed, 0) group by c.name) w on w.name = v.name order by v.name`
    : `select v.name, null as noted, 0 as rows, 0 as at, coalesce(w.written, 0) as written
        from (${NOTED}) v left join (select name, count(*) as written from ${CHANGE_TABLE} group by name) w on w.name = v.name
        order by v.name`;
  return (await run(database, text)).map((row) => ({
    table: String(row.name),
    rows: Number(row.rows ?? 0),
    at: Number(row.at ?? 0) === 0 ? undefined : Number(row.at),
    written: Number(row.written),
    isNoted: row.noted !== null,
  }));
}

/** Tables with {@link LEAST_ROWS}. */
async function listLarge(database: Database, tables: readonly string[]): Promise<string[]> {
  const large: string[] = [];
  for (let start = 0; start < tables.length; start += PART) {
    const part = tables.slice(start, start + PART);
    const one = (name: string, at: number): string =>
      `select ${at} as at where (select count(*) from (select 1 from ${quote(name)} limit ${LEAST_ROWS})) = ${LEAST_ROWS}`;
    const found = await run(database, part.map(one).join(' union all '));
    large.push(...found.flatMap(({ at }) => part[Number(at)] ?? []));
  }
  return large;
}

/** Tables with an index that the statistics lack. An index of expressions has none. */
async function listLacking(database: Database): Promise<ReadonlySet<string>> {
  if (!(await listOwn(database)).has(PLANNER_TABLE)) return new Set();
  const text = `select distinct i.tbl_name as name from sqlite_schema i
    left join ${PLANNER_TABLE} s on s.tbl = i.tbl_name and s.idx = i.name
    where i.type = 'index' and s.idx is null
      and not exists (select 1 from pragma_index_info(i.name) c where c.name is null)`;
  return new Set((await run(database, text)).map(({ name }) => String(name)));
}

export interface DueOptions {
  /** Unix seconds. */
  readonly now: number;
  /** True to look also for rows and indexes that no counter shows, such as those of a restored database. */
  readonly isThorough: boolean;
}

/** Tables whose rows should be counted. */
export async function listDueOnSqlite(database: Database, { now, isThorough }: DueOptions): Promise<string[]> {
  const counted = await readCounted(database);
  const isPausing = ({ at = 0, rows, written }: NotedTable): boolean => now - at < PAUSE_SECONDS && written < rows;
  const due = new Set(counted.filter((one) => isOutdated(one) && !isPausing(one)).map(({ table }) => table));
  if (isThorough) {
    const unknown = counted.filter(({ isNoted, table }) => !isNoted && !due.has(table)).map(({ table }) => table);
    for (const table of await listLarge(database, unknown)) due.add(table);
    const lacking = await listLacking(database);
    for (const { table, rows } of counted) if (rows >= LEAST_ROWS && lacking.has(table)) due.add(table);
  }
  return [...due];
}

export const readSqliteStatistics = (database: Database): Promise<readonly TableStatistics[]> => readCounted(database);

/** Creates the tables that hold the statistics. */
async function makeTables(database: Database): Promise<void> {
  const own = await listOwn(database);
  if (own.has(STATISTICS_TABLE) && own.has(PLANNER_TABLE)) return;
  await database.restructure(async () => {
    await run(
      database,
      `create table if not exists ${STATISTICS_TABLE} (id text primary key not null, rows integer not null, changed integer not null, at integer not null, begun integer not null, dropped integer not null default 0) without rowid`,
    );
    // Of SQLite's own table, which has no rows to count: this only creates the table of statistics.
    await run(database, 'analyze sqlite_schema');
  });
}

/** Of these tables those that no other process is counting, or has counted in this second; notes that this one does. */
export async function claimTables(database: Database, tables: readonly string[], now: number): Promise<string[]> {
  await makeTables(database);
  const rows = await database.write(
    () =>
      run(
        database,
        `insert into ${STATISTICS_TABLE} (id, rows, changed, at, begun) select value, 0, 0, 0, ? from json_each(?) where true
          on conflict (id) do update set begun = excluded.begun where begun < excluded.begun - ${ABANDONED_SECONDS} and at < excluded.begun returning id`,
        [now, JSON.stringify(tables)],
      ),
    { isPatient: true },
  );
  return rows.map(({ id }) => String(id));
}

/** Leaves tables that this process did not count to the next look. */
export async function releaseTables(database: Database, tables: readonly string[]): Promise<void> {
  const text = `update ${STATISTICS_TABLE} set begun = 0 where id in (select value from json_each(?))`;
  if (tables.length > 0) await database.write(() => run(database, text, [JSON.stringify(tables)]));
}

interface IndexParts {
  readonly name: string;
  readonly isUnique: boolean;
  /** Undefined for an expression. */
  readonly columns: readonly (string | undefined)[];
  /** The condition of a partial index; empty for an index of all rows. */
  readonly test: string;
}

async function listIndexes(database: Database, table: string): Promise<readonly IndexParts[]> {
  const text = `select l.name, l."unique", l.partial, i.name as "column", s.sql from pragma_index_list(?) l
    join pragma_index_info(l.name) i left join sqlite_schema s on s.type = 'index' and s.name = l.name order by l.name, i.seqno`;
  const found = new Map<string, IndexParts>();
  for (const row of await run(database, text, [table])) {
    const name = String(row.name);
    // The text is the database's own: it made the index of it.
    const test = Number(row.partial) === 1 ? (/\)\s*(where\b.*)$/is.exec(String(row.sql))?.[1] ?? '') : '';
    const isUnknown = Number(row.partial) === 1 && test === '';
    const column = row.column === null || isUnknown ? undefined : String(row.column);
    const columns = [...(found.get(name)?.columns ?? []), column];
    found.set(name, { name, isUnique: Number(row.unique) === 1, columns, test });
  }
  return [...found.values()].filter(({ columns }) => !columns.includes(undefined));
}

/** One line of SQLite's statistics. */
interface PlannerLine {
  /** Null for a table without an index of all rows. */
  readonly index: string | null;
  /** Rows of the index, then for its first column, its first two and so on: the mean number of rows with the same values. */
  readonly stat: string;
}

/** The mean as SQLite's own `analyze` rounds it. */
function toMean(rows: number, distinct: number): number {
  const mean = Math.ceil(rows / Math.max(distinct, 1));
  return mean === 2 && rows * 10 <= distinct * 11 ? 1 : mean;
}

interface TableCount {
  readonly rows: number;
  /** The number of the last write at the same moment. */
  readonly changed: number;
  readonly lines: readonly PlannerLine[];
}

/**
 * Counts a table's rows and the different values of its indexes, as `analyze` does. `analyze` itself would hold the only writer
 * for 150 ms at 300,000 rows and six indexes, and with `analysis_limit` it takes a flag that 200,000 rows have for one that a few
 * thousand have, so that the planner goes on reading all of them.
 *
 * @param isOver Asked between two statements; true to give up.
 */
async function countTable(database: Database, table: string, isOver: () => boolean): Promise<TableCount | undefined> {
  const count = async (text: string): Promise<number> => Number((await run(database, text))[0]?.n ?? 0);
  const [version] = await run(database, `select ${LAST} as changed`);
  const changed = Number(version?.changed ?? 0);
  const rows = await count(`select count(*) as n from ${quote(table)}`);
  const lines: PlannerLine[] = [];
  if (rows < LEAST_ROWS) return { rows, changed, lines };
  for (const { name, columns, isUnique, test } of await listIndexes(database, table)) {
    const from = `from ${quote(table)} ${test}`;
    const own = test === '' ? rows : await count(`select count(*) as n ${from}`);
    const means: number[] = [];
    for (let length = 1; length <= columns.length; length += 1) {
      if (isOver()) return undefined;
      const list = columns.slice(0, length).map((column) => quote(String(column)));
      const isWhole = isUnique && length === columns.length;
      means.push(
        isWhole
          ? 1
          : toMean(own, await count(`select count(*) as n from (select distinct ${list.join(', ')} ${from})`)),
      );
    }
    lines.push({ index: name, stat: [Math.max(own, 1), ...means].join(' ') });
  }
  return { rows, changed, lines: lines.length > 0 ? lines : [{ index: null, stat: String(rows) }] };
}

async function store(
  database: Database,
  table: string,
  { rows, changed, lines }: TableCount,
  now: number,
): Promise<void> {
  await run(database, `delete from ${PLANNER_TABLE} where tbl = ? or tbl not in (select name from sqlite_schema)`, [
    table,
  ]);
  // An index may be gone by now.
  await run(
    database,
    `insert into ${PLANNER_TABLE} (tbl, idx, stat) select ?, value->>'index', value->>'stat' from json_each(?)
      where value->>'index' is null or value->>'index' in (select name from sqlite_schema where type = 'index')`,
    [table, JSON.stringify(lines)],
  );
  await run(database, `delete from ${STATISTICS_TABLE} where id not in (select name from sqlite_schema)`);
  await run(
    database,
    `update ${STATISTICS_TABLE} set rows = ?, changed = ?, at = ?, begun = 0, dropped = 0 where id = ?`,
    [rows, changed, now, table],
  );
  // Tells every process: see `SqliteTableVersions`.
  await run(database, `insert into ${CHANGE_TABLE} (name) values ('${PLANNER_TABLE}')`);
}

/**
 * Counts on a reading connection of its own, and writes a few lines: no request waits for it longer than for another commit.
 * Gives false if it gave up.
 */
export async function countOnSqlite(
  database: Database,
  table: string,
  { now, isOver }: { readonly now: number; readonly isOver: () => boolean },
): Promise<boolean> {
  const counted = await database.snapshot(() => countTable(database, table, isOver));
  if (counted === undefined) return false;
  await database.write(() => store(database, table, counted, now), { isPatient: true });
  return true;
}
