import { columnType, fieldKinds } from '../model/field-kind.ts';
import type { ColumnModel, FlatColumn, SchemaModel } from '../model/model.ts';
import { type KindReader, toReader } from './read-kind.ts';

/** A column that a search can read. */
export interface SourceColumn {
  /** Name in rows. */
  readonly name: string;
  /**
   * Alias of its table: `t` for the searched table, `j0`, `j1`… for 1:1 relations, `r` for related rows in a
   * filter.
   */
  readonly alias: string;
  /** Name in its table. */
  readonly column: string;
  /** How values are parsed and compared. */
  readonly type: 'integer' | 'number' | 'text' | 'date' | 'moment' | 'flag' | 'json';
  readonly isNullable: boolean;
  /** True if values are integers: no row equals a fraction. */
  readonly isWhole?: boolean;
  /** Reads the values of filters as bodies are read; undefined if the type alone says how. */
  readonly reader?: KindReader;
  /** For doubles: the decimals that a sum adds up exactly. */
  readonly decimals?: number;
  /** The keys that its values can have; undefined if any value is possible. */
  readonly options?: ReadonlySet<string>;
  /** True for the column that marks removed rows. */
  readonly isActive?: boolean;
  /** The value at a path within a JSON column, as one of the two kinds that sort; the path is in a slot. */
  readonly part?: { readonly slot: number; readonly kind: 'text' | 'number' };
}

/** Decimals of the types that have a fixed number of them, and of the others. */
const DECIMALS: Readonly<Record<string, number>> = { price: 2, stars: 1 };
const MOST_DECIMALS = 6;

/** True for a column of doubles. */
export const isReal = ({ type, isWhole, part }: SourceColumn): boolean =>
  type === 'number' && isWhole !== true && part === undefined;

const TYPES: Readonly<Record<string, SourceColumn['type']>> = {
  date: 'date',
  datetime: 'moment',
  created: 'moment',
  updated: 'moment',
  checkbox: 'flag',
  switch: 'flag',
  active: 'flag',
};

/** Lists of options, by key. */
const isChoices = (type: string): boolean => type === 'multiselect' || type === 'checkboxes';

function toType({ field }: ColumnModel): SourceColumn['type'] {
  const kind = fieldKinds[field.type];
  if (kind.isJson) return 'json';
  const special = TYPES[field.type];
  if (special !== undefined) return special;
  return kind.sql?.sqlite === 'text' ? 'text' : 'number';
}

function toSourceColumn(model: ColumnModel, alias: string): SourceColumn {
  const type = toType(model);
  const reader = toReader(model.field);
  const column = {
    ...{ name: model.name, alias, column: model.name, type, isNullable: !model.isRequired },
    ...(reader === undefined ? {} : { reader }),
  };
  if (model.field.type === 'active') return { ...column, isActive: true };
  const { options = [] } = model.field;
  if (fieldKinds[model.field.type].group === 'option' || isChoices(model.field.type)) {
    if (options.length > 0) return { ...column, options: new Set(options.map(({ key }) => key)) };
  }
  const isWhole = type === 'number' && columnType(model.field, 'sqlite') === 'integer';
  if (isWhole) return { ...column, isWhole };
  return type === 'number' ? { ...column, decimals: DECIMALS[model.field.type] ?? MOST_DECIMALS } : column;
}

export const toKey = (name: string, alias: string, isNullable: boolean): SourceColumn => ({
  name,
  alias,
  column: name,
  type: 'integer',
  isNullable,
});

/** The columns of a schema's own table by name, without passwords: primary key, fields, foreign keys. */
export function listOwnColumns({ row }: SchemaModel, alias: string): Map<string, SourceColumn> {
  const columns = new Map([[row.primary, toKey(row.primary, alias, false)]]);
  for (const model of row.shown) columns.set(model.name, toSourceColumn(model, alias));
  for (const { column, isNullable } of row.keys) columns.set(column, toKey(column, alias, isNullable));
  return columns;
}

/** A column of a 1:1 relation, as a column of the searched schema. */
export function toFlatColumn({ name, column, model }: FlatColumn, alias: string): SourceColumn {
  const own = model === undefined ? toKey(column, alias, true) : toSourceColumn(model, alias);
  return { ...own, name, isNullable: true };
}

/** A schema's own columns that `filter` accepts: keys, `active`, and filterable fields. */
export function listFilterable(schema: SchemaModel, alias: string): Map<string, SourceColumn> {
  const flagged = new Set(schema.columns.filter(({ isFilterable }) => isFilterable).map(({ name }) => name));
  if (schema.active !== undefined) flagged.add(schema.active);
  const own = listOwnColumns(schema, alias);
  return new Map([...own].filter(([name, { type }]) => type === 'integer' || flagged.has(name)));
}
