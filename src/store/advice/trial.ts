import { CompiledQuery } from 'kysely';
import { systemClock } from '../../core/clock.ts';
import { silentLog } from '../../core/log/log.ts';
import type { Database } from '../../database/database.ts';
import { createIndexSql } from '../../database/index/index-sql.ts';
import { openDatabase } from '../../database/open.ts';
import type { Row } from '../../database/row-statement.ts';
import { createTables, type TableIndex } from '../../database/table.ts';
import { listSources } from '../../database/version/read-note.ts';
import type { IndexColumn } from '../../model/model.ts';
import type { ReadPlan } from './plan.ts';
import { type ExplainedRead, explainRead, readStatistics } from './read-plan.ts';
import type { IndexStatistics } from './sqlite-plan.ts';

/** How many times fewer rows a column is taken to leave whose values nobody has counted. */
const UNCOUNTED_SHARE = 10;

const raw = (text: string, parameters: readonly unknown[] = []): CompiledQuery =>
  CompiledQuery.raw(text, [...parameters]);

/**
 * What `analyze` would count of the new index: as the index of each column says, and never more than the columns before it
 * leave. Undefined without statistics.
 */
export function guessFigures(
  columns: readonly string[],
  indexes: ReadonlyMap<string, readonly string[]>,
  statistics: IndexStatistics,
): readonly number[] | undefined {
  const [all] = [...statistics.values()][0] ?? [];
  if (all === undefined) return undefined;
  const figures = [all];
  for (const [at, column] of columns.entries()) {
    const last = figures.at(-1) ?? all;
    const start = columns.slice(0, at);
    // An index that ends with the column has counted it, together with those before.
    const known = [...indexes].flatMap(([index, names]) => {
      const place = names.indexOf(column);
      const figure = statistics.get(index)?.[place + 1];
      return place < 0 || figure === undefined
        ? []
        : [{ figure, isSame: names.slice(0, place).every((n) => start.includes(n)) }];
    });
    const counted = known.filter(({ isSame }) => isSame).map(({ figure }) => (last * figure) / all);
    const share = counted.length === 0 ? last / UNCOUNTED_SHARE : Math.max(...counted);
    figures.push(Math.max(1, Math.min(last, Math.round(share))));
  }
  return figures;
}

/** The tables and indexes of some tables. */
async function listStructure(database: Database, tables: readonly string[]): Promise<Row[]> {
  const text = `select type, name, tbl_name, sql from sqlite_schema where sql is not null and type in ('table', 'index')
    and tbl_name in (select value from json_each(?)) order by type desc`;
  return database.run(raw(text, [JSON.stringify(tables)]));
}

/** Copies the structure and the statistics of some tables, without a row. */
async function copyStructure(database: Database, copy: Database, tables: readonly string[]): Promise<void> {
  for (const { sql } of await listStructure(database, tables)) await copy.run(raw(String(sql)));
  // Makes the table of the statistics.
  await copy.run(raw('analyze'));
  for (const table of tables) {
    for (const [index, figures] of await readStatistics(database, table))
      await addFigures(copy, table, index === '' ? null : index, figures);
  }
}

async function addFigures(
  copy: Database,
  table: string,
  index: string | null,
  figures: readonly number[],
): Promise<void> {
  const text = 'insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)';
  await copy.run(raw(text, [table, index, figures.join(' ')]));
}

/** The columns of each index of a table. */
async function listIndexColumns(database: Database, table: string): Promise<Map<string, string[]>> {
  const text = `select i.name as name, c.name as column from pragma_index_list(?) as i, pragma_index_info(i.name) as c order by i.name, c.seqno`;
  const found = new Map<string, string[]>();
  for (const { name, column } of await database.run(raw(text, [table])))
    found.set(String(name), [...(found.get(String(name)) ?? []), String(column)]);
  return found;
}

/** Whether the planner took the new index, and reads or sorts less with it. */
function isBetter(before: ReadPlan, after: ReadPlan, name: string): boolean {
  if (after.index !== name) return false;
  const toRows = ({ rows = Number.POSITIVE_INFINITY }: ReadPlan): number => rows;
  return (before.isSorted && !after.isSorted) || toRows(after) <= toRows(before);
}

/** The index as a migration would create it. */
function findTableIndex({ model, schema }: ExplainedRead, columns: readonly IndexColumn[]): TableIndex | undefined {
  const added = { ...schema, indexes: [{ columns, where: [] }] };
  const schemas = new Map(model.schemas).set(schema.name, added);
  const tables = createTables({ ...model, schemas }, [], { dialect: 'sqlite' });
  return tables.find(({ name }) => name === schema.table)?.indexes.at(-1);
}

async function tryOn(
  copy: Database,
  database: Database,
  read: ExplainedRead,
  columns: readonly IndexColumn[],
): Promise<boolean> {
  const { table } = read.schema;
  const index = findTableIndex(read, columns);
  const before = await explainRead(copy, read);
  if (index === undefined || before === undefined) return false;
  await copy.run(raw(createIndexSql(table, index)));
  const statistics = await readStatistics(database, table);
  const figures = guessFigures(index.columns, await listIndexColumns(database, table), statistics);
  if (figures !== undefined) await addFigures(copy, table, index.name, figures);
  await copy.run(raw('analyze sqlite_schema'));
  const after = await explainRead(copy, read);
  return after !== undefined && isBetter(before, after, index.name);
}

/**
 * Whether SQLite would use an index for a statement: it plans on an empty copy of the tables with the statistics of the rows.
 * Undefined where that cannot be tried: PostgreSQL plans by the pages of a table, too, which a copy does not have.
 */
export async function tryIndex(
  database: Database,
  read: ExplainedRead,
  columns: readonly IndexColumn[],
): Promise<boolean | undefined> {
  const tables = database.dialect === 'sqlite' ? listSources(read.sql) : undefined;
  if (tables === undefined) return undefined;
  const copy = await openDatabase({ url: 'sqlite::memory:', root: '/', log: silentLog, clock: systemClock });
  try {
    await copyStructure(database, copy, tables);
    await copy.run(raw('analyze sqlite_schema'));
    return await tryOn(copy, database, read, columns);
  } finally {
    await copy.close();
  }
}
