import { CompiledQuery } from 'kysely';
import { currentScope } from '../../core/scope.ts';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { groupBatches, isBatchable, runBatch } from '../schema-batch.ts';
import { quote, toLiteral } from '../table-sql.ts';
import {
  CHANGE_TABLE,
  type CountedTable,
  PLANNER_TABLE,
  STATISTICS_TABLE,
  type TableVersions,
  type TableWrite,
  VERSION_TABLE,
  WriteMoments,
} from '../version/table-version.ts';
import { restructureMany } from './schema-shelf.ts';

const PREFIX = `${VERSION_TABLE.replaceAll('_', '\\_')}\\_%`;
const TRIGGERS = `select name, tbl_name as "table", sql from sqlite_schema
  where type = 'trigger' and name like '${PREFIX}' escape '\\'`;
const UNIQUE = `select name, tbl_name as "table" from sqlite_schema where type = 'index' and sql like 'create unique %'`;
const STRUCTURE = 'pragma schema_version';
/** Writes that are kept, however many follow; processes that are further behind learn of tables only. */
const STORED = 1024;
/** From this number on a process that reads them drops the others. */
const MOST_STORED = 4096;
/** The structure, the number of the last write, and the writes after `?`. */
const CHANGES = `select s.structure, s.last, c.id, c.name, c.tags from
  (select (select schema_version from pragma_schema_version) as structure, (select max(id) from ${CHANGE_TABLE}) as last) as s
  left join ${CHANGE_TABLE} as c on c.id > ? order by c.id limit ${MOST_STORED}`;
const TABLES = `select name from ${CHANGE_TABLE} where id > ? group by name`;
const TABLE = `create table if not exists ${CHANGE_TABLE} (id integer primary key, name text, tags text)`;

/**
 * Which old writes are dropped. The last of each table stays: if writes are missing, those that are there name all of the tables.
 * The last of all stays, so that no number is given again.
 */
const OLD = `c.id <= (select max(id) from ${CHANGE_TABLE}) - ${STORED} and c.id not in
  (select max(id) from ${CHANGE_TABLE} where id <= (select max(id) from ${CHANGE_TABLE}) - ${STORED} group by name)`;
const PRUNE = `delete from ${CHANGE_TABLE} as c where ${OLD}`;
const HAS_STATISTICS = `select 1 as found from sqlite_schema where type = 'table' and name = '${STATISTICS_TABLE}'`;
/** Counts them for the planner's statistics, unless they are from before the last count of their table. */
const COUNT_DROPPED = `insert into ${STATISTICS_TABLE} (id, rows, changed, at, begun, dropped)
  select c.name, 0, 0, 0, 0, count(*) from ${CHANGE_TABLE} as c left join ${STATISTICS_TABLE} as s on s.id = c.name
    where ${OLD} and c.id > coalesce(s.changed, 0) and c.name not in ('', '${PLANNER_TABLE}') group by c.name
  on conflict (id) do update set dropped = dropped + excluded.dropped`;

const isSame = (column: string): string => `${quote(column)} = new.${quote(column)}`;

/** A value of a row as `column#value`, with a space before it; nothing for null. */
const toValue = (row: string, column: string): string =>
  `coalesce(${toLiteral(` ${column}#`)} || ${row}.${quote(column)}, '')`;

/** Tests whether another row has a unique value of the new row: `replace` would remove it without its trigger. */
function listReplaced({ name, primary, unique }: CountedTable): { readonly by: string; readonly test: string }[] {
  const lists = [...(primary === undefined ? [] : [{ columns: [primary], only: undefined }]), ...Object.values(unique)];
  return lists.map(({ columns, only }) => {
    const own = only === undefined ? [] : [only];
    // SQLite uses a partial index only for a statement with its condition.
    const tests = [...columns.map(isSame), ...own.map((column) => `${quote(column)} = 1`)];
    return {
      by: [...columns, ...own].map((column) => `old.${quote(column)} is not new.${quote(column)}`).join(' or '),
      test: `exists (select 1 from ${quote(name)} where ${tests.join(' and ')})`,
    };
  });
}

