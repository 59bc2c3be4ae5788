import { columnType, fieldKinds } from '../model/field-kind.ts';
import type { ColumnModel, SchemaModel } from '../model/model.ts';

/** A column as a search knows it. */
export interface SourceColumn {
  /** Name in rows. */
  readonly name: string;
  /** Alias of its table in statements: `t`, or `j0`, `j1`… for the 1:1 relations, `r` for one that rows are found by. */
  readonly alias: string;
  /** Name in its table. */
  readonly column: string;
  /** How values are read and compared. */
  readonly type: 'integer' | 'number' | 'text' | 'date' | 'moment' | 'flag' | 'json';
  readonly isNullable: boolean;
  /** Stored as a whole number: one with a fraction is no value of it. */
  readonly isWhole?: boolean;
  /** What a path within a JSON column leads to, as one of the two kinds that are in order; the path is in a slot. */
  readonly part?: { readonly slot: number; readonly kind: 'text' | 'number' };
}

const TYPES: Readonly<Record<string, SourceColumn['type']>> = {
  date: 'date',
  datetime: 'moment',
  created: 'moment',
  updated: 'moment',
  checkbox: 'flag',
  switch: 'flag',
  active: 'flag',
};

function toType({ field }: ColumnModel): SourceColumn['type'] {
  const kind = fieldKinds[field.type];
  if (kind.isJson) return 'json';
  const special = TYPES[field.type];
  if (special !== undefined) return special;
  return kind.sql?.sqlite === 'text' ? 'text' : 'number';
}

function toSourceColumn(model: ColumnModel, alias: string): SourceColumn {
  const type = toType(model);
  const column = { name: model.name, alias, column: model.name, type, isNullable: !model.isRequired };
  const isWhole = type === 'number' && columnType(model.field, 'sqlite') === 'integer';
  return isWhole ? { ...column, isWhole } : column;
}

export const toKey = (name: string, alias: string, isNullable: boolean): SourceColumn => ({
  name,
  alias,
  column: name,
  type: 'integer',
  isNullable,
});

/** Foreign keys in a schema's own table: its own 1:1 and 1:0, and the parents' of 1:N. */
export function listForeignKeys(schema: SchemaModel): { readonly column: string; readonly isNullable: boolean }[] {
  const keys: { column: string; isNullable: boolean }[] = [];
  for (const { kind, targetColumn } of schema.relations) {
    if (targetColumn !== undefined && kind !== 'N:N') keys.push({ column: targetColumn, isNullable: kind !== '1:1' });
  }
  for (const { kind, sourceColumn } of schema.reverse) {
    if (kind === '1:N' && sourceColumn !== undefined) keys.push({ column: sourceColumn, isNullable: true });
  }
  return keys;
}

/** The columns of a schema's own table by name, but for passwords: primary key, fields, foreign keys. */
export function listOwnColumns(schema: SchemaModel, alias: string): Map<string, SourceColumn> {
  const columns = new Map([[schema.primary, toKey(schema.primary, alias, false)]]);
  for (const model of schema.columns) {
    const kind = fieldKinds[model.field.type];
    if (kind.sql && !kind.isSecret) columns.set(model.name, toSourceColumn(model, alias));
  }
  for (const { column, isNullable } of listForeignKeys(schema)) {
    if (!columns.has(column)) columns.set(column, toKey(column, alias, isNullable));
  }
  return columns;
}

/** Those of a schema's own columns that `filter` may name: keys, the `active` column, and what is flagged. */
export function listFilterable(schema: SchemaModel, alias: string): Map<string, SourceColumn> {
  const flagged = new Set(schema.columns.filter(({ isFilterable }) => isFilterable).map(({ name }) => name));
  if (schema.active !== undefined) flagged.add(schema.active);
  const own = listOwnColumns(schema, alias);
  return new Map([...own].filter(([name, { type }]) => type === 'integer' || flagged.has(name)));
}
