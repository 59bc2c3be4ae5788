import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { WORDS_VERSION, type WordColumn } from '../model/words.ts';
import type { Database, Dialect, Row } from './database.ts';

import type { CompareTools, MigrationStep } from './migration-step.ts';
import type { Table } from './table.ts';
import {
  createWordsSql,
  dropWordsSql,
  fillWords,
  renameWordsSql,
  toWordsTable,
  toWordTarget,
  type WordTarget,
} from './words-table.ts';

/** Records how each search index was built; an index without a record is rebuilt. */
const MEMORY = 'treadle_words';

interface Memory {
  readonly columns: string;
  readonly version: number;
}

/** The existing search indexes. */
interface Found {
  readonly dialect: Dialect;
  readonly hasMemory: boolean;
  /** Existing index tables. */
  readonly tables: ReadonlySet<string>;
  readonly memory: ReadonlyMap<string, Memory>;
  /** Tables with an outdated index: it belonged to another table, or values change. */
  readonly stale: ReadonlySet<string>;
  /** Tables that the migration creates without rows. */
  readonly empty: ReadonlySet<string>;
}

/** A table with rows of a removed one takes a second statement. After renames a name may have rows of another table. */
function listEmpty(steps: readonly MigrationStep[]): Set<string> {
  if (steps.some(({ kind }) => kind === 'rename-table')) return new Set();
  const isEmpty = ({ kind, sql: lines, perform }: MigrationStep): boolean =>
    kind === 'create-table' && lines.length === 1 && perform === undefined;
  const others = steps.filter((step) => !isEmpty(step) && step.kind !== 'create-index' && step.kind !== 'add-key');
  const filled = new Set(others.map(({ table }) => table));
  return new Set(steps.flatMap((step) => (isEmpty(step) && !filled.has(step.table) ? [step.table] : [])));
}

async function readFound(
  { structure, kysely }: CompareTools,
  { stale, empty }: Pick<Found, 'stale' | 'empty'>,
): Promise<Found> {
  const dialect: Dialect = kysely.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  const like = sql`like 'treadle\\_words\\_%\\_fts' escape '\\'`;
  const tables =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name ${like} order by name`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = current_schema() and table_name ${like} order by table_name`;
  const hasMemory = structure.tables.has(MEMORY);
  const memory = hasMemory ? await kysely.selectFrom(MEMORY).selectAll().execute() : [];
  return {
    dialect,
    hasMemory,
    stale,
    empty,
    tables: new Set((await tables.execute(kysely)).rows.map(({ name }) => name)),
    memory: new Map(
      memory.map(({ name, columns, version }) => [
        String(name),
        { columns: String(columns), version: Number(version) },
      ]),
    ),
  };
}

const print = ({ isMarkup }: WordColumn, name: string): string => `${name}${isMarkup ? ' markup' : ''}`;

/** Columns and how their text is read, as recorded. */
const describe = ({ columns }: WordTarget): string =>
  columns
    .map((column) => print(column, column.name))
    .sort()
    .join(', ');

/** True if the index was built from these columns, under their current or former names. */
function isOf(known: Memory | undefined, { columns }: WordTarget, table: Table): boolean {
  if (known?.version !== WORDS_VERSION) return false;
  const kept = new Set(known.columns.split(', '));
  const former = new Map(table.columns.map(({ name, was = [] }) => [name, was]));
  return (
    kept.size === columns.length &&
    columns.every((column) =>
      [column.name, ...(former.get(column.name) ?? [])].some((name) => kept.has(print(column, name))),
    )
  );
}

