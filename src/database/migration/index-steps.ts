import { dropExclusionSql } from '../index/exclude-rule.ts';
import { createIndexSql, dropIndexSql } from '../index/index-sql.ts';
import { createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualIndex, ActualTable } from '../structure.ts';
import type { Table, TableColumn, TableIndex } from '../table.ts';
import type { Addition } from './add-column.ts';
import { nameRows } from './compare-column.ts';
import { isOwnIndex, type PlanContext } from './context.ts';
import type { Conversion } from './convert.ts';
import type { BlockingRows } from './count.ts';
import { findSharedAfter } from './duplicates.ts';
import { createRule, createRuleStep } from './exclude-step.ts';

export interface IndexPair {
  readonly table: Table;
  readonly actual: ActualTable;
  /** Columns after the other steps, by future names. */
  readonly columns: readonly TableColumn[];
  readonly additions: readonly Addition[];
  /** Values for rows that have none yet, by future name. */
  readonly fills: ReadonlyMap<string, string | number>;
  /** How values are converted, by the future name of their column. */
  readonly converted: ReadonlyMap<string, Conversion>;
  /** Future name of a present column; undefined if it is dropped. */
  toFuture(present: string): string | undefined;
}

export interface IndexPlan {
  readonly gone: readonly MigrationStep[];
  readonly made: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
  /** Indexes that stay, including those of users. */
  readonly kept: readonly ActualIndex[];
}

function isAlike(wanted: TableIndex, actual: ActualIndex, pair: IndexPair): boolean {
  const columns = actual.columns.map((name) => pair.toFuture(name));
  const descending = (actual.descending ?? []).map((name) => pair.toFuture(name));
  return (
    wanted.isUnique === actual.isUnique &&
    wanted.columns.join() === columns.join() &&
    (wanted.descending ?? []).join() === descending.join()
  );
}

/** The name of a rule has a digest of all that it is made of. It is made again under new names of its columns, or for other values. */
function isSameRule(
  { columns, tested = [] }: TableIndex,
  { isExclusion, isBroken, columns: there }: ActualIndex,
  pair: IndexPair,
) {
  if (isExclusion === undefined || isBroken === true) return false;
  const isStill = (name: string): boolean =>
    there.includes(name) && pair.toFuture(name) === name && !pair.converted.has(name) && !pair.fills.has(name);
  const isTested = (name: string): boolean => isExclusion === 'trigger' || there.includes(name);
  return columns.every(isStill) && tested.every(isTested);
}

function isSame(wanted: TableIndex, actual: ActualIndex, pair: IndexPair): boolean {
  if (wanted.excludes !== undefined) return isSameRule(wanted, actual, pair);
  if (!isAlike(wanted, actual, pair)) return false;
  // The name has a digest of the definition, because PostgreSQL prints a condition in its own words.
  if (wanted.where !== undefined) return actual.where !== undefined || actual.only !== undefined;
  return wanted.only === (actual.only === undefined ? undefined : pair.toFuture(actual.only));
}

/** True if a unique index that now counts all rows will count the active ones only: what it held stays unique. */
const isLooser = (wanted: TableIndex, actual: ActualIndex, pair: IndexPair): boolean =>
  wanted.isUnique && actual.only === undefined && wanted.only !== undefined && isAlike(wanted, actual, pair);

/** As a step of an index that only gets looser: old processes and new ones can work before it and after it. */
const toLoosened = (step: MigrationStep): MigrationStep => ({
  ...step,
  class: 'add',
  isNeeded: false,
  isBreaking: false,
});

/** True if the table has all columns of an index. */
export const isMakable = (
  { columns, tested = [] }: TableIndex,
  present: readonly { readonly name: string }[],
): boolean => [...columns, ...tested].every((name) => present.some((column) => column.name === name));

/** Index steps; none for refused columns. */
export async function compareIndexes(pair: IndexPair, context: PlanContext): Promise<IndexPlan> {
  const { table, actual } = pair;
  const plan: Record<'gone' | 'made' | 'refused', MigrationStep[]> = { gone: [], made: [], refused: [] };
  const kept: ActualIndex[] = [];
  const known = new Map<string, ActualIndex>();
  const loosened = new Set<string>();
  for (const there of actual.indexes.values()) {
    if (there.sql === undefined) continue;
    const wanted = table.indexes.find(({ name }) => name === there.name);
    const isStaying = wanted !== undefined ? isSame(wanted, there, pair) : !isOwnIndex(actual.name, there);
    // A user's index over a dropped column is dropped with it.
    if (isStaying && there.columns.every((name) => name === '' || pair.toFuture(name) !== undefined)) {
      kept.push(there);
      known.set(there.name, there);
      continue;
    }
    const step = drop(pair, there, wanted !== undefined);
    const isLoosened = wanted !== undefined && isLooser(wanted, there, pair);
    if (isLoosened) loosened.add(wanted.name);
    plan.gone.push(isLoosened ? toLoosened(step) : step);
  }
  for (const wanted of table.indexes) {
    const isConverted = wanted.columns.some((name) => pair.converted.has(name));
    // An index that is there is judged again if its values change.
    if (known.has(wanted.name) && !(wanted.isUnique && isConverted)) continue;
    if (!isMakable(wanted, pair.columns)) continue;
    const made = await create(pair, wanted, context);
    const step = loosened.has(wanted.name) && made.refusal === undefined ? toLoosened(made) : made;
    if (step.refusal !== undefined) plan.refused.push(step);
    else if (!known.has(wanted.name)) plan.made.push(step);
  }
  return { ...plan, kept };
}

