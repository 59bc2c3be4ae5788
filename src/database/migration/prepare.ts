import type { Database } from '../database.ts';
import type { MigrationStep } from '../migration-step.ts';
import type { ActualTable, Structure } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import type { Former } from '../table-former.ts';
import { createPhases, type Draft, type PlanContext, toColumnPath, type UndoFacts } from './context.ts';
import { RowCounter } from './count.ts';
import type { JournalContents } from './journal.ts';
import { findForeigner } from './left-table.ts';
import { type Conflict, type Match, matchNames } from './match.ts';
import { refuseTaken } from './rename.ts';

export interface PlanOptions {
  /** Whether to apply steps that lose data, with a copy. Default false. */
  readonly allowLoss?: boolean;
  /** Values for rows without one in a required column: `article.profile` to text. */
  readonly defaults?: ReadonlyMap<string, string>;
  /** Milliseconds since 1970, for `NOW()`. Default: the system clock. */
  readonly now?: number;
}

export interface Preparation {
  readonly database: Database;
  readonly structure: Structure;
  readonly remembered: JournalContents;
  readonly wanted: readonly Table[];
  readonly options: PlanOptions;
}

/** Matched names, mutable while conflicts are resolved. */
interface Names {
  readonly tables: Map<string, string>;
  readonly columns: Map<string, Map<string, string>>;
  readonly replaced: Set<string>;
  readonly gone: Set<string>;
}

const toMaking = (name: string): string => `treadle_make_${name}`.slice(0, 63);
const isTreadles = (name: string): boolean => name.startsWith('treadle_');

function createContext(preparation: Preparation, names: Names, undo?: UndoFacts): PlanContext {
  const { database, structure, remembered, wanted, options } = preparation;
  // If its name is still in use, a table is created under a temporary name, so that references to it are
  // unambiguous.
  for (const { name } of wanted) {
    if (!names.tables.has(name) && structure.tables.has(name)) names.tables.set(name, toMaking(name));
  }
  const { memory, formerSql } = remembered;
  const draft: Draft = { phases: createPhases(), drift: [], copies: [], changes: [], memory: new Map() };
  const futures = new Map([...names.tables].map(([future, present]) => [present, future]));
  return {
    database,
    dialect: database.dialect,
    structure,
    counter: new RowCounter(database),
    kysely: database.kysely,
    wanted,
    memory,
    isLossAllowed: options.allowLoss === true,
    now: options.now ?? Date.now(),
    undo,
    draft,
    gone: names.gone,
    replaced: names.replaced,
    findTable: (name) => names.tables.get(name),
    findColumn: (table, column) => names.columns.get(table)?.get(column),
    toFuture: (present) => futures.get(present) ?? present,
    isOwn(table, column) {
      const known = memory.get(table);
      if (column === undefined) return known !== undefined || formerSql.includes(`create table "${table}"`);
      // Columns older than the memory are identified by the statements that created them.
      return known?.columns.some(({ name }) => name === column) === true || formerSql.includes(`"${column}"`);
    },
    findDefault: (table, column) => findDefault(table, column, options.defaults),
    nextCopy: () => `treadle_copy_${remembered.lastCopy + draft.copies.length + 1}`,
  };
}

/** `article.profile`, by schema and field or by table and column; `-` and `_` are equal. */
function findDefault(
  table: Table,
  column: TableColumn,
  defaults: ReadonlyMap<string, string> | undefined,
): string | undefined {
  const names = new Set(
    [toColumnPath(table, column), `${table.name}.${column.name}`].map((name) => name.replaceAll('-', '_')),
  );
  return [...(defaults ?? [])].find(([key]) => names.has(key.replaceAll('-', '_')))?.[1];
}

/** Keeps only the possible former names that apply, once the tables of schemas are matched. */
function narrow<T extends Former & { readonly name: string }>(
  entry: T,
  tables: ReadonlyMap<string, string>,
  memory: ReadonlyMap<string, Table>,
): T {
  const { was, wasUnder } = entry;
  if (was === undefined || wasUnder === undefined) return entry;
  const isAt = (table: string, former: string): boolean => {
    const present = tables.get(table) ?? former;
    return present === former || (present !== table && memory.get(present)?.was?.includes(former) === true);
  };
  const isMeant = (former: string): boolean =>
    wasUnder[former]?.some((circumstance) =>
      Object.entries(circumstance).every(([table, name]) => isAt(table, name)),
    ) !== false;
  return { ...entry, was: was.filter(isMeant) };
}

function matchTables(
  wanted: readonly Table[],
  used: ReadonlySet<string>,
  { structure, remembered: { memory } }: Preparation,
): Match {
  return matchNames(wanted, {
    names: new Set([...structure.tables.keys()].filter((name) => !used.has(name))),
    isDone: (name, was) => memory.get(name)?.was?.includes(was) === true,
    isLeft: (name) => memory.get(name)?.isLeft === true,
  });
}

function matchColumns(columns: readonly TableColumn[], actual: ActualTable, known: Table | undefined): Match {
  const find = (name: string): TableColumn | undefined => known?.columns.find((column) => column.name === name);
  return matchNames(columns, {
    names: new Set(actual.columns.keys()),
    isDone: (name, was) => find(name)?.was?.includes(was) === true,
    isLeft: (name) => find(name)?.isLeft === true,
  });
}