async function remember(database: Database, target: WordTarget, kept: readonly string[]): Promise<void> {
  const columns = target.columns.filter(({ name }) => kept.includes(name));
  const values = { columns: describe({ ...target, columns }), version: WORDS_VERSION };
  await database.kysely
    .insertInto(MEMORY)
    .values({ name: toWordsTable(target.table), ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute();
}

async function forget({ kysely }: Database, name: string): Promise<void> {
  await kysely.deleteFrom(MEMORY).where('name', '=', name).execute();
}

const base = { kind: 'build-words', class: 'add', rowsAtRisk: 0, isNeeded: true } as const;

function buildStep(target: WordTarget, { tables, dialect, empty }: Found): MigrationStep {
  const { table } = target;
  const name = toWordsTable(table);
  const isThere = tables.has(name);
  const columns = target.columns.map((column) => column.name).join(', ');
  const lines = [...(isThere ? dropWordsSql(name, dialect) : []), ...createWordsSql(target, dialect)];
  return {
    ...base,
    table,
    words: `${isThere ? 'Rebuild' : 'Build'} the search index of ${table} (${columns}).`,
    sql: lines,
    // On PostgreSQL the GIN index is created after the words are inserted, which is several times faster.
    performAfter: dialect === 'postgres' ? lines.length - 1 : lines.length,
    perform: async (database) =>
      remember(database, target, empty.has(table) ? listNames(target) : await fillWords(database, target)),
  };
}

function renameStep(target: WordTarget, was: string, { dialect }: Found): MigrationStep {
  return {
    ...base,
    table: target.table,
    words: `Rename the search index of ${was} to that of ${target.table}.`,
    sql: renameWordsSql(was, target, dialect),
    perform: async (database) => {
      await forget(database, toWordsTable(was));
      await remember(database, target, listNames(target));
    },
  };
}

const listNames = ({ columns }: WordTarget): string[] => columns.map(({ name }) => name);

function dropStep(name: string, { dialect }: Found): MigrationStep {
  const table = name.slice('treadle_words_'.length, -'_fts'.length);
  return {
    ...base,
    class: 'change',
    table,
    words: `Drop the unused search index of ${table}.`,
    sql: dropWordsSql(name, dialect),
    perform: (database) => forget(database, name),
    isNeeded: false,
  };
}

interface Compared {
  readonly step: MigrationStep;
  /** The existing index table to rename for this table. */
  readonly moved?: string;
}

/** The change that a table's index needs, if any. */
function compareOne(table: Table, target: WordTarget, found: Found, tools: CompareTools): Compared | undefined {
  const name = toWordsTable(table.name);
  if (found.stale.has(table.name)) return { step: buildStep(target, found) };
  const { memory, tables, dialect } = found;
  const actual = tools.structure.tables.get(table.name);
  if (tables.has(name)) {
    const known = memory.get(name);
    const isKept = dialect === 'postgres' || actual?.triggers.some((text) => text.includes(name)) === true;
    if (!isKept || !isOf(known, target, table)) return { step: buildStep(target, found) };
    return known?.columns === describe(target) ? undefined : { step: rememberStep(target) };
  }
  const was = actual === undefined ? table.was?.find((former) => tables.has(toWordsTable(former))) : undefined;
  if (was === undefined || !isOf(memory.get(toWordsTable(was)), target, table)) {
    return { step: buildStep(target, found) };
  }
  return { step: renameStep(target, was, found), moved: toWordsTable(was) };
}

/** Only column names changed; the words stay the same. */
function rememberStep(target: WordTarget): MigrationStep {
  return {
    ...base,
    table: target.table,
    words: `Record the renamed columns of the search index of ${target.table}.`,
    sql: [],
    perform: (database) => remember(database, target, listNames(target)),
  };
}

function createMemory(kysely: Kysely<Record<string, Row>>): MigrationStep {
  const create = kysely.schema
    .createTable(MEMORY)
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('columns', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull());
  const words = `Create the table ${MEMORY}, which records the search indexes.`;
  return { ...base, kind: 'create-table', table: MEMORY, words, sql: [create.compile().sql] };
}

/**
 * The steps that bring each search index up to date. They follow the steps of the tables.
 *
 * @param steps Steps of the tables: if a whole table is refused, its index waits.
 * @param stale Tables with an index to rebuild: another table had the name, or values change.
 */
export async function compareWords(
  tables: readonly Table[],
  tools: CompareTools,
  steps: readonly MigrationStep[] = [],
  stale: ReadonlySet<string> = new Set(),
): Promise<MigrationStep[]> {
  const refused = new Set(
    steps.flatMap(({ table, column, refusal }) => (refusal !== undefined && column === undefined ? [table] : [])),
  );
  const found = await readFound(tools, { stale, empty: listEmpty(steps) });
  const wanted = tables.flatMap((table) => {
    const target = toWordTarget(table);
    return target === undefined ? [] : [{ table, target }];
  });
  const compared = wanted
    .filter(({ table }) => !refused.has(table.name))
    .flatMap(({ table, target }) => compareOne(table, target, found, tools) ?? []);
  const kept = new Set([
    ...wanted.map(({ table }) => toWordsTable(table.name)),
    ...compared.flatMap(({ moved }) => moved ?? []),
    // A table that is not renamed yet keeps its index.
    ...wanted.flatMap(({ table: { name, was = [] } }) => (refused.has(name) ? was.map(toWordsTable) : [])),
  ]);
  const left = [...found.tables].filter((name) => !kept.has(name));
  const isFirst = compared.length > 0 && !found.hasMemory;
  return [
    ...(isFirst ? [createMemory(tools.kysely)] : []),
    ...left.map((name) => dropStep(name, found)),
    ...compared.map(({ step }) => step),
  ];
}
