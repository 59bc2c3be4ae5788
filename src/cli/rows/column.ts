import { toDidYouMean } from '../../core/text/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findColumn, listKnown } from '../../rows/column.ts';
import { createFileError } from '../../rows/row-error.ts';
import { createUsageError } from '../failure.ts';

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
 * Checks a CSV header before any row is read, because an unknown name would be an error of every row.
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
