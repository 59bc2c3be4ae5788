import { findTriggerRule } from '../index/exclude-rule.ts';
import type { MigrationStep } from '../migration-step.ts';
import type { ActualColumn, ActualIndex, ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { createTableSql, quote, toLiteral } from '../table-sql.ts';
import { isTreeTrigger } from '../tree/trigger.ts';
import type { ColumnChange, Part } from './compare-column.ts';
import { type PlanContext, toPresent } from './context.ts';
import { keepValuesStep } from './convert-step.ts';
import { toStorage } from './convert-value.ts';
import { createCopySql, keepEmptySql, writeKeptSql } from './copy-sql.ts';

/** A column of a rebuilt table: its definition under its present name, and the expression that fills it. */
export interface RebuiltColumn {
  readonly column: TableColumn;
  readonly value: string;
}

/**
 * The steps of one column. The rebuild contains the SQL for types and constraints, so these steps have
 * little of their own.
 */
export function createSqliteSteps(
  change: ColumnChange,
  actual: ActualTable,
  isRebuilt: boolean,
  context: PlanContext,
): MigrationStep[] {
  return change.parts.map((part) => {
    const { step, conversion, copy, fill } = part;
    const { column, from } = change;
    if (conversion !== undefined) {
      const shape = { copy: copy ?? '', table: actual, former: from.type, later: column.type };
      const before = copy === undefined ? [] : [createCopySql(shape, 'sqlite')];
      const after = copy === undefined || isRebuilt ? [] : [writeKeptSql(actual, from.name, copy, 'kept.later')];
      return keepValuesStep(step, { before, after, conversion, copy });
    }
    if (copy === undefined || fill === undefined) return step;
    const shape = { copy, table: actual, former: from.type, later: column.type };
    return {
      ...step,
      sql: [createCopySql(shape, 'sqlite'), keepEmptySql(shape, from.name, fill, context.dialect)],
    };
  });
}

/** Expression that fills a column of the rebuilt table. */
export function createRebuiltColumn(
  { column, from, parts }: ColumnChange,
  actual: ActualTable,
  context: PlanContext,
): RebuiltColumn {
  const name = quote(from.name);
  const isCast = toStorage(from.type) !== toStorage(column.type);
  let value = isCast ? `cast(${name} as ${column.type})` : name;
  const converted = parts.find(({ conversion }) => conversion !== undefined);
  if (converted?.copy !== undefined) value = buildCopiedValue(converted, actual, value);
  const fill = parts.find((part) => part.fill !== undefined)?.fill;
  if (fill !== undefined) value = `coalesce(${value}, ${toLiteral(fill)})`;
  const { references, ...plain } = column;
  const present = references === undefined ? {} : { references: toPresent(references, context) };
  return { column: { ...plain, ...present, name: from.name }, value };
}

function buildCopiedValue({ copy = '' }: Part, { name, primaryKey: [key = ''] }: ActualTable, value: string): string {
  const id = `${quote(name)}.${quote(key)}`;
  const kept = `select later from ${quote(copy)} as kept where kept.key_1 = ${id}`;
  return `case when exists (${kept}) then (${kept}) else ${value} end`;
}

/** A column without a definition: kept, but optional and without a foreign key. */
function keepColumn(column: ActualColumn, isLed: boolean): string {
  const { name, type, default: value, references } = column;
  const column2 = references?.column === '' ? '' : ` (${quote(references?.column ?? '')})`;
  const rule =
    references === undefined || !isLed
      ? ''
      : ` references ${quote(references.table)}${column2} on delete ${references.onDelete}`;
  return `${quote(name)} ${type}${value === undefined ? '' : ` default (${value})`}${rule}`;
}

export interface Rebuild {
  readonly table: Pick<Table, 'isCounting'>;
  readonly actual: ActualTable;
  /** Wanted columns, by present names. */
  readonly columns: readonly RebuiltColumn[];
  /** Columns without a definition that stay, and whether they keep their foreign key. */
  readonly left: readonly { readonly column: ActualColumn; readonly isLed: boolean }[];
  readonly indexes: readonly ActualIndex[];
}

/**
 * SQLite cannot change a column in place: a new table is created, filled, and renamed to the old name. Runs
 * with foreign keys off, because dropping a table deletes the rows that refer to it. @see
 * https://www.sqlite.org/lang_altertable.html section 7
 */
export function rebuildSql({ table, actual, columns, left, indexes }: Rebuild): string[] {
  const temporary = `treadle_new_${actual.name}`;
  const made: Table = {
    name: temporary,
    columns: columns.map(({ column }) => column),
    primaryKey: actual.primaryKey,
    isCounting: table.isCounting,
    indexes: [],
  };
  const names = [...columns.map(({ column }) => quote(column.name)), ...left.map(({ column }) => quote(column.name))];
  const values = [...columns.map(({ value }) => value), ...left.map(({ column }) => quote(column.name))];
  return [
    createTableSql(made, { dialect: 'sqlite', hasKeys: true }),
    ...left.map(({ column, isLed }) => `alter table ${quote(temporary)} add column ${keepColumn(column, isLed)}`),
    `insert into ${quote(temporary)} (${names.join(', ')}) select ${values.join(', ')} from ${quote(actual.name)}`,
    ...(table.isCounting ? moveCounterSql(actual.name, temporary) : []),
    `drop table ${quote(actual.name)}`,
    // Otherwise triggers of other tables that name this one fail while it is missing.
    'pragma legacy_alter_table = on',
    `alter table ${quote(temporary)} rename to ${quote(actual.name)}`,
    'pragma legacy_alter_table = off',
    ...indexes.flatMap(({ sql }) => sql ?? []),
    // Those of trees are made again after the migration.
    ...actual.triggers.filter(
      (text) => !isTreeTrigger(text) && !isOfGone(text, actual, names) && hasIndex(text, indexes),
    ),
  ];
}

/** A trigger of a search index, or one that notes writes, that names a column which goes; it is made again after the migration. */
function isOfGone(trigger: string, { columns }: ActualTable, kept: readonly string[]): boolean {
  if (!/^create trigger "treadle_(?:words|version)_/i.test(trigger)) return false;
  return [...columns.keys()].map(quote).some((name) => !kept.includes(name) && trigger.includes(name));
}

/** A trigger of a rule of `exclude` stays with the rule's index; any other trigger is of no index. */
function hasIndex(trigger: string, indexes: readonly ActualIndex[]): boolean {
  const rule = findTriggerRule(trigger);
  return rule === undefined || indexes.some(({ name }) => name === rule);
}

/** Otherwise ids of deleted rows at the end would be reused. */
export function moveCounterSql(from: string, to: string): string[] {
  return [
    `delete from sqlite_sequence where name = ${toLiteral(to)}`,
    `insert into sqlite_sequence (name, seq) select ${toLiteral(to)}, seq from sqlite_sequence where name = ${toLiteral(from)}`,
  ];
}
