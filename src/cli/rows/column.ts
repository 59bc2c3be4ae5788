import { toDidYouMean } from '../../core/suggest.ts';
import type { SchemaModel } from '../../model/model.ts';
import { createUsageError } from '../failure.ts';

/** Every column of a schema's table: key, fields, and the foreign keys that relations put there. */
export function listColumns(schema: SchemaModel): string[] {
  const own = schema.relations.flatMap((relation) =>
    relation.table === schema.table && relation.targetColumn !== undefined ? [relation.targetColumn] : [],
  );
  const reverse = schema.reverse.flatMap((relation) =>
    relation.table === schema.table && relation.sourceColumn !== undefined ? [relation.sourceColumn] : [],
  );
  return [...new Set([schema.primary, ...schema.columns.map(({ name }) => name), ...own, ...reverse])];
}

/** The full column name for a column or a field's name; undefined where it is neither. */
export function findColumn(schema: SchemaModel, name: string): string | undefined {
  return schema.byName.get(name)?.name ?? listColumns(schema).find((column) => column === name);
}

const listKnown = (schema: SchemaModel): string[] => [...new Set([...listColumns(schema), ...schema.byName.keys()])];

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

export interface NamedRow {
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys that are no column, each as a sentence. */
  readonly unknown: readonly string[];
}

/** A row with its keys as full column names. An empty text, as CSV has for nothing, is left out where `isCsv`. */
export function toNamedRow(
  schema: SchemaModel,
  row: Readonly<Record<string, unknown>>,
  options: { readonly map: ReadonlyMap<string, string>; readonly isCsv: boolean },
): NamedRow {
  const values: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(row)) {
    const column = options.map.get(key) ?? findColumn(schema, key);
    if (column === undefined)
      unknown.push(`"${key}" is no column of ${schema.name}. ${toDidYouMean(key, listKnown(schema))}`);
    else if (!(options.isCsv && value === '')) values[column] = value;
  }
  return { values, unknown };
}