/**
 * The triggers that note a table's writes: name to text as SQLite stores it. The comment of the first says what all are made of,
 * for processes that only read. A single insert without a constraint that could fail: SQLite needs no journal for it. Of several
 * columns as the primary key each is noted, so that a row which replaces another notes the same.
 */
function buildTriggers(table: CountedTable): Map<string, string> {
  const { name, columns } = table;
  const list = (row: string): string => columns.map((column) => toValue(row, column)).join(' || ') || "''";
  const moved = columns.map(
    (column) => `case when old.${quote(column)} is not new.${quote(column)} then ${toValue('old', column)} else '' end`,
  );
  const note = (tags: string): string =>
    `BEGIN INSERT INTO ${CHANGE_TABLE} (name, tags) VALUES (${toLiteral(name)}, ${tags}); END`;
  const events: [change: string, when: string, body: string][] = [
    ['insert', 'AFTER insert', `/* ${JSON.stringify(table)} */ ${note(list('new'))}`],
    ['update', 'AFTER update', note([list('new'), ...moved].join(' || '))],
    ['delete', 'AFTER delete', note(list('old'))],
  ];
  const replaced = listReplaced(table);
  if (replaced.length > 0) {
    const over = replaced.map(({ test }) => test).join(' or ');
    const onto = replaced.map(({ by, test }) => `(${by}) and ${test}`).join(' or ');
    events.push(['over', 'BEFORE insert', `WHEN ${over} ${note('null')}`]);
    events.push(['onto', 'BEFORE update', `WHEN ${onto} ${note('null')}`]);
  }
  return new Map(
    events.map(([change, when, body]) => {
      const own = `${VERSION_TABLE}_${name}_${change}`;
      return [own, `CREATE TRIGGER ${quote(own)} ${when} ON ${quote(name)} ${body}`];
    }),
  );
}

const COMMENT = /\/\* (\{.*?\}) \*\/ /;

/** What a trigger says that it is made of. */
function parseTrigger(text: unknown): CountedTable | undefined {
  const comment = COMMENT.exec(String(text))?.[1];
  if (comment === undefined) return undefined;
  try {
    return JSON.parse(comment);
  } catch {
    return undefined;
  }
}

/** The tables with all of their triggers up to date, with the noted columns: none if `replace` may remove rows unnoticed. */
function listTracked(triggers: readonly Row[], unique: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const there = new Map(triggers.map(({ name, sql }) => [name, sql]));
  const tracked = new Map<string, ReadonlySet<string>>();
  for (const { name, table, sql } of triggers) {
    const made = String(name).endsWith('_insert') ? parseTrigger(sql) : undefined;
    if (made === undefined || made.name !== table) continue;
    if (![...buildTriggers(made)].every(([own, text]) => there.get(own) === text)) continue;
    const isKnown = unique.every((index) => index.table !== table || Object.hasOwn(made.unique, String(index.name)));
    tracked.set(made.name, new Set(isKnown ? made.columns : []));
  }
  return tracked;
}

function toWrite({ name, tags }: Row): TableWrite {
  const table = name === '' ? undefined : String(name);
  return { table, values: tags === null ? undefined : String(tags).split(' ').filter(Boolean) };
}

/** Runs a statement on one connection, which never writes. */
type Query = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

interface SqliteTableVersionsOptions {
  readonly database: Database;
  /** Statement with a result that changes after each commit. */
  readonly signal: string;
  readonly query: Query;
  /** Called when any process has changed the planner's statistics, which open connections do not notice. */
  readonly planAgain: () => void;
}

/** Reads what was written. */
export class SqliteTableVersions {
  readonly #options: SqliteTableVersionsOptions;
  readonly #moments = new WriteMoments();
  #last: TableVersions | undefined;
  /** The number of the last write. */
  #seen = 0;
  /** The number of the last write when old ones were dropped. */
  #pruned = 0;
  #structure: unknown;
  #isTracking = false;

  constructor(options: SqliteTableVersionsOptions) {
    this.#options = options;
  }

  /** Must not be called concurrently. */
  async read(): Promise<TableVersions> {
    const [row] = await this.#options.query(this.#options.signal);
    const whole = String(Object.values(row ?? {})[0]);
    // Writes are read after the signal: they include commits in between, and then the next signal differs.
    if (this.#last?.whole !== whole) {
      const writes = await this.#readWrites();
      if (writes.some(({ table }) => table === PLANNER_TABLE)) this.#options.planAgain();
      this.#last = this.#moments.advance(whole, writes);
    }
    return this.#last;
  }

