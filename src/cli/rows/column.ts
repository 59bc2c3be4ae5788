import { toDidYouMean } from '../../core/suggest.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { SchemaModel } from '../../model/model.ts';
import { createUsageError } from '../failure.ts';
import { createFileError } from './fault.ts';

/** The N:N relations of a schema with the keys that their lists of ids may have in a file. */
const listLinks = (schema: SchemaModel): string[] =>
  schema.relations.flatMap((relation) => (relation.kind === 'N:N' ? listLinkKeys(schema, relation) : []));

/** What an import calls a key: the full column name for a column or a field's name, or a relation's key; undefined where it is neither. */
export function findColumn(schema: SchemaModel, name: string): string | undefined {
  return schema.byName.get(name)?.name ?? [...schema.row.stored, ...listLinks(schema)].find((key) => key === name);
}

const listKnown = (schema: SchemaModel): string[] => [
  ...new Set([...schema.row.stored, ...schema.byName.keys(), ...listLinks(schema)]),
];

/** `--map key=column` entries as a map. @throws CLI_USAGE where one names no column. */
export function parseColumnMap(schema: SchemaModel, pairs: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const name = pair.slice(at + 1);
    const column = at < 1 ? undefined : findColumn(schema, name);
    if (at < 1) throw createUsageError(`--map "${pair}" is not key=column.`, 'Such as --map headline=article_title');
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
 * Checks a CSV heading before any row is read: a name that is no column would be so in every row.
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
        `The heading has "${name}", which is no column of ${schema.name}. ${toDidYouMean(name, listKnown(schema))}`.trim(),
        `--map "${name}=<column>" says what it is; --ignore-unknown leaves it out.`,
      );
    }
    const other = columns.get(column);
    if (other !== undefined) {
      throw createFileError(`The heading's "${other}" and "${name}" are both ${column}.`, 'Take one of them out.');
    }
    columns.set(column, name);
  }
}

/** A row with its keys renamed as `--map` says. */
export function renameKeys(
  row: Readonly<Record<string, unknown>>,
  map: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  if (map.size === 0) return row;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [map.get(key) ?? key, value]));
}

/** Reads what a CSV cell of raw JSON says where it is a number, true, false or null; lists, objects and quoted text are read later. */
export function toJsonCell(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^(?:-?\d|true$|false$|null$)/.test(cell)) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}
