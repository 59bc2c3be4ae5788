import { countRows, createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { addKeySql, quote, toLiteral } from '../table-sql.ts';
import { type Addition, addColumn, needsRebuild } from './add-column.ts';
import { type ColumnChange, compareColumn } from './compare-column.ts';
import { isReachable, type PlanContext, toPresent, toState } from './context.ts';
import type { Conversion } from './convert.ts';
import { createPostgresSteps } from './emit-postgres.ts';
import { createRebuiltColumn, createSqliteSteps, type RebuiltColumn, rebuildSql } from './emit-sqlite.ts';
import { compareIndexes, type IndexPlan, isMakable } from './index-steps.ts';
import { type LeftColumn, planLeftColumn } from './left-column.ts';
import { planRenames } from './rename.ts';

/** All changes of an existing table. */
interface TableWork {
  readonly table: Table;
  readonly actual: ActualTable;
  readonly changes: readonly ColumnChange[];
  readonly additions: readonly Addition[];
  readonly left: readonly LeftColumn[];
  readonly indexes: IndexPlan;
}

/** The steps that change an existing table to the wanted one. */
export async function planTable(table: Table, actual: ActualTable, context: PlanContext): Promise<void> {
  const key = table.primaryKey.map((name) => context.findColumn(table.name, name));
  if (key.join() !== actual.primaryKey.join()) return refusePrimary(table, actual, context);
  const changes: ColumnChange[] = [];
  const additions: Addition[] = [];
  for (const wanted of table.columns) {
    const there = actual.columns.get(context.findColumn(table.name, wanted.name) ?? '');
    if (there === undefined) additions.push(await addColumn(table, wanted, actual, context));
    else changes.push(await compareColumn({ table, wanted, actualTable: actual, actual: there }, context));
  }
  const named = new Set(changes.map(({ from }) => from.name));
  const left: LeftColumn[] = [];
  for (const column of actual.columns.values()) {
    if (!named.has(column.name)) left.push(await planLeftColumn({ table, actual, column }, context));
  }
  const made = additions.filter(({ refusal }) => refusal === undefined);
  const futures = new Map<string, string>(changes.map(({ from, column }) => [from.name, column.name]));
  for (const { column, isGone } of left) if (!isGone) futures.set(column.name, column.name);
  const columns = [...changes, ...made].map(({ column }) => column);
  const fills = new Map(
    changes.flatMap(({ column, parts }) =>
      parts.flatMap(({ fill }): [string, string | number][] => (fill === undefined ? [] : [[column.name, fill]])),
    ),
  );
  const converted = new Map(
    changes.flatMap(({ column, parts }) =>
      parts.flatMap(({ conversion }): [string, Conversion][] =>
        conversion === undefined ? [] : [[column.name, conversion]],
      ),
    ),
  );
  const toFuture = (name: string): string | undefined => futures.get(name);
  const indexes = await compareIndexes(
    { table, actual, columns, fills, converted, additions: made, toFuture },
    context,
  );
  emit({ table, actual, changes, additions, left, indexes }, context);
}

function emit(work: TableWork, context: PlanContext): void {
  const { table, actual, changes, additions, left, indexes } = work;
  const { phases, memory } = context.draft;
  phases.indexesGone.push(...indexes.gone);
  phases.indexes.push(...indexes.made);
  const refused = [
    ...changes.flatMap((change) => change.refused),
    ...additions.flatMap(({ refusal }) => refusal ?? []),
    ...left.flatMap(({ refusal }) => refusal ?? []),
  ];
  phases.refused.push(...refused, ...indexes.refused);
  const made = additions.filter(({ refusal }) => refusal === undefined);
  phases.alter.push(...made.flatMap(({ steps }) => steps));
  if (context.dialect === 'sqlite') emitSqlite(work, context);
  else emitPostgres(work, context);
  const names = [...changes.map(({ from, column }) => ({ from: from.name, to: column.name }))];
  const added = made.map(({ from, column }) => ({ from, to: column.name }));
  planRenames(table, actual, [...names, ...added], context);
  const kept = left.filter(({ isGone }) => !isGone).flatMap(({ state }) => state ?? []);
  const columns = [...changes.map(({ column }) => column), ...made.map(({ column }) => column), ...kept];
  const refusedIndexes = new Set(indexes.refused.map(({ words }) => words));
  memory.set(table.name, {
    ...table,
    columns,
    indexes: table.indexes.filter(
      (index) => isMakable(index, columns) && ![...refusedIndexes].some((words) => words.includes(index.name)),
    ),
  });
}

function emitSqlite({ table, actual, changes, additions, left, indexes }: TableWork, context: PlanContext): void {
  const { alter } = context.draft.phases;
  const isRestored = (name: string): boolean => context.undo?.columns.has(`${table.name}.${name}`) === true;
  const made = additions.filter(({ refusal }) => refusal === undefined);
  const later = made.filter((addition) => needsRebuild(addition, isRestored(addition.column.name)));
  const isChanged = changes.some(({ parts }) => parts.some(({ aspect }) => aspect !== 'values'));
  const isLeft = left.some(({ isGone, isLoosened }) => isGone || isLoosened);
  const isRebuilt = isChanged || isLeft || later.length > 0;
  const steps = changes.flatMap((change) => createSqliteSteps(change, actual, isRebuilt, context));
  alter.push(...steps, ...left.flatMap(({ steps: own }) => own));
  if (!isRebuilt) return;
  const columns: RebuiltColumn[] = [
    ...changes.map((change) => createRebuiltColumn(change, actual, context)),
    ...made.map((addition) => createAddedColumn(addition, context)),
  ];
  const kept = left.filter(({ isGone }) => !isGone);
  const own = [...steps, ...made.flatMap(({ steps: adding }) => adding), ...left.flatMap(({ steps: going }) => going)];
  alter.push({
    kind: 'rebuild-table',
    class: own.some((step) => step.class === 'lose') ? 'lose' : 'change',
    table: table.name,
    words: `Rebuild the table ${table.name}${actual.name === table.name ? '' : `, which is ${actual.name} still`}.`,
    sql: rebuildSql({ table: actual, actual, columns, left: kept, indexes: indexes.kept }),
    rowsAtRisk: 0,
    isNeeded: own.some(({ isNeeded }) => isNeeded),
    isBreaking: own.some(({ isBreaking }) => isBreaking === true),
  });
}

/** An added column exists under its future name when the table is rebuilt. */
function createAddedColumn({ column, from, fill, isLater }: Addition, context: PlanContext): RebuiltColumn {
  const name = quote(from);
  const { references, ...plain } = column;
  const led = references === undefined ? plain : { ...plain, references: toPresent(references, context) };
  const value = isLater && fill !== undefined ? `coalesce(${name}, ${toLiteral(fill)})` : name;
  return { column: { ...led, name: from }, value };
}

function emitPostgres({ table, actual, changes, additions, left }: TableWork, context: PlanContext): void {
  const { alter, keys } = context.draft.phases;
  for (const change of changes) {
    const steps = createPostgresSteps(change, actual, buildKeySql(table.name, change.column));
    alter.push(...steps.alter);
    keys.push(...steps.keys);
  }
  alter.push(...left.flatMap(({ steps }) => steps));
  for (const { column, refusal } of additions) {
    if (refusal === undefined && column.references !== undefined) keys.push(keyStep(table.name, column));
  }
}

function buildKeySql(table: string, column: TableColumn): string {
  const { references } = column;
  return references === undefined ? '' : addKeySql(table, { ...column, references });
}

/** A foreign key on PostgreSQL, created once every table exists. */
export function keyStep(table: string, column: TableColumn): MigrationStep {
  return {
    kind: 'add-key',
    class: 'add',
    table,
    column: column.name,
    words: `In ${table}, ${column.name} refers to ${column.references?.table}.`,
    sql: [buildKeySql(table, column)],
    rowsAtRisk: 0,
    isNeeded: false,
  };
}

async function refusePrimary(table: Table, actual: ActualTable, context: PlanContext): Promise<void> {
  const count = await context.counter.rows(actual.name);
  const known = context.memory.get(actual.name);
  if (known !== undefined) context.draft.memory.set(actual.name, toState(actual, known));
  context.draft.phases.refused.push({
    kind: 'alter-column',
    class: 'lose',
    table: table.name,
    words: `The table ${table.name} (${countRows(count)}) is numbered by ${actual.primaryKey.join(', ') || 'nothing'}, not by ${table.primaryKey.join(', ')}.`,
    sql: [],
    rowsAtRisk: count,
    isNeeded: true,
    refusal: createProblem(table, '', {
      code: 'MIGRATION_PRIMARY_DIFFERS',
      message: `The table ${table.name} exists with another primary key.`,
      hint: 'Treadle did not create it: give the schema another name, or rename that table.',
    }),
  });
}

/** A table without foreign keys to tables that do not and will not exist. */
export function toCreated(table: Table, context: PlanContext): Table {
  const columns = table.columns.map((column): TableColumn => {
    const { references, ...plain } = column;
    return references === undefined || isReachable(references, context) ? column : plain;
  });
  return { ...table, columns };
}
