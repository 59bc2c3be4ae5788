import { countRows, createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { createTableSql, quote, toLiteral } from '../table-sql.ts';
import { noteCopy } from './compare-column.ts';
import { type PlanContext, toState } from './context.ts';
import { moveCounterSql, rebuildSql } from './emit-sqlite.ts';

/** Copies a table under another name, with rows and counter but without foreign keys. */
function copyTableSql(state: Table, name: string, { dialect }: PlanContext): string[] {
  const columns = state.columns.map(({ references: _, ...column }): TableColumn => column);
  const names = columns.map((column) => quote(column.name)).join(', ');
  return [
    createTableSql({ ...state, columns }, { dialect, name }),
    `insert into ${quote(name)} (${names}) select ${names} from ${quote(state.name)}`,
    ...counterSql(state, state.name, name, dialect),
  ];
}

function counterSql(state: Table, from: string, to: string, dialect: PlanContext['dialect']): string[] {
  const [key] = state.primaryKey;
  if (!state.isCounting || key === undefined) return [];
  if (dialect === 'sqlite') return moveCounterSql(from, to);
  const sequence = (table: string): string => `pg_get_serial_sequence(${toLiteral(quote(table))}, ${toLiteral(key)})`;
  const last = `pg_sequence_last_value(${sequence(from)}::regclass)`;
  return [`select setval(${sequence(to)}, coalesce(${last}, 1), ${last} is not null)`];
}

/** Restores the rows of a copy into the recreated table. */
export function restoreRowsSql(state: Table, copy: string, dialect: PlanContext['dialect']): string[] {
  const names = state.columns.map(({ name }) => quote(name)).join(', ');
  return [
    `insert into ${quote(state.name)} (${names}) select ${names} from ${quote(copy)}`,
    ...counterSql(state, copy, state.name, dialect),
  ];
}

/** Drops a table without a schema, or one that is replaced; a copy keeps its rows. */
export async function dropTable(actual: ActualTable, context: PlanContext): Promise<void> {
  const { dialect } = context;
  const count = await context.counter.rows(actual.name);
  const state = toState(actual, context.memory.get(actual.name));
  const copy = count === 0 ? undefined : noteCopy(context, { kind: 'table', table: actual.name, rows: count });
  const keep = copy === undefined ? [] : copyTableSql(state, copy, context);
  const told = copy === undefined ? ', which holds no rows' : `, with ${countRows(count)} that are kept in ${copy}`;
  context.draft.changes.push({ was: state, now: null, columns: [] });
  context.draft.phases.drop.push({
    kind: 'drop-table',
    class: count === 0 && !context.isLossAllowed ? 'change' : 'lose',
    table: actual.name,
    words: `Drop the table ${actual.name}${told}.`,
    sql: [...keep, `drop table ${quote(actual.name)}${dialect === 'postgres' ? ' cascade' : ''}`],
    rowsAtRisk: count,
    isNeeded: false,
    isBreaking: true,
    ...(copy === undefined ? {} : { copy }),
  });
}

/** A user's table that refers to a table to be dropped. */
export function findForeigner(table: string, context: PlanContext): string | undefined {
  return [...context.structure.tables.values()].find(
    (other) =>
      other.name !== table &&
      !other.name.startsWith('treadle_') &&
      !context.isOwn(other.name) &&
      [...other.columns.values()].some(({ references }) => references?.table === table),
  )?.name;
}

/** Keeps a table of Treadle's without a schema, but removes its foreign keys to served tables. */
export async function keepTable(actual: ActualTable, context: PlanContext): Promise<void> {
  const { memory, phases } = context.draft;
  const count = await context.counter.rows(actual.name);
  const state = toState(actual, context.memory.get(actual.name));
  const leads = [...actual.columns.values()].filter(
    ({ references }) =>
      references !== undefined && context.wanted.some(({ name }) => context.findTable(name) === references.table),
  );
  const loose = new Set(leads.map(({ name }) => name));
  const columns = state.columns.map((column): TableColumn => {
    const { references: _, ...rest } = column;
    return loose.has(column.name) ? rest : column;
  });
  // A completed rename must not affect a later table of that name.
  const { was, wasUnder: _, ...known } = state;
  const { named = was } = context.memory.get(actual.name) ?? {};
  const left: Table = { ...known, columns, isLeft: true, ...(named === undefined ? {} : { named }) };
  memory.set(actual.name, left);
  if (leads.length > 0) phases.alter.push(loosenTable(actual, left, loose, context));
  phases.refused.push({
    kind: 'drop-table',
    class: 'lose',
    table: actual.name,
    words: `Drop the table ${actual.name}, with ${countRows(count)}.`,
    sql: [],
    rowsAtRisk: count,
    isNeeded: false,
    refusal: createProblem(state, '', refuseWords(actual.name, count, context)),
  });
}

function refuseWords(table: string, count: number, context: PlanContext) {
  const foreigner = findForeigner(table, context);
  if (context.isLossAllowed && foreigner !== undefined) {
    return {
      code: 'MIGRATION_TABLE_HELD',
      message: `The table ${table} has no schema, but stays: ${foreigner}, which Treadle did not create, refers to it.`,
      hint: `Remove the foreign key of ${foreigner} first.`,
    };
  }
  const { was, named = was } = context.memory.get(table) ?? {};
  const former = context.wanted.find(({ name }) => named?.includes(name));
  if (former !== undefined) {
    return {
      code: 'MIGRATION_TABLE_LEFT',
      message: `The table ${table} without a schema stays, with ${countRows(count)}.`,
      hint: `${table} was renamed from ${former.name}, which the definitions name again. To rename it back, write "was": "${table}" in the schema ${former.name}, or take the rename back with treadle migrate undo. If it is of no use, drop it, keeping a copy: treadle migrate --allow-loss.`,
    };
  }
  return {
    code: 'MIGRATION_TABLE_LEFT',
    message: `The table ${table} without a schema stays, with ${countRows(count)}.`,
    hint: 'To drop it, keeping a copy: treadle migrate --allow-loss.',
  };
}

function loosenTable(
  actual: ActualTable,
  left: Table,
  loose: ReadonlySet<string>,
  context: PlanContext,
): MigrationStep {
  const constraints = [...actual.columns.values()].flatMap(({ name, key }) =>
    loose.has(name) && key !== undefined ? [`alter table ${quote(actual.name)} drop constraint ${quote(key)}`] : [],
  );
  const columns = left.columns.map((column) => ({ column, value: quote(column.name) }));
  const indexes = [...actual.indexes.values()];
  const sql =
    context.dialect === 'sqlite' ? rebuildSql({ table: actual, actual, columns, left: [], indexes }) : constraints;
  return {
    kind: context.dialect === 'sqlite' ? 'rebuild-table' : 'alter-column',
    class: 'change',
    table: actual.name,
    words: `In ${actual.name}, which has no schema, remove the foreign key of ${[...loose].join(', ')}.`,
    sql,
    rowsAtRisk: 0,
    isNeeded: true,
    isBreaking: false,
  };
}
