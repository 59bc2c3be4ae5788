import { memoize } from '../../core/memoize.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import { fromStoredDecimal, toStoredDecimal } from '../../database/stored-decimal.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { readDecimalShape } from '../../model/field/field-kind-decimal.ts';
import { decodeJson } from '../../model/json/json-value.ts';
import type { SchemaModel } from '../../model/model.ts';

/** Names of the columns that are stored as JSON. */
export const findJson = memoize(({ columns }: SchemaModel) =>
  columns.filter(({ field }) => fieldKinds[field.type].isJson).map(({ name }) => name),
);

/** Stored values as a search gives them. */
export function decodeRow(schema: SchemaModel, stored: Row): Row {
  const names = findJson(schema).filter((name) => Object.hasOwn(stored, name));
  if (names.length === 0) return stored;
  return { ...stored, ...Object.fromEntries(names.map((name) => [name, decodeJson(stored[name])])) };
}

/** True if a row reads otherwise than it was written: PostgreSQL gives the keys of a JSON value in an order of its own. */
export const readsOtherwise = ({ dialect }: Database, schema: SchemaModel, row: Row): boolean =>
  dialect === 'postgres' && findJson(schema).some((name) => Object.hasOwn(row, name));

/** Digits after the point of each column of decimals. Most schemas have none: their rows are written and read as they are. */
const findScales = memoize(
  ({ columns }: SchemaModel): ReadonlyMap<string, number> =>
    new Map(
      columns.flatMap(({ name, field }) => (field.type === 'decimal' ? [[name, readDecimalShape(field).scale]] : [])),
    ),
);

/** A decimal as the database stores it. @throws Error if its column cannot have it: nothing is rounded. */
function toStored(name: string, value: unknown, scale: number, { dialect }: Database): unknown {
  if (value === null || value === undefined) return value;
  const stored = toStoredDecimal(value, scale, dialect);
  if (stored === undefined) throw new Error(`${name} cannot store ${String(value).slice(0, 64)}.`);
  return stored;
}

/** A prepared row as the database stores it. */
export function toStoredRow(database: Database, schema: SchemaModel, row: Row): Row {
  const scales = findScales(schema);
  if (scales.size === 0) return row;
  const stored = { ...row };
  for (const [name, scale] of scales) {
    if (Object.hasOwn(row, name)) stored[name] = toStored(name, row[name], scale, database);
  }
  return stored;
}

/** A value to look for, as the database stores it; undefined if no row can have it. */
export function toStoredKey({ dialect }: Database, schema: SchemaModel, column: string, value: unknown): unknown {
  const scale = findScales(schema).get(column);
  return scale === undefined || value === null ? value : toStoredDecimal(value, scale, dialect);
}

/** A row with its decimals as text, of selected columns as the database gives them. Prepared values stay. */
export function fromStoredRow<R extends Row | undefined>(database: Database, schema: SchemaModel, row: R): R;
export function fromStoredRow({ dialect }: Database, schema: SchemaModel, row: Row | undefined): Row | undefined {
  const scales = findScales(schema);
  if (scales.size === 0 || row === undefined) return row;
  const read: Row = { ...row };
  for (const [name, scale] of scales) {
    if (Object.hasOwn(row, name)) read[name] = fromStoredDecimal(row[name], scale, dialect);
  }
  return read;
}
