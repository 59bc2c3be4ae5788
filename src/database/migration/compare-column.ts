import { type CopyNote, countRows, createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualColumn, ActualTable } from '../structure.ts';
import type { Table, TableColumn, TableReference } from '../table.ts';
import {
  findMemory,
  isReachable,
  type PlanContext,
  printStored,
  readDefault,
  toColumnPath,
  toPresent,
} from './context.ts';
import { type Conversion, type Scan, scanValues } from './convert.ts';
import { toStorage } from './convert-value.ts';
import type { BlockingRows } from './count.ts';
import { changesUnits, isReshaped, isSameDefault, nameTypes } from './decimal-shape.ts';
import { findFill } from './fill.ts';

/** One change of a column; the dialect decides how. */
export interface Part {
  readonly aspect: 'type' | 'values' | 'required' | 'default' | 'reference';
  readonly step: MigrationStep;
  readonly conversion?: Conversion;
  /** Name of the copy of the former values. */
  readonly copy?: string;
  /** Value for rows that have none. */
  readonly fill?: string | number;
}

/** A column as it is, as wanted, and the changes between. */
export interface ColumnChange {
  /** As wanted, by future names. */
  readonly column: TableColumn;
  readonly from: ActualColumn;
  readonly parts: readonly Part[];
  readonly refused: readonly MigrationStep[];
}

export interface ColumnPair {
  readonly table: Table;
  readonly wanted: TableColumn;
  readonly actualTable: ActualTable;
  readonly actual: ActualColumn;
}

interface ColumnComparison {
  readonly part?: Part;
  readonly refusal?: MigrationStep;
  /** Rows without a value after conversion. */
  readonly empty?: BlockingRows;
}

interface ColumnProblem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const listIds = (ids: BlockingRows['ids'], count: number): string =>
  ids.length === 0 ? '' : ` (${ids.join(', ')}${count > ids.length ? ', …' : ''})`;

/** `5 rows (1, 2, 7, …)` */
export const nameRows = ({ count, ids }: BlockingRows): string => `${countRows(count)}${listIds(ids, count)}`;

function createStep(pair: ColumnPair, words: string, more: Partial<MigrationStep> = {}): MigrationStep {
  const { table, wanted } = pair;
  return {
    kind: 'alter-column',
    class: 'change',
    table: table.name,
    column: wanted.name,
    words: `In ${table.name}, ${words}.`,
    sql: [],
    rowsAtRisk: 0,
    isNeeded: true,
    isBreaking: true,
    ...more,
  };
}

function refuse(
  pair: ColumnPair,
  words: string,
  found: BlockingRows,
  problem: ColumnProblem & Partial<MigrationStep>,
): MigrationStep {
  const { code, message, hint, ...more } = problem;
  const refusal = createProblem(pair.table, pair.wanted.path ?? '', { code, message, hint });
  return createStep(pair, words, { rowsAtRisk: found.count, rows: found.ids, refusal, ...more });
}

/** Records a copy of changed values and returns its name. */
export function noteCopy(context: PlanContext, note: Omit<CopyNote, 'copy'>): string {
  const copy = context.nextCopy();
  context.draft.copies.push({ copy, ...note });
  return copy;
}

