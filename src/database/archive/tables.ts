import { createHash } from 'node:crypto';
import type { Dialect } from '../database.ts';
import { toStoredDecimal } from '../stored-decimal.ts';
import type { Table, TableColumn } from '../table.ts';
import { CHANGE_TABLE, STATISTICS_TABLE, VERSION_TABLE } from '../version/table-version.ts';
import { isWordsTable } from '../words/word-table.ts';
import type { ArchiveColumn, ArchiveTable, ColumnKind } from './shape.ts';

const DERIVED: ReadonlySet<string> = new Set(['treadle_words', CHANGE_TABLE, VERSION_TABLE, STATISTICS_TABLE]);

/** Derived tables: the word index of `q` and its state, the writes of late, and when rows were counted for the planner. */
export const isLeftOut = (name: string): boolean => isWordsTable(name) || DERIVED.has(name);

const TYPES: Readonly<Record<Dialect, Readonly<Record<ColumnKind, string>>>> = {
  sqlite: {
    ...{ integer: 'integer', real: 'real', text: 'text', json: 'text', blob: 'blob' },
    ...{ decimal: 'integer', other: 'text' },
  },
  postgres: {
    integer: 'bigint',
    real: 'double precision',
    text: 'text collate "C"',
    json: 'jsonb',
    blob: 'bytea',
    decimal: 'numeric',
    other: 'text collate "C"',
  },
};

function toType({ kind, type, precision, scale }: ArchiveColumn, to: Dialect, from: Dialect): string {
  if (kind === 'decimal' && to === 'postgres') return `numeric(${precision},${scale})`;
  if (from === to && type !== undefined) return type;
  // A column of SQLite without a type keeps each value as it is.
  return kind === 'other' && from === 'sqlite' && to === 'sqlite' ? '' : TYPES[to][kind];
}

function toColumn(column: ArchiveColumn, to: Dialect, from: Dialect): TableColumn {
  const { name, kind, scale = 0, isRequired, references } = column;
  const value = kind === 'decimal' ? toStoredDecimal(column.default, scale, to) : column.default;
  return {
    name,
    type: toType(column, to, from),
    isRequired,
    ...(value === undefined ? {} : { default: value }),
    ...(references === undefined ? {} : { references }),
  };
}

/** The table in another dialect. */
export function toTable(table: ArchiveTable, to: Dialect, from: Dialect): Table {
  return {
    name: table.name,
    columns: table.columns.map((column) => toColumn(column, to, from)),
    primaryKey: table.primaryKey,
    isCounting: table.isCounting,
    indexes: table.indexes,
  };
}

/** Digest of all tables, columns and types of a model; ignores positions in files. */
export function digestModel(wanted: readonly Table[]): string {
  const parts = wanted
    .map(({ name, columns, primaryKey, indexes }) => ({
      name,
      primaryKey,
      columns: columns.map(({ name: column, type, isRequired, references }) => [column, type, isRequired, references]),
      indexes: indexes.map((index) => index.name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
