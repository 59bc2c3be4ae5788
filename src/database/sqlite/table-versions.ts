import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { groupBatches, isBatchable, runBatch } from '../schema-batch.ts';
import { quote, toLiteral } from '../table-sql.ts';
import { createTableVersions, PLANNER_TABLE, type TableVersions, VERSION_TABLE } from '../table-version.ts';
import { restructureMany } from './schema-shelf.ts';

const CHANGES = ['insert', 'update', 'delete'] as const;
const TRIGGERS = `select name, tbl_name as "table", sql from sqlite_schema
  where type = 'trigger' and name like '${VERSION_TABLE.replaceAll('_', '\\_')}\\_%' escape '\\'`;
const STRUCTURE = 'pragma schema_version';
const COUNTS = `select (select schema_version from pragma_schema_version) as structure, id, changed from ${VERSION_TABLE}`;
const NONE: ReadonlySet<string> = new Set();
const UNREAD = Symbol('unread');

/**
 * The triggers that count a table's writes: name to text as SQLite stores it. All processes share one row per
 * table, since SQLite has only one writer anyway.
 */
function buildTriggers(table: string): Map<string, string> {
  return new Map(
    CHANGES.map((change) => {
      const name = `${VERSION_TABLE}_${table}_${change}`;
      const text = `CREATE TRIGGER ${quote(name)} AFTER ${change} ON ${quote(table)} BEGIN UPDATE ${VERSION_TABLE} SET changed = changed + 1 WHERE id = ${toLiteral(table)}; END`;
      return [name, text];
    }),
  );
}

/** Tables with all of their triggers up to date. */
function listTracked(triggers: readonly Row[]): ReadonlySet<string> {
  const there = new Map(triggers.map(({ name, sql }) => [name, sql]));
  const tables = new Set(triggers.map(({ table }) => String(table)));
  return new Set(
    [...tables].filter((table) => [...buildTriggers(table)].every(([name, sql]) => there.get(name) === sql)),
  );
}

/** Reads the versions on one connection, which never writes. */
export class SqliteTableVersions {
  readonly #query: (sql: string) => Promise<readonly Row[]>;
  readonly #signal: string;
  #last: TableVersions | undefined;
  #structure: unknown;
  #tracked = NONE;
  /** How often the planner's statistics changed. */
  #counted: unknown = UNREAD;
  readonly #planAgain: () => void;

  /**
   * @param signal Statement with a result that changes after each commit.
   * @param planAgain Called when any process has changed the planner's statistics, which open connections do not notice.
   */
  constructor(query: (sql: string) => Promise<readonly Row[]>, signal: string, planAgain: () => void) {
    this.#query = query;
    this.#signal = signal;
    this.#planAgain = planAgain;
  }

  /** Must not be called concurrently. */
  async read(): Promise<TableVersions> {
    const [row] = await this.#query(this.#signal);
    const whole = String(Object.values(row ?? {})[0]);
    // Counts are read after the signal: they include commits in between, and then the next signal differs.
    if (this.#last?.whole !== whole) this.#last = await this.#readTables(whole);
    return this.#last;
  }

  async #readTables(whole: string): Promise<TableVersions> {
    let counts: readonly Row[] = [];
    try {
      if (this.#tracked.size > 0) counts = await this.#query(COUNTS);
      const structure = counts[0]?.structure ?? (await this.#query(STRUCTURE))[0]?.schema_version;
      if (structure !== this.#structure) {
        this.#tracked = listTracked(await this.#query(TRIGGERS));
        this.#structure = structure;
        counts = this.#tracked.size > 0 ? await this.#query(COUNTS) : [];
      }
    } catch {
      // If the table of counts is gone, the whole version still works.
      this.#tracked = NONE;
      this.#structure = undefined;
      counts = [];
    }
    this.#notePlanner(counts);
    const versions = counts.flatMap(({ id, changed }): [string, string][] =>
      this.#tracked.has(String(id)) ? [[String(id), `${String(id)}:${String(changed)}`]] : [],
    );
    return createTableVersions(whole, String(this.#structure), new Map(versions));
  }

  #notePlanner(counts: readonly Row[]): void {
    const counted = counts.find(({ id }) => id === PLANNER_TABLE)?.changed;
    const isOther = this.#counted !== UNREAD && counted !== this.#counted;
    this.#counted = counted;
    if (isOther) this.#planAgain();
  }
}

/** Creates the missing triggers, and removes those of other tables. */
export async function trackSqliteTables(database: Database, tables: readonly string[]): Promise<void> {
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  const wanted = new Map(tables.flatMap((table) => [...buildTriggers(table)]));
  const compare = async () => {
    const there = new Map((await run(TRIGGERS)).map(({ name, sql }) => [String(name), sql]));
    return {
      missing: [...wanted].filter(([name, sql]) => there.get(name) !== sql),
      other: [...there].filter(([name, sql]) => wanted.get(name) !== sql).map(([name]) => name),
    };
  };
  const before = await compare();
  if (before.missing.length + before.other.length === 0) return;
  let changes = before;
  const check = async (): Promise<void> => {
    await run(
      `create table if not exists ${VERSION_TABLE} (id text primary key not null, changed integer not null) without rowid`,
    );
    changes = await compare();
    for (const name of changes.other) await run(`drop trigger ${quote(name)}`);
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
    const rows = tables.map((table) => `(${toLiteral(table)}, 0)`).join(', ');
    if (tables.length > 0) await run(`insert or ignore into ${VERSION_TABLE} (id, changed) values ${rows}`);
  });
}

/** Changes the version of every table, in the transaction of the change that affects query results. */
export async function touchSqliteTables(database: Database): Promise<void> {
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  const found = await run(`select 1 as found from sqlite_schema where type = 'table' and name = '${VERSION_TABLE}'`);
  if (found.length > 0) await run(`update ${VERSION_TABLE} set changed = changed + 1`);
}