async function compareMeaning(pair: ColumnPair, context: PlanContext): Promise<ColumnComparison> {
  const { table, wanted, actual, actualTable } = pair;
  const known = findMemory(context, actualTable.name, actual.name);
  const [from, to] = [toStorage(actual.type), toStorage(wanted.type)];
  const isShaped = isReshaped(known, wanted);
  const isRetyped = known?.field !== undefined && wanted.field !== undefined && known.field.type !== wanted.field.type;
  const isOther = isRetyped || isShaped;
  const reverts = context.undo?.values.get(`${table.name}.${wanted.name}`) ?? [];
  if (from === to && !isOther && reverts.length === 0) return {};
  const [key] = actualTable.primaryKey;
  const isStored = from !== to || (isShaped && actual.type !== wanted.type);
  const words = `${wanted.name} becomes ${nameTypes([wanted, wanted.type], [known, actual.type], isShaped)}`;
  if (key === undefined || actualTable.primaryKey.length > 1 || actual.name === key) {
    const count = await context.counter.values(actualTable.name, actual.name);
    if (count.count === 0) return isStored ? { part: { aspect: 'type', step: createStep(pair, words) } } : {};
    return { refusal: refuseType(pair, words, { count: count.count, ids: [] }, 'is a key') };
  }
  const fill = wanted.isRequired ? await findFill(table, wanted, context) : undefined;
  const conversion: Conversion = {
    table: actualTable.name,
    key,
    column: actual.name,
    from: { field: known?.field, storage: from, dialect: context.dialect },
    to: { field: wanted.field, storage: to, dialect: context.dialect },
    isRead: isStored || isOther,
    fallback: fill ?? null,
    isLosing: context.isLossAllowed,
    reverts,
  };
  const scan = await scanValues(context.database, conversion);
  const rows = await context.counter.rows(actualTable.name);
  const empty = { count: rows - scan.read + scan.empty.count, ids: scan.empty.ids };
  const judged = { pair, conversion, scan, isStored, words: conversion.isRead ? words : undefined };
  return { empty, ...judgeScan(judged, context) };
}

function refuseType(pair: ColumnPair, words: string, found: BlockingRows, why: string): MigrationStep {
  const { wanted } = pair;
  return refuse(pair, words, found, {
    class: 'lose',
    code: 'MIGRATION_TYPE_LOSES',
    message: `${nameRows(found)} of ${pair.table.name} ${found.count === 1 ? 'has' : 'have'} a ${wanted.name} that does not fit: it ${why}.`,
    hint: 'Correct those values first, keep the type, or drop them, keeping a copy: treadle migrate --allow-loss.',
  });
}

interface JudgedColumn {
  readonly pair: ColumnPair;
  readonly conversion: Conversion;
  readonly scan: Scan;
  /** True if the type of the column changes. */
  readonly isStored: boolean;
  /** Undefined if values only return to their former form. */
  readonly words: string | undefined;
}

function judgeScan({ pair, conversion, scan, isStored, words }: JudgedColumn, context: PlanContext): ColumnComparison {
  const { wanted, table, actual } = pair;
  const found: BlockingRows = { count: scan.failed, ids: scan.ids };
  const text = words ?? `${wanted.name} gets back what a migration changed`;
  const aspect = isStored ? 'type' : 'values';
  const isOtherForm = isStored || changesUnits(conversion);
  if (scan.total === 0 && scan.changed === 0) {
    // Checked again when applied: a value inserted in between must not be cast unchecked.
    return isOtherForm ? { part: { aspect, step: createStep(pair, text), conversion } } : {};
  }
  if (scan.failed > 0 && !context.isLossAllowed) return { refusal: refuseType(pair, text, found, scan.why) };
  if (scan.failed + scan.emptied > 0 && wanted.isRequired && conversion.fallback === null) {
    const empty = refuseEmpty(pair, { count: scan.failed + scan.emptied, ids: scan.empty.ids });
    return { refusal: { ...empty, isNeeded: true } };
  }
  const told = conversion.isRead ? ` (${countRows(scan.total)} read as it)` : ` in ${countRows(scan.changed)}`;
  const copy =
    scan.changed === 0
      ? undefined
      : noteCopy(context, { kind: 'values', table: table.name, column: actual.name, rows: scan.changed });
  const lost = scan.failed === 0 ? '' : `; ${nameRows(found)} ${scan.failed === 1 ? 'loses its' : 'lose their'} value`;
  const kept = copy === undefined ? '' : `; former values are kept in ${copy}`;
  const step = createStep(pair, `${text}${told}${lost}${kept}`, {
    class: scan.failed > 0 ? 'lose' : 'change',
    kind: conversion.isRead ? 'alter-column' : 'restore-values',
    rowsAtRisk: scan.failed,
    rows: scan.ids,
    isNeeded: isOtherForm || scan.changed > 0,
    isBreaking: isOtherForm || scan.changed > 0,
    ...(copy === undefined ? {} : { copy }),
  });
  return { part: { aspect, step, conversion, ...(copy === undefined ? {} : { copy }) } };
}

