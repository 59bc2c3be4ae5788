import type { Kysely } from 'kysely';
import type { Row } from './database.ts';
import type { RowCounter } from './migration-count.ts';
import type { ActualColumn, ActualTable, Structure } from './structure.ts';
import type { Table, TableColumn, TableReference } from './table.ts';

/** How a column that is there differs from what is wanted. */
export interface Difference {
  readonly words: string;
  readonly isNeeded: boolean;
  /** Why it cannot be done without loss: rows, rule and remedy. */
  readonly obstacle?: { readonly code: string; readonly rows: number; readonly message: string; readonly hint: string };
}

export interface ColumnPair {
  readonly table: Table;
  readonly wanted: TableColumn;
  readonly actual: ActualColumn;
}

export interface CompareTools {
  readonly structure: Structure;
  readonly counter: RowCounter;
  readonly kysely: Kysely<Record<string, Row>>;
  readonly wanted: readonly Table[];
}

/** SQLite's rules of affinity: the types that store alike are one. */
export function toAffinity(type: string): string {
  const name = type.toLowerCase();
  if (name.includes('int')) return 'integer';
  if (/char|clob|text/.test(name)) return 'text';
  if (name === '' || name.includes('blob')) return 'blob';
  if (/real|floa|doub/.test(name)) return 'real';
  return 'numeric';
}

/** A default as SQL text, without quotes and parentheses that change nothing. */
function toDefaultText(value: string | number | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && value.toLowerCase() === 'null')) return undefined;
  return String(value);
}

function readDefault(text: string | undefined): string | undefined {
  const quoted = /^'(.*)'$/s.exec(text ?? '');
  return quoted ? (quoted[1] ?? '').replaceAll("''", "'") : toDefaultText(text);
}

const isSameReference = (a: TableReference | undefined, b: TableReference | undefined): boolean =>
  a?.table === b?.table && (a?.column === b?.column || a?.column === '') && a?.onDelete === b?.onDelete;

const rows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

async function compareType({ table, wanted, actual }: ColumnPair, tools: CompareTools): Promise<Difference[]> {
  const [from, to] = [toAffinity(actual.type), toAffinity(wanted.type)];
  if (from === to) return [];
  const words = `${wanted.name} becomes ${to} instead of ${from}`;
  const count = await tools.counter.values(table.name, wanted.name);
  if (count === 0) return [{ words, isNeeded: true }];
  const obstacle = {
    code: 'MIGRATION_TYPE_LOSES',
    rows: count,
    message: `The column ${wanted.name} would change from ${from} to ${to} in ${rows(count)}.`,
    hint: 'Add a field with a new name and copy the values, or keep the type.',
  };
  return [{ words, isNeeded: true, obstacle }];
}

async function compareRequired({ table, wanted, actual }: ColumnPair, tools: CompareTools): Promise<Difference[]> {
  if (wanted.isRequired === actual.isRequired || table.primaryKey.includes(wanted.name)) return [];
  if (!wanted.isRequired) return [{ words: `${wanted.name} may be empty`, isNeeded: true }];
  const words = `${wanted.name} must not be empty`;
  const count = await tools.counter.nulls(table.name, wanted.name);
  if (count === 0) return [{ words, isNeeded: false }];
  const obstacle = {
    code: 'MIGRATION_ROWS_EMPTY',
    rows: count,
    message: `The field is required, but ${wanted.name} is empty in ${rows(count)} of ${table.name}.`,
    hint: 'Fill those rows first, or leave the field optional.',
  };
  return [{ words, isNeeded: false, obstacle }];
}

async function compareReference({ table, wanted, actual }: ColumnPair, tools: CompareTools): Promise<Difference[]> {
  const { references } = wanted;
  if (isSameReference(actual.references, references)) return [];
  if (references === undefined) return [{ words: `${wanted.name} leads nowhere any more`, isNeeded: true }];
  const words = `${wanted.name} leads to ${references.table} (on delete ${references.onDelete})`;
  const isThere = tools.structure.tables.get(references.table)?.columns.has(references.column);
  const count = isThere
    ? await tools.counter.orphans(table.name, wanted.name, references)
    : await tools.counter.values(table.name, wanted.name);
  if (count === 0) return [{ words, isNeeded: false }];
  const obstacle = {
    code: 'MIGRATION_ROWS_ORPHANED',
    rows: count,
    message: `${rows(count)} of ${table.name} have a ${wanted.name} that no row of ${references.table} has.`,
    hint: `Correct or empty ${wanted.name} in those rows first.`,
  };
  return [{ words, isNeeded: false, obstacle }];
}

function compareDefault({ table, wanted, actual }: ColumnPair): Difference[] {
  const [from, to] = [readDefault(actual.default), toDefaultText(wanted.default)];
  if (from === to || table.primaryKey.includes(wanted.name)) return [];
  return [
    {
      words: to === undefined ? `${wanted.name} has no default` : `${wanted.name} is ${to} by default`,
      isNeeded: false,
    },
  ];
}

export async function compareColumn(pair: ColumnPair, tools: CompareTools): Promise<Difference[]> {
  return [
    ...(await compareType(pair, tools)),
    ...(await compareRequired(pair, tools)),
    ...(await compareReference(pair, tools)),
    ...compareDefault(pair),
  ];
}

/** Columns that the model no longer names and that would refuse each new row. */
export function findObstinate(table: Table, actual: ActualTable): ActualColumn[] {
  const wanted = new Set(table.columns.map(({ name }) => name));
  const former = new Set(table.columns.map(({ was }) => was));
  return [...actual.columns.values()].filter(
    (column) =>
      !wanted.has(column.name) &&
      !former.has(column.name) &&
      column.isRequired &&
      column.default === undefined &&
      !actual.primaryKey.includes(column.name),
  );
}