  async #readWrites(): Promise<readonly TableWrite[]> {
    const { query } = this.#options;
    try {
      let rows = this.#isTracking ? await query(CHANGES, [this.#seen]) : [];
      const structure = rows[0]?.structure ?? (await query(STRUCTURE))[0]?.schema_version;
      if (structure === this.#structure) return this.#isTracking ? await this.#toWrites(rows) : [];
      // Whoever changed the structure may have written statistics since connections read it.
      if (this.#structure !== undefined) this.#options.planAgain();
      const tracked = listTracked(await query(TRIGGERS), await query(UNIQUE));
      this.#moments.restart(tracked);
      this.#isTracking = tracked.size > 0;
      if (this.#isTracking) rows = await query(CHANGES, [Number.MAX_SAFE_INTEGER]);
      this.#structure = structure;
      this.#see(Number(rows[0]?.last ?? 0));
    } catch {
      // If the table of writes is gone, the whole version still works.
      this.#moments.restart(new Map());
      this.#isTracking = false;
      this.#structure = undefined;
    }
    return [];
  }

  async #toWrites(rows: readonly Row[]): Promise<readonly TableWrite[]> {
    const seen = this.#seen;
    const last = Number(rows[0]?.last ?? 0);
    this.#see(last);
    // Somebody emptied the table.
    if (last < seen) return [{ table: undefined, values: undefined }];
    const found = rows.filter(({ id }) => id !== null);
    if (found.length === last - seen) return found.map(toWrite);
    // Some were dropped, or they are too many.
    const names = await this.#options.query(TABLES, [seen]);
    return names.map(({ name }) => toWrite({ name, tags: null }));
  }

  #see(last: number): void {
    this.#seen = last;
    if (last - this.#pruned < MOST_STORED) return;
    this.#pruned = last;
    void currentScope.run({}, () => pruneSqliteChanges(this.#options.database));
  }
}

const run = (database: Pick<Database, 'run'>, text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));

async function prune(database: Database): Promise<void> {
  if ((await run(database, HAS_STATISTICS)).length > 0) await run(database, COUNT_DROPPED);
  await run(database, PRUNE);
}

/** Drops old writes, also in the transaction of many. */
export const pruneSqliteChanges = (database: Database): Promise<void> =>
  database.write(() => prune(database), { isPatient: true }).catch(() => undefined);

/** Creates the missing triggers, and removes those of other tables, and those of an earlier release. */
export async function trackSqliteTables(database: Database, tables: readonly CountedTable[]): Promise<void> {
  const wanted = new Map(tables.flatMap((table) => [...buildTriggers(table)]));
  const compare = async () => {
    const there = new Map((await run(database, TRIGGERS)).map(({ name, sql }) => [String(name), sql]));
    return {
      missing: [...wanted].filter(([name, sql]) => there.get(name) !== sql),
      other: [...there].filter(([name, sql]) => wanted.get(name) !== sql).map(([name]) => name),
    };
  };
  const before = await compare();
  if (before.missing.length + before.other.length === 0) return;
  let changes = before;
  const check = async (): Promise<void> => {
    await run(database, TABLE);
    changes = await compare();
    for (const name of changes.other) await run(database, `drop trigger ${quote(name)}`);
    await run(database, `drop table if exists ${VERSION_TABLE}`);
  };
  await restructureMany(database, { objects: before.missing.length, check }, async (shelf) => {
    for (const texts of groupBatches(
      changes.missing.map(([, text]) => text),
      isBatchable,
    )) {
      await shelf?.before(texts);
      await runBatch(database, texts);
      await shelf?.after();
    }
  });
}

/** Changes the version of every table, in the transaction of the change that affects query results. */
export async function touchSqliteTables(database: Database): Promise<void> {
  const found = await run(
    database,
    `select 1 as found from sqlite_schema where type = 'table' and name = '${CHANGE_TABLE}'`,
  );
  if (found.length > 0) await run(database, `insert into ${CHANGE_TABLE} (name) values ('')`);
}
