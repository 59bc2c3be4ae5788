import { fieldKinds } from './field/field-kind.ts';
import type { SchemaModel } from './model.ts';
import { isSystemSet } from './server-set.ts';

/** Columns that are set by code: the others are Treadle's, or computed. */
export const listOpenColumns = ({ columns, row }: SchemaModel): Set<string> =>
  new Set([
    ...columns.filter((column) => !isSystemSet(column)).map(({ name }) => name),
    ...row.keys.map(({ column }) => column),
  ]);

/** The lists of columns that name one row: the primary key, each unique field, each rule of several columns. */
export function listRowKeys(schema: SchemaModel): readonly (readonly string[])[] {
  const open = listOpenColumns(schema);
  const fields = schema.columns.filter(({ isUnique, field }) => isUnique && !fieldKinds[field.type].isSecret);
  const lists = [...fields.map(({ name }) => [name]), ...schema.unique.map(({ columns }) => columns)];
  return [[schema.primary], ...lists.filter((columns) => columns.every((name) => open.has(name)))];
}
