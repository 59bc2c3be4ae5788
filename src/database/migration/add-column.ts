import { countRows, type MigrationStep, toProblem } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { addColumnSql, quote, toLiteral } from '../table-sql.ts';
import { nameRows } from './compare-column.ts';
import { isReachable, type PlanContext, toAsk, toPresent } from './context.ts';
import { writeKeptSql } from './copy-sql.ts';
import { findFill } from './fill.ts';

/** A column that is made in a table that is there. */
export interface Addition {
  /** As it will be. */
  readonly column: TableColumn;
  /** Name under which it is added: another one while its own is borne by a column that is renamed. */
  readonly from: string;
  readonly steps: readonly MigrationStep[];
  /** Goes into all rows before the column may no longer be empty. */
  readonly fill?: string | number;
  /** Whether it is made without its rule at first, since rows have no value for it yet. */
  readonly isLater: boolean;
  readonly refusal?: MigrationStep;
}

/** Plans one new column; in an undo the values that it had come back from their copy. */
export async function addColumn(
  table: Table,
  wanted: TableColumn,
  actual: ActualTable,
  context: PlanContext,
): Promise<Addition> {
  const { references, ...plain } = wanted;
  const from = actual.columns.has(wanted.name) ? `treadle_add_${wanted.name}`.slice(0, 63) : wanted.name;
  const isLed = references !== undefined && isReachable(references, context);
  const column: TableColumn = isLed ? wanted : plain;
  const copy = context.undo?.columns.get(`${table.name}.${wanted.name}`);
  const count = wanted.isRequired || copy !== undefined ? await context.counter.rows(actual.name) : 0;
  const isEmpty = count === 0;
  const needsValue = wanted.isRequired && !isEmpty;
  const fill = needsValue ? await findFill(table, wanted, context) : undefined;
  const missing =
    copy === undefined || !needsValue
      ? { count, ids: [] }
      : await context.counter.unrestored(actual.name, actual.primaryKey, copy);
  if (needsValue && fill === undefined && missing.count > 0) {
    return {
      column,
      from,
      steps: [],
      isLater: false,
      refusal: refuseNew(table, wanted, nameRows(missing), missing.count),
    };
  }
  // A default of the column's own is every row's at once; a foreign key with one is more than SQLite adds.
  const isLater =
    needsValue && (copy !== undefined || column.default === undefined || fill !== column.default || isLed);
  const words = `Add the column ${wanted.name} (${wanted.type}) to ${table.name}`;
  const filled = isLater && missing.count > 0 ? `, with ${JSON.stringify(fill)} in ${countRows(missing.count)}` : '';
  const restored = copy === undefined ? '' : `, with the values that ${copy} kept`;
  const step: MigrationStep = {
    kind: 'add-column',
    class: isLater ? 'change' : 'add',
    table: table.name,
    column: wanted.name,
    words: `${words}${restored}${filled}.`,
    sql: toSql({ column, from, actual, isLater, copy, ...(fill === undefined ? {} : { fill }) }, context),
    rowsAtRisk: 0,
    isNeeded: true,
    // Rows of the former plan have no value for it.
    isBreaking: wanted.isRequired && wanted.default === undefined,
  };
  if (fill === undefined || !isLater) return { column, from, steps: [step], isLater };
  // Remembered, so that an undo knows a value that nobody gave.
  return { column: { ...column, fill }, from, steps: [step], isLater, fill };
}

interface Added {
  readonly column: TableColumn;
  readonly from: string;
  readonly actual: ActualTable;
  readonly isLater: boolean;
  readonly copy: string | undefined;
  readonly fill?: string | number;
}

function toSql({ column, from, actual, isLater, copy, fill }: Added, context: PlanContext): string[] {
  const { dialect } = context;
  const { references, default: value, ...rest } = column;
  // A default would stand in rows whose former value was none.
  const named: TableColumn = { ...rest, name: from };
  const plain: TableColumn = value === undefined || copy !== undefined ? named : { ...named, default: value };
  const led = references === undefined ? plain : { ...plain, references: toPresent(references, context) };
  const made = isLater ? { ...led, isRequired: false } : led;
  const isWhole = !(isLater && dialect === 'sqlite');
  const name = quote(from);
  const lines = [
    addColumnSql(actual.name, isWhole ? made : withoutDefault(made), { dialect, hasKeys: dialect === 'sqlite' }),
  ];
  if (copy !== undefined) lines.push(writeKeptSql(actual, from, copy, 'kept.former'));
  const table = quote(actual.name);
  // On SQLite the table is rebuilt, which fills the column and gives it its rule.
  if (isLater && dialect === 'postgres') {
    if (fill !== undefined) lines.push(`update ${table} set ${name} = ${toLiteral(fill)} where ${name} is null`);
    lines.push(`alter table ${table} alter column ${name} set not null`);
  }
  if (copy !== undefined && value !== undefined && dialect === 'postgres') {
    lines.push(`alter table ${table} alter column ${name} set default ${toLiteral(value)}`);
  }
  return lines;
}

function withoutDefault({ default: _, ...column }: TableColumn): TableColumn {
  return column;
}

function refuseNew(table: Table, wanted: TableColumn, named: string, count: number): MigrationStep {
  const ask = toAsk(table, wanted);
  const isKey = wanted.references !== undefined;
  const give = `treadle migrate --default ${ask}=…`;
  return {
    kind: 'add-column',
    class: 'change',
    table: table.name,
    column: wanted.name,
    words: `Add the column ${wanted.name} (${wanted.type}) to ${table.name}.`,
    sql: [],
    rowsAtRisk: count,
    isNeeded: true,
    asks: ask,
    refusal: toProblem(table, wanted.path ?? '', {
      code: 'MIGRATION_COLUMN_REQUIRED',
      message: `${wanted.name} is required and new, but ${table.name} has ${named} without a value for it.`,
      hint: isKey
        ? `Name the row that they lead to: ${give}`
        : `Give the field a default, or one for those rows: ${give}`,
    }),
  };
}

/** Whether SQLite must rebuild the table for it: a default that is to come after restored values, or a later rule. */
export const needsRebuild = ({ isLater, column }: Addition, isRestored: boolean): boolean =>
  isLater || (isRestored && column.default !== undefined);
