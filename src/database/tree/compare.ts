import { CompiledQuery } from 'kysely';
import { TreadleError } from '../../core/errors.ts';
import type { Database } from '../database.ts';
import { nameRows } from '../migration/compare-column.ts';
import type { PlanContext } from '../migration/context.ts';
import type { BlockingRows } from '../migration/count.ts';
import { createProblem, type MigrationStep } from '../migration-step.ts';
import type { Table } from '../table.ts';
import { findCycles } from './cycle.ts';
import { createTreeSql, dropTreeSql, hasTree, listTreeKeys, type TreeTarget, toTreeKey } from './trigger.ts';

/** The steps for trees: those that come before all others, and those that follow them. */
interface TreeSteps {
  readonly gone: readonly MigrationStep[];
  readonly made: readonly MigrationStep[];
}

const base = { rowsAtRisk: 0, isNeeded: true } as const;

const describeCycle = ({ table, column }: TreeTarget, found: BlockingRows) => ({
  code: 'MIGRATION_ROWS_CYCLE',
  message: `${table} shall be a tree by ${column}, but ${nameRows(found)} ${found.count === 1 ? 'is' : 'are'} below ${found.count === 1 ? 'itself' : 'themselves'}.`,
  hint: 'Give a row of each cycle another parent or none first, or leave the relation without "tree".',
});

/** @throws MIGRATION_ROWS_CYCLE (409) if rows are below themselves that were not when the migration was planned. */
async function checkRows(database: Database, target: TreeTarget): Promise<void> {
  const found = await findCycles(database, target);
  if (found.count === 0) return;
  const { code, message, hint } = describeCycle(target, found);
  throw new TreadleError(code, message, { status: 409, hint });
}

const listTargets = ({ name, primaryKey: [primary = ''], trees = [] }: Table): TreeTarget[] =>
  trees.map((column) => ({ table: name, primary, column }));

/** The present rows of a tree that would be refused. A new column has no value, and restored ones are judged once they are there. */
async function findPresent({ table, primary, column }: TreeTarget, context: PlanContext): Promise<BlockingRows> {
  const present = context.findTable(table);
  const [key, parent] = [context.findColumn(table, primary), context.findColumn(table, column)];
  const actual = context.structure.tables.get(present ?? '');
  if (actual === undefined || key === undefined || parent === undefined || !actual.columns.has(parent))
    return { count: 0, ids: [] };
  return findCycles(context.database, { table: actual.name, primary: key, column: parent });
}

async function makeStep(
  table: Table,
  target: TreeTarget,
  schema: string,
  context: PlanContext,
): Promise<MigrationStep> {
  const step: MigrationStep = {
    ...base,
    kind: 'create-tree',
    class: 'add',
    table: table.name,
    column: target.column,
    words: `Refuse rows of ${table.name} that would be below themselves by ${target.column}.`,
    sql: createTreeSql(target, context.dialect, schema),
    perform: (database) => checkRows(database, target),
    isBreaking: true,
  };
  const found = await findPresent(target, context);
  if (found.count === 0) return step;
  const path = table.columns.find(({ name }) => name === target.column)?.path ?? '';
  const { perform: _, ...refused } = step;
  return {
    ...refused,
    class: 'change',
    sql: [],
    rowsAtRisk: found.count,
    rows: found.ids,
    refusal: createProblem(table, path, describeCycle(target, found)),
  };
}

function dropStep(table: string, key: string, { dialect }: PlanContext): MigrationStep {
  const words = `Drop what refuses rows of ${table} that would be below themselves.`;
  // It would refuse rows that may be there now.
  return { ...base, kind: 'drop-tree', class: 'change', table, words, sql: dropTreeSql(key, dialect) };
}

/** True if a table of SQLite is made anew: its triggers go with the former one. */
const isRebuilt = (table: string, steps: readonly MigrationStep[]): boolean =>
  steps.some((step) => step.kind === 'rebuild-table' && step.table === table && step.refusal === undefined);

/** The steps that bring the triggers of trees up to date. @param steps Those of the tables. */
export async function compareTrees(context: PlanContext, steps: readonly MigrationStep[]): Promise<TreeSteps> {
  const gone: MigrationStep[] = [];
  const made: MigrationStep[] = [];
  const used = new Set<string>();
  let schema: string | undefined;
  for (const table of context.wanted) {
    const actual = context.structure.tables.get(context.findTable(table.name) ?? '');
    if (actual !== undefined) used.add(actual.name);
    const isNew = actual === undefined || isRebuilt(table.name, steps);
    const triggers = actual?.triggers ?? [];
    const targets = listTargets(table);
    const staying = new Set(
      isNew ? [] : targets.map(toTreeKey).filter((key) => hasTree(key, triggers, context.dialect)),
    );
    for (const key of listTreeKeys(triggers)) if (!staying.has(key)) gone.push(dropStep(table.name, key, context));
    for (const target of targets) {
      if (staying.has(toTreeKey(target))) continue;
      if (schema === undefined && context.dialect === 'postgres') schema = await readSchema(context.database);
      made.push(await makeStep(table, target, schema ?? '', context));
    }
  }
  // An undo leaves the tables that it does not change.
  for (const { name, triggers } of context.structure.tables.values()) {
    if (used.has(name) || (context.undo !== undefined && !context.gone.has(name))) continue;
    for (const key of listTreeKeys(triggers)) gone.push(dropStep(name, key, context));
  }
  return { gone, made };
}

async function readSchema(database: Database): Promise<string> {
  const [row] = await database.run(CompiledQuery.raw('select current_schema()::text as name'));
  return String(row?.name);
}