interface SettledNames {
  readonly names: Names;
  readonly refused: MigrationStep[];
}

/** Matches wanted tables and columns to present ones. If a name is in use, the rows decide. */
async function settleNames(preparation: Preparation): Promise<SettledNames> {
  const { structure, wanted, remembered } = preparation;
  const refused: MigrationStep[] = [];
  const names: Names = { tables: new Map(), columns: new Map(), replaced: new Set(), gone: new Set() };
  // Join tables of N:N relations depend on their schemas' tables, so those come first.
  for (const isJoin of [false, true]) {
    const some = wanted.filter(({ wasUnder }) => (wasUnder !== undefined) === isJoin);
    const narrowed = some.map((table) => narrow(table, names.tables, remembered.memory));
    const match = matchTables(narrowed, new Set(names.tables.values()), preparation);
    for (const [name, source] of match.sources) names.tables.set(name, source);
    for (const conflict of match.conflicts) {
      const step = await settleTable(conflict, names, preparation);
      if (step !== undefined) refused.push(step);
    }
  }
  for (const table of wanted) {
    const actual = structure.tables.get(names.tables.get(table.name) ?? '');
    if (actual === undefined) continue;
    const columns = table.columns.map((column) => narrow(column, names.tables, remembered.memory));
    const found = matchColumns(columns, actual, remembered.memory.get(actual.name));
    const sources = new Map(found.sources);
    names.columns.set(table.name, sources);
    for (const conflict of found.conflicts) {
      const step = await settleColumn({ table, actual, conflict, sources, names }, preparation);
      if (step !== undefined) refused.push(step);
    }
  }
  return { names, refused };
}

async function settleTable(
  { name, was }: Conflict,
  names: Names,
  { database, remembered, wanted, options }: Preparation,
): Promise<MigrationStep | undefined> {
  const counter = new RowCounter(database);
  const { memory } = remembered;
  const [there, coming] = [await counter.rows(name), await counter.rows(was)];
  // A table with a schema at the last migration is renamed now: the other table's rows must not be taken
  // for its own.
  const isNeeded = memory.has(was) && memory.get(was)?.isLeft !== true;
  const isComing = coming > 0 || isNeeded;
  // The table with that name may be renamed by an earlier conflict.
  const isFree = [...names.tables].some(([to, from]) => from === name && to !== name);
  if (isFree || (isComing && (there === 0 || options.allowLoss === true))) {
    names.tables.set(name, was);
    if (!isFree) names.gone.add(name);
    return undefined;
  }
  names.tables.set(name, name);
  const table = wanted.find((entry) => entry.name === name);
  if (!isComing || table === undefined) return undefined;
  return refuseTaken(table, { name, was, isTable: true, path: 'was' }, { there, coming, isNeeded });
}

interface TakenColumn {
  readonly table: Table;
  readonly actual: ActualTable;
  readonly conflict: Conflict;
  readonly sources: Map<string, string>;
  readonly names: Names;
}

async function settleColumn(
  { table, actual, conflict: { name, was }, sources, names }: TakenColumn,
  { database, remembered, options }: Preparation,
): Promise<MigrationStep | undefined> {
  const counter = new RowCounter(database);
  const known = (column: string) => remembered.memory.get(actual.name)?.columns.find((entry) => entry.name === column);
  const coming = (await counter.values(actual.name, was)).count;
  const value = known(name)?.default;
  const there = await counter.given(actual.name, name, value === undefined ? [] : [value]);
  const isNeeded = known(was) !== undefined && known(was)?.isLeft !== true;
  const isComing = coming > 0 || isNeeded;
  const isFree = [...sources].some(([to, from]) => from === name && to !== name);
  if (isFree || (isComing && (there === 0 || options.allowLoss === true))) {
    sources.set(name, was);
    if (!isFree) names.replaced.add(`${actual.name}.${name}`);
    return undefined;
  }
  sources.set(name, name);
  if (!isComing) return undefined;
  const path = table.columns.find((column) => column.name === name)?.path ?? '';
  return refuseTaken(table, { name, was, isTable: false, path }, { there, coming, isNeeded });
}

/** Everything needed to compare with the definitions. */
export async function prepareComparison(preparation: Preparation): Promise<PlanContext> {
  const { structure, wanted, options } = preparation;
  const { names, refused } = await settleNames(preparation);
  const probe = createContext(preparation, names);
  if (options.allowLoss === true) {
    const used = new Set(wanted.flatMap(({ name }) => names.tables.get(name) ?? []));
    for (const { name } of structure.tables.values()) {
      const isLeft = !used.has(name) && !isTreadles(name) && probe.isOwn(name);
      if (isLeft && findForeigner(name, probe) === undefined) names.gone.add(name);
    }
  }
  const context = createContext(preparation, names);
  context.draft.phases.refused.push(...refused);
  return context;
}

/** Everything needed for an undo: the journal has the names. */
export function prepareUndo(
  preparation: Preparation,
  names: { readonly tables: Map<string, string>; readonly columns: Map<string, Map<string, string>> },
  undo: UndoFacts,
): PlanContext {
  return createContext(preparation, { ...names, replaced: new Set(), gone: new Set(undo.gone) }, undo);
}
