import { type RawBuilder, SqliteAdapter, sql } from 'kysely';
import type { Dialect } from '../database.ts';
import type { CompareTools, MigrationStep } from '../migration-step.ts';
import { toLiteral } from '../table-sql.ts';
import { toState, WORDS_STATE, type WordsState } from './state.ts';
import { isMarkedSql } from './watch.ts';

/** Where releases before this one say how each search index was built. They build one again that it does not name. */
export const MEMORY = 'treadle_words';

interface Memory {
  readonly columns: string;
  readonly version: number;
}

/** The existing search indexes. */
export interface ExistingIndexes {
  readonly dialect: Dialect;
  /** The schema of PostgreSQL. */
  readonly schema: string;
  readonly hasMemory: boolean;
  readonly hasState: boolean;
  /** The state has a column of 2026-11, which no release has. */
  readonly hasTold: boolean;
  /** Existing index tables. */
  readonly tables: ReadonlySet<string>;
  readonly memory: ReadonlyMap<string, Memory>;
  readonly states: ReadonlyMap<string, WordsState>;
  /** Indexes that have been watched since they were made. */
  readonly marked: ReadonlySet<string>;
  /** Tables with an outdated index: it belonged to another table, or values change. */
  readonly stale: ReadonlySet<string>;
  /** Tables that the migration creates without rows. */
  readonly empty: ReadonlySet<string>;
  /** Unix seconds. */
  readonly now: number;
}

const LIKE = sql`like 'treadle\\_words\\_%' escape '\\'`;

type Rows = RawBuilder<Readonly<Record<string, unknown>>>;

const NAMES: Readonly<Record<Dialect, Rows>> = {
  sqlite: sql`select name from sqlite_schema where type = 'table' and name ${LIKE} order by name`,
  postgres: sql`select table_name as name from information_schema.tables where table_schema = current_schema() and table_name ${LIKE} order by table_name`,
};

const TOLD: Readonly<Record<Dialect, Rows>> = {
  sqlite: sql`select 1 as told from pragma_table_info(${sql.lit(WORDS_STATE)}) where name = 'told'`,
  postgres: sql`select 1 as told from information_schema.columns where table_schema = current_schema() and table_name = ${sql.lit(WORDS_STATE)} and column_name = 'told'`,
};

/** A table with rows of a removed one takes a second statement. After renames a name may have rows of another table. */
export function listEmpty(steps: readonly MigrationStep[]): Set<string> {
  if (steps.some(({ kind }) => kind === 'rename-table')) return new Set();
  const isEmpty = ({ kind, sql: lines, perform }: MigrationStep): boolean =>
    kind === 'create-table' && lines.length === 1 && perform === undefined;
  const others = steps.filter((step) => !isEmpty(step) && step.kind !== 'create-index' && step.kind !== 'add-key');
  const filled = new Set(others.map(({ table }) => table));
  return new Set(steps.flatMap((step) => (isEmpty(step) && !filled.has(step.table) ? [step.table] : [])));
}

export async function readFound(
  { structure, kysely }: CompareTools,
  given: Pick<ExistingIndexes, 'stale' | 'empty' | 'now'>,
): Promise<ExistingIndexes> {
  const dialect: Dialect = kysely.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  const list = async (query: Rows) => (await query.execute(kysely)).rows;
  const names = (await list(NAMES[dialect])).map(({ name }) => String(name));
  const tables = names.filter((name) => name.endsWith('_fts'));
  const hasMemory = structure.tables.has(MEMORY);
  const hasState = names.includes(WORDS_STATE);
  const memory = hasMemory ? await kysely.selectFrom(MEMORY).selectAll().execute() : [];
  const states = hasState ? await kysely.selectFrom(WORDS_STATE).selectAll().execute() : [];
  const [place] = dialect === 'postgres' ? await list(sql`select current_schema()::text as name`) : [];
  const marks = tables.map((name) => `select ${toLiteral(name)} as name where ${isMarkedSql(name, dialect)}`);
  const marked = marks.length === 0 ? [] : await list(sql.raw(marks.join(' union all ')));
  return {
    ...given,
    dialect,
    schema: String(place?.name),
    hasMemory,
    hasState,
    hasTold: hasState && (await list(TOLD[dialect])).length > 0,
    tables: new Set(tables),
    marked: new Set(marked.map(({ name }) => String(name))),
    memory: new Map(
      memory.map(({ name, columns, version }) => [
        String(name),
        { columns: String(columns), version: Number(version) },
      ]),
    ),
    states: new Map(states.map((row) => [String(row.name), toState(row)])),
  };
}