function refuseEmpty(pair: ColumnPair, found: BlockingRows): MigrationStep {
  const { table, wanted } = pair;
  const path = toColumnPath(table, wanted);
  const isKey = wanted.references !== undefined;
  const give = `treadle migrate --default ${path}=…`;
  return refuse(pair, `${wanted.name} must not be empty`, found, {
    code: 'MIGRATION_ROWS_EMPTY',
    message: `The ${isKey ? 'relation' : 'field'} is required, but ${wanted.name} is empty in ${nameRows(found)} of ${table.name}.`,
    hint: isKey
      ? `Name the row that they refer to: ${give}`
      : `Give the field a default, or one for those rows: ${give}`,
    isNeeded: false,
    asks: path,
  });
}

/** Whether several rows would get the same value in a unique column. */
async function isSharing(
  { table, wanted, actual, actualTable }: ColumnPair,
  fill: string | number,
  count: number,
  { counter }: PlanContext,
): Promise<boolean> {
  const isUnique = table.indexes.some((index) => index.isUnique && index.columns.join() === wanted.name);
  return isUnique && (count > 1 || (await counter.has(actualTable.name, actual.name, fill)));
}

function refuseShared(pair: ColumnPair, found: BlockingRows): MigrationStep {
  const { table, wanted } = pair;
  return refuse(pair, `${wanted.name} must not be empty`, found, {
    code: 'MIGRATION_ROWS_SHARED',
    message: `${wanted.name} is required and unique, so ${nameRows(found)} of ${table.name} without a value cannot share one.`,
    hint: 'Give each of those rows a different value first, or leave the field without "required".',
    isNeeded: false,
  });
}

async function compareRequired(
  pair: ColumnPair,
  empty: BlockingRows | undefined,
  context: PlanContext,
): Promise<ColumnComparison> {
  const { table, wanted, actual, actualTable } = pair;
  if (actualTable.primaryKey.includes(actual.name)) return {};
  if (!wanted.isRequired) {
    if (!actual.isRequired) return {};
    return {
      part: { aspect: 'required', step: createStep(pair, `${wanted.name} becomes optional`, { isBreaking: false }) },
    };
  }
  const found = empty ?? (await context.counter.nulls(actualTable.name, actual.name, actualTable.primaryKey));
  if (actual.isRequired && found.count === 0) return {};
  const words = `${wanted.name} must not be empty`;
  if (found.count === 0) return { part: { aspect: 'required', step: createStep(pair, words, { isNeeded: false }) } };
  const fill = await findFill(table, wanted, context);
  if (fill === undefined) return { refusal: refuseEmpty(pair, found) };
  if (await isSharing(pair, fill, found.count, context)) return { refusal: refuseShared(pair, found) };
  const copy = noteCopy(context, { kind: 'values', table: table.name, column: actual.name, rows: found.count });
  const told = `${words}: ${countRows(found.count)} without a value ${found.count === 1 ? 'gets' : 'get'} ${printStored(wanted, fill, context)}`;
  const step = createStep(pair, `${told}; which they were is kept in ${copy}`, { isNeeded: false, copy });
  return { part: { aspect: 'required', step, copy, fill } };
}

const isSameReference = (a: TableReference | undefined, b: TableReference | undefined): boolean =>
  a?.table === b?.table && (a?.column === b?.column || a?.column === '') && a?.onDelete === b?.onDelete;

async function compareReference(pair: ColumnPair, context: PlanContext): Promise<ColumnComparison> {
  const { wanted, actual, actualTable } = pair;
  const future = wanted.references && isReachable(wanted.references, context) ? wanted.references : undefined;
  const present = future && toPresent(future, context);
  if (isSameReference(actual.references, present)) return {};
  if (future === undefined || present === undefined) {
    return { part: { aspect: 'reference', step: createStep(pair, `${wanted.name} loses its foreign key`) } };
  }
  const words = `${wanted.name} refers to ${future.table} (on delete ${future.onDelete})`;
  // If an undo restores the table, its rows are in the copy.
  const copy = context.undo?.tables.get(future.table);
  const target = copy === undefined ? present : { ...future, table: copy };
  const { counter, structure } = context;
  const orphans = structure.tables.get(target.table)?.columns.has(target.column)
    ? await counter.orphans(actualTable.name, actual.name, target, actualTable.primaryKey)
    : await counter.values(actualTable.name, actual.name, actualTable.primaryKey);
  const isTighter = actual.references !== undefined && future.onDelete !== 'restrict';
  if (orphans.count === 0) {
    return {
      part: { aspect: 'reference', step: createStep(pair, words, { isNeeded: false, isBreaking: !isTighter }) },
    };
  }
  const message = `${nameRows(orphans)} of ${pair.table.name} ${orphans.count === 1 ? 'has' : 'have'} a ${wanted.name} that no row of ${future.table} has.`;
  const hint = `Correct or empty ${wanted.name} in those rows first.`;
  return { refusal: refuse(pair, words, orphans, { code: 'MIGRATION_ROWS_ORPHANED', message, hint, isNeeded: false }) };
}

