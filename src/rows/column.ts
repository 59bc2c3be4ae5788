import { describeRounded, isExactNumber } from '../model/exact-number.ts';
import { listLinkKeys } from '../model/link-keys.ts';
import type { SchemaModel } from '../model/model.ts';

/** The N:N relations of a schema with the keys of their id lists in a file. */
const listLinks = (schema: SchemaModel): string[] =>
  schema.relations.flatMap((relation) => (relation.kind === 'N:N' ? listLinkKeys(schema, relation) : []));

/**
 * The import's name for a key: the full column name for a column or a field, or a relation's key; undefined for an
 * unknown key.
 */
export function findColumn(schema: SchemaModel, name: string): string | undefined {
  return schema.byName.get(name)?.name ?? [...schema.row.stored, ...listLinks(schema)].find((key) => key === name);
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
 * Parses a CSV cell of raw JSON that is a number, true, false or null; lists, objects and quoted text are parsed
 * later.
 *
 * @throws RangeError for a whole number that would lose digits.
 */
export function toJsonCell(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^(?:-?\d|true$|false$|null$)/.test(cell)) return cell;
  if (!isExactNumber(cell)) throw new RangeError(describeRounded({ number: cell, key: undefined }));
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

/** The keys, by column and by field, of raw JSON; every other type parses text itself. */
export const listJsonKeys = ({ byName }: SchemaModel): string[] =>
  [...byName].filter(([, { field }]) => field.type === 'rawjson').map(([name]) => name);

/** Columns to export: no passwords, not even hashed. */
export function listExported(schema: SchemaModel): string[] {
  const secret = new Set(schema.row.secrets.map(({ name }) => name));
  return schema.row.stored.filter((column) => !secret.has(column));
}
