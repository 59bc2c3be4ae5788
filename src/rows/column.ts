import { findColumnName } from '../model/column-name.ts';
import { describeRounded, findRoundedNumber } from '../model/field/exact-number.ts';
import { parseJsonText } from '../model/json/json-value.ts';
import { listLinkKeys } from '../model/link-keys.ts';
import type { ColumnModel, SchemaModel } from '../model/model.ts';

/** The N:N relations of a schema with the keys of their id lists in a file. */
const listLinks = (schema: SchemaModel): string[] =>
  schema.relations.flatMap((relation) => (relation.kind === 'N:N' ? listLinkKeys(schema, relation) : []));

/**
 * The import's name for a key: the full column name for a column or a field, or a relation's key; undefined for an
 * unknown key.
 */
export function findColumn(schema: SchemaModel, name: string): string | undefined {
  return findColumnName(schema, name) ?? listLinks(schema).find((key) => key === name);
}

/** Every name that {@link findColumn} finds. */
export const listKnown = (schema: SchemaModel): string[] => [
  ...new Set([...schema.row.stored, ...schema.byName.keys(), ...listLinks(schema)]),
];

/** Renames the keys of a row. */
export function renameKeys(
  row: Readonly<Record<string, unknown>>,
  map: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  if (map.size === 0) return row;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [map.get(key) ?? key, value]));
}

/**
 * Parses a cell of raw JSON.
 *
 * @throws RangeError for a whole number that would lose digits.
 */
export function toJsonCell(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  const rounded = findRoundedNumber(cell);
  if (rounded !== undefined && /^\s*(?:[[{"]|-?\d)/.test(cell)) throw new RangeError(describeRounded(rounded));
  return parseJsonText(cell);
}

/** The keys, by column and by field, of raw JSON; every other type parses text itself. */
export const listJsonKeys = (schema: SchemaModel): string[] =>
  [...schema.byName]
    .filter(([name, column]) => column.field.type === 'rawjson' && findColumnName(schema, name) === column.name)
    .map(([name]) => name);

/**
 * The keys, by column and by field, of decimals, also in groups of fields; undefined if there are none.
 *
 * @param map Columns by the keys of a file that stand for them. Default: none.
 */
export function listExactKeys(
  schema: SchemaModel,
  map: ReadonlyMap<string, string> = new Map(),
): ReadonlySet<string> | undefined {
  const listOf = (columns: readonly ColumnModel[]): string[] =>
    columns.flatMap(({ name, field, parts = [] }) => [
      ...(field.type === 'decimal' ? [name, field.name] : []),
      ...listOf(parts),
    ]);
  const keys = new Set(listOf(schema.columns));
  for (const [key, column] of map) if (keys.has(column)) keys.add(key);
  return keys.size === 0 ? undefined : keys;
}

/** {@link listExactKeys} of several schemas. */
export function listAllExactKeys(schemas: readonly SchemaModel[]): ReadonlySet<string> | undefined {
  const keys = new Set(schemas.flatMap((schema) => [...(listExactKeys(schema) ?? [])]));
  return keys.size === 0 ? undefined : keys;
}

/** Columns to export: no passwords, not even hashed. */
export function listExported(schema: SchemaModel): string[] {
  const secret = new Set(schema.row.secrets.map(({ name }) => name));
  return schema.row.stored.filter((column) => !secret.has(column));
}