function compareDefault(pair: ColumnPair, context: PlanContext): ColumnComparison {
  const { wanted, actual, actualTable } = pair;
  const to = wanted.default === undefined ? undefined : String(wanted.default);
  if (isSameDefault(readDefault(actual.default), to, wanted) || actualTable.primaryKey.includes(actual.name)) return {};
  const words =
    to === undefined
      ? `${wanted.name} has no default`
      : `${wanted.name} is ${wanted.field?.type === 'decimal' ? printStored(wanted, to, context) : to} by default`;
  // Without its default a required column would refuse the former plan's inserts.
  const isBreaking = to === undefined && wanted.isRequired;
  return { part: { aspect: 'default', step: createStep(pair, words, { isNeeded: false, isBreaking }) } };
}

/** A refused type change leaves the column as it is; a refused constraint change keeps the old constraint. */
function asIs({ wanted, actual }: ColumnPair, known: TableColumn | undefined): TableColumn {
  const { field, fill, was, default: _, references: __, ...rest } = wanted;
  const text = readDefault(actual.default);
  const value = text === undefined || actual.default?.startsWith("'") ? text : Number(text);
  const isKept = value !== undefined && !Number.isNaN(value);
  return {
    ...rest,
    type: actual.type,
    isRequired: actual.isRequired,
    ...(isKept ? { default: value } : {}),
    ...(known?.field === undefined ? {} : { field: known.field }),
    ...(fill === undefined ? {} : { fill }),
    ...(was === undefined ? {} : { was }),
  };
}

/** All differences between an existing column and the wanted one. */
export async function compareColumn(pair: ColumnPair, context: PlanContext): Promise<ColumnChange> {
  const { wanted, actual, actualTable } = pair;
  const meaning = await compareMeaning(pair, context);
  if (meaning.refusal !== undefined) {
    const kept = asIs(pair, findMemory(context, actualTable.name, actual.name));
    const references = toFutureReference(actual.references, context);
    const column = references === undefined ? kept : { ...kept, references };
    return { column, from: actual, parts: [], refused: [meaning.refusal] };
  }
  const reference = await compareReference(pair, context);
  // A foreign key that still points to the old table must not get rows of the new one.
  const isHeld = reference.refusal !== undefined && wanted.isRequired;
  const required: ColumnComparison = isHeld ? {} : await compareRequired(pair, meaning.empty, context);
  const compared = [meaning, required, reference, compareDefault(pair, context)];
  const { references: led, ...plain } = wanted;
  const isLed = led !== undefined && isReachable(led, context);
  const references =
    reference.refusal !== undefined ? toFutureReference(actual.references, context) : isLed ? led : undefined;
  return {
    column: {
      ...plain,
      isRequired: required.refusal !== undefined ? false : isHeld ? actual.isRequired : wanted.isRequired,
      ...(references === undefined ? {} : { references }),
    },
    from: actual,
    parts: compared.flatMap(({ part }) => part ?? []),
    refused: compared.flatMap(({ refusal }) => refusal ?? []),
  };
}

/** An existing reference by future names. */
function toFutureReference(present: TableReference | undefined, context: PlanContext): TableReference | undefined {
  if (present === undefined) return undefined;
  const table = context.toFuture(present.table);
  const wanted = context.wanted.find(({ name }) => name === table);
  const column = wanted?.columns.find(({ name }) => context.findColumn(table, name) === present.column)?.name;
  return { table, column: column ?? present.column, onDelete: present.onDelete };
}