function drop({ table, actual }: IndexPair, index: ActualIndex, isReplaced: boolean): MigrationStep {
  const isRule = index.isExclusion !== undefined;
  return {
    kind: 'drop-index',
    class: 'change',
    table: table.name,
    words: `Drop the ${isRule ? 'rule' : 'index'} ${index.name} of ${table.name}${isReplaced ? ', which is created again' : ''}.`,
    sql: isRule ? dropExclusionSql(actual.name, index) : [dropIndexSql(index.name)],
    rowsAtRisk: 0,
    // A rule that is no longer wanted would refuse rows.
    isNeeded: index.isUnique || isRule,
  };
}

async function create(pair: IndexPair, index: TableIndex, context: PlanContext): Promise<MigrationStep> {
  const { table } = pair;
  if (index.excludes !== undefined) return createRule(pair, { ...index, excludes: index.excludes }, context);
  const step = createIndexStep(table.name, index);
  if (!index.isUnique) return step;
  const found = await findShared(pair, index, context);
  if (found.count === 0) return { ...step, isBreaking: true };
  const isOne = index.columns.length === 1;
  const column = isOne ? table.columns.find(({ name }) => name === index.columns[0]) : { path: 'unique' };
  const names = index.columns.join(', ');
  const isConverted = index.columns.some((name) => pair.converted.has(name));
  return {
    ...step,
    class: 'change',
    rowsAtRisk: found.count,
    rows: found.ids,
    refusal: createProblem(table, column?.path ?? '', {
      code: 'MIGRATION_ROWS_SHARED',
      message: `${names} must be unique, but ${nameRows(found)} of ${table.name} share a value${isConverted ? ' once it is converted' : ''}.`,
      hint: `Make the values differ first, or leave ${index.columns.length > 1 ? 'the rule out of "unique" of the schema' : 'the field without "unique"'}.`,
    }),
  };
}

/** The columns of an index and its condition, in words. */
function describeIndex({ columns, descending = [], where }: TableIndex): string {
  const sorted = columns.map((name) => (descending.includes(name) ? `${name} descending` : name));
  return `${sorted.join(', ')})${where === undefined ? '' : ` for rows with ${where.replaceAll('"', '')}`}`;
}

export function createIndexStep(table: string, index: TableIndex): MigrationStep {
  if (index.excludes !== undefined) return createRuleStep(table, { ...index, excludes: index.excludes });
  return {
    kind: 'create-index',
    class: 'add',
    table,
    words: `Create the ${index.isUnique ? 'unique ' : ''}index ${index.name} on ${table} (${describeIndex(index)}.`,
    sql: [createIndexSql(table, index)],
    rowsAtRisk: 0,
    isNeeded: index.isUnique,
  };
}

/** Rows that would violate a unique index; a new column has one value in all rows, or none. */
async function findShared(pair: IndexPair, index: TableIndex, context: PlanContext): Promise<BlockingRows> {
  const { table, actual, additions } = pair;
  const none: BlockingRows = { count: 0, ids: [] };
  const added = additions.filter(({ column }) => index.columns.includes(column.name));
  const isRestored = added.some(({ column }) => context.undo?.columns.has(`${table.name}.${column.name}`) === true);
  if (isRestored || added.some(({ column, fill }) => column.default === undefined && fill === undefined)) return none;
  const present = index.columns.flatMap((name) => context.findColumn(table.name, name) ?? []);
  // Restored values were unique before.
  if (context.undo !== undefined && index.columns.some((name) => pair.converted.has(name))) return none;
  if (present.length > 0) {
    const only = index.only === undefined ? undefined : context.findColumn(table.name, index.only);
    const [key, ...more] = actual.primaryKey;
    if (
      key !== undefined &&
      more.length === 0 &&
      added.length === 0 &&
      index.columns.some((name) => pair.converted.has(name))
    ) {
      const columns = index.columns.map((name) => ({
        name: context.findColumn(table.name, name) ?? name,
        conversion: pair.converted.get(name),
        fill: pair.fills.get(name),
      }));
      return findSharedAfter(context.database, { table: actual.name, key, columns, only });
    }
    const found = await context.counter.duplicates(actual.name, present, { key: actual.primaryKey, only });
    const [name = ''] = index.columns;
    const fill = index.columns.length === 1 ? pair.fills.get(name) : undefined;
    if (fill === undefined || found.count > 0) return found;
    const filled = await context.counter.filled(actual.name, present[0] ?? '', fill, actual.primaryKey);
    return filled.count > 1 ? filled : found;
  }
  const count = await context.counter.rows(actual.name);
  return count > 1 ? { count, ids: [] } : none;
}
