import { memoize } from '../../core/memoize.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
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
