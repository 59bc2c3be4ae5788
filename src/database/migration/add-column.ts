import { countRows, createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { addColumnSql, quote, toLiteral } from '../table-sql.ts';
import { nameRows } from './compare-column.ts';
import { isReachable, type PlanContext, printStored, toColumnPath, toPresent } from './context.ts';
import { writeKeptSql } from './copy-sql.ts';
import { findFill } from './fill.ts';

/** A new column in an existing table. */
export interface Addition {
  /** Final definition of the column. */
  readonly column: TableColumn;
  /**
   * Name under which it is added: a temporary one while another column, to be renamed, still has its name.
   */
  readonly from: string;
  readonly steps: readonly MigrationStep[];
  /** Value for existing rows, set before the column becomes required. */
  readonly fill?: string | number;
  /** Whether its constraint is added later, because existing rows have no value yet. */
  readonly isLater: boolean;
  readonly refusal?: MigrationStep;
}

/** Plans one new column. In an undo its former values are restored from their copy. */
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
  const hasDefault = column.default !== undefined || isFilled(wanted, context);
  const count = wanted.isRequired || copy !== undefined || hasDefault ? await context.counter.rows(actual.name) : 0;
  const isEmpty = count === 0;
  const needsValue = wanted.isRequired && !isEmpty;
  const isGiven = needsValue || (!isEmpty && copy === undefined && isFilled(wanted, context));
  const fill = isGiven ? await findFill(table, wanted, context) : undefined;
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
  // A default applies to all rows at once; SQLite cannot add a foreign key with a default.
  const isLater =
    needsValue && (copy !== undefined || column.default === undefined || fill !== column.default || isLed);
  const words = `Add the column ${wanted.name} (${wanted.type}) to ${table.name}`;
  const isTold = isLater || (copy === undefined && !isEmpty && hasDefault);
  const filled =
    isTold && missing.count > 0
      ? `, with ${printStored(wanted, fill ?? column.default, context)} in ${countRows(missing.count)}`
      : '';
  const restored = copy === undefined ? '' : `, with the values that ${copy} kept`;
  const step: MigrationStep = {
    kind: 'add-column',
    class: isLater ? 'change' : 'add',
    table: table.name,
    column: wanted.name,
    words: `${words}${restored}${filled}.`,
    sql: buildSql({ column, from, actual, isLater, copy, ...(fill === undefined ? {} : { fill }) }, context),
    rowsAtRisk: 0,
    isNeeded: true,
    // Inserts of the former plan have no value for it.
    isBreaking: wanted.isRequired && wanted.default === undefined,
  };
  if (fill === undefined || (!isLater && wanted.isRequired)) return { column, from, steps: [step], isLater };
  // Remembered, so that an undo can tell this value from one that a user entered.
  return { column: { ...column, fill }, from, steps: [step], isLater, fill };
}

/**
 * Whether rows that are there get the default of an optional field that cannot be the column's own: a list, or the time.
 * A time of creation or of a change is nobody's default.
 */
function isFilled({ isRequired, fill, default: value, field }: TableColumn, { undo }: PlanContext): boolean {
  if (isRequired || value !== undefined || fill === undefined || undo !== undefined) return false;
  return field !== undefined && field.type !== 'created' && field.type !== 'updated';
}

interface AddedColumn {
  readonly column: TableColumn;
  readonly from: string;
  readonly actual: ActualTable;
  readonly isLater: boolean;
  readonly copy: string | undefined;
  readonly fill?: string | number;
}

function buildSql({ column, from, actual, isLater, copy, fill }: AddedColumn, context: PlanContext): string[] {
  const { dialect } = context;
  const { references, default: value, ...rest } = column;
  // A default would fill rows that had null before.
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
  if (!column.isRequired && fill !== undefined) lines.push(`update ${table} set ${name} = ${toLiteral(fill)}`);
  // On SQLite the table rebuild fills the column and adds its constraint.
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
  const path = toColumnPath(table, wanted);
  const isKey = wanted.references !== undefined;
  // One value for all rows would be refused next.
  const isUnique = table.indexes.some(({ columns, isUnique }) => isUnique && columns.join() === wanted.name);
  const needsOwn = isUnique && count > 1;
  const give = `treadle migrate --default ${path}=…`;
  return {
    kind: 'add-column',
    class: 'change',
    table: table.name,
    column: wanted.name,
    words: `Add the column ${wanted.name} (${wanted.type}) to ${table.name}.`,
    sql: [],
    rowsAtRisk: count,
    isNeeded: true,
    ...(needsOwn ? {} : { asks: path }),
    refusal: createProblem(table, wanted.path ?? '', {
      code: 'MIGRATION_COLUMN_REQUIRED',
      message: `${wanted.name} is required and new, but ${table.name} has ${named} without a value for it.`,
      hint: needsOwn
        ? `Each row needs a value of its own: leave out "required", run treadle migrate, give the rows their values, then add "required" again.`
        : isKey
          ? `Name the row that they refer to: ${give}`
          : `Give the field a default, or one for those rows: ${give}`,
    }),
  };
}

/** Whether SQLite must rebuild the table: for a default after restored values, or a later constraint. */
export const needsRebuild = ({ isLater, column }: Addition, isRestored: boolean): boolean =>
  isLater || (isRestored && column.default !== undefined);
