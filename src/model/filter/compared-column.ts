import { columnType, fieldKinds } from '../field/field-kind.ts';
import { readDecimalShape } from '../field/field-kind-decimal.ts';
import type { ColumnModel } from '../model.ts';
import { createReader, type KindReader } from './read-kind.ts';

/** How the values of a column are parsed and compared. */
export interface ComparedColumn {
  readonly type: 'integer' | 'number' | 'decimal' | 'text' | 'date' | 'moment' | 'flag' | 'json';
  /** True if values are integers: no row equals a fraction. */
  readonly isWhole?: boolean;
  /** Reads the values of filters as bodies are read; undefined if the type alone says how. */
  readonly reader?: KindReader;
  /** For doubles: the decimals that a sum adds up exactly. */
  readonly decimals?: number;
  /** For decimals: digits after the point. */
  readonly scale?: number;
  /** The keys that its values can have; undefined if any value is possible. */
  readonly options?: ReadonlySet<string>;
  /** True for the column that marks removed rows. */
  readonly isActive?: boolean;
}

/** Decimals of the types that have a fixed number of them, and of the others. */
const DECIMALS: Readonly<Record<string, number>> = { price: 2, stars: 1 };
const MOST_DECIMALS = 6;

const TYPES: Readonly<Record<string, ComparedColumn['type']>> = {
  date: 'date',
  datetime: 'moment',
  created: 'moment',
  updated: 'moment',
  checkbox: 'flag',
  switch: 'flag',
  active: 'flag',
  decimal: 'decimal',
};

/** Lists of options, by key. */
const isChoices = (type: string): boolean => type === 'multiselect' || type === 'checkboxes';

function toType({ field }: Pick<ColumnModel, 'field'>): ComparedColumn['type'] {
  const kind = fieldKinds[field.type];
  if (kind.isJson) return 'json';
  const special = TYPES[field.type];
  if (special !== undefined) return special;
  return kind.sql?.sqlite === 'text' ? 'text' : 'number';
}

/** The column of a field. */
export function createComparedColumn(model: Pick<ColumnModel, 'field'>): ComparedColumn {
  const type = toType(model);
  const reader = createReader(model.field);
  const column = { type, ...(reader === undefined ? {} : { reader }) };
  if (type === 'decimal') return { ...column, scale: readDecimalShape(model.field).scale };
  if (model.field.type === 'active') return { ...column, isActive: true };
  const { options = [] } = model.field;
  if (fieldKinds[model.field.type].group === 'option' || isChoices(model.field.type)) {
    if (options.length > 0) return { ...column, options: new Set(options.map(({ key }) => key)) };
  }
  const isWhole = type === 'number' && columnType(model.field, 'sqlite') === 'integer';
  if (isWhole) return { ...column, isWhole };
  return type === 'number' ? { ...column, decimals: DECIMALS[model.field.type] ?? MOST_DECIMALS } : column;
}

/** The column of a primary or foreign key. */
export const KEY_COLUMN: ComparedColumn = { type: 'integer' };
