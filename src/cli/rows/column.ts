import { toDidYouMean } from '../../core/suggest.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { SchemaModel } from '../../model/model.ts';
import { createUsageError } from '../failure.ts';
import { createFileError } from './fault.ts';

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

const listKnown = (schema: SchemaModel): string[] => [
  ...new Set([...schema.row.stored, ...schema.byName.keys(), ...listLinks(schema)]),
];

/** Parses `--map key=column` entries. @throws CLI_USAGE if one names no column. */
export function parseColumnMap(schema: SchemaModel, pairs: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const name = pair.slice(at + 1);
    const column = at < 1 ? undefined : findColumn(schema, name);
    if (at < 1) throw createUsageError(`--map "${pair}" is not key=column.`, 'Example: --map headline=article_title');
    if (column === undefined) {
      throw createUsageError(
        `--map "${pair}": ${schema.name} has no column "${name}".`,
        toDidYouMean(name, listKnown(schema)),
      );
    }
    map.set(pair.slice(0, at), column);
  }
  return map;
}

export interface HeadingOptions {
  readonly map: ReadonlyMap<string, string>;
  readonly ignoresUnknown: boolean;
}

/**
 * Checks a CSV header before any row is read, because an unknown name would be a fault of every row.
 *
 * @throws IMPORT_FILE_BROKEN
 */
export function checkHeading(schema: SchemaModel, names: readonly string[], options: HeadingOptions): void {
  const columns = new Map<string, string>();
  for (const name of names) {
    const column = options.map.get(name) ?? findColumn(schema, name);
    if (column === undefined && options.ignoresUnknown) continue;
    if (column === undefined) {
      throw createFileError(
        `The header has "${name}", which is not a column of ${schema.name}. ${toDidYouMean(name, listKnown(schema))}`.trim(),
        `Map it with --map "${name}=<column>", or ignore it with --ignore-unknown.`,
      );
    }
    const other = columns.get(column);
    if (other !== undefined) {
      throw createFileError(`"${other}" and "${name}" in the header are both ${column}.`, 'Remove one of them.');
    }
    columns.set(column, name);
  }
}

/** Renames the keys of a row with `--map`. */
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
 */
export function toJsonCell(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^(?:-?\d|true$|false$|null$)/.test(cell)) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}
