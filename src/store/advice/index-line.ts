import { printIndex } from '../../model/filter/index-text.ts';
import type { IndexColumn, SchemaModel } from '../../model/model.ts';
import type { Index, Schema } from '../../model/shape.ts';

/** The column as people call it: the field's own name, or the name of a key. */
function toOwnName({ byName, columns }: SchemaModel, name: string): string {
  const own = columns.find((column) => column.name === name)?.field.name;
  // A field's own name may be another column.
  return own !== undefined && byName.get(own)?.name === name ? own : name;
}

/**
 * An index on these columns, as a schema's file has it.
 *
 * @param where The condition of the index: columns and the value that each has in all of its rows. Default: none, so that it has all rows.
 */
export function toIndexLine(
  schema: SchemaModel,
  columns: readonly IndexColumn[],
  where: ReadonlyMap<string, unknown> = new Map(),
): Index {
  const line = columns.filter(({ name }) => !where.has(name));
  return {
    columns: line.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${toOwnName(schema, name)}`),
    ...(where.size === 0
      ? {}
      : { where: Object.fromEntries([...where].map(([name, value]) => [toOwnName(schema, name), value])) }),
  };
}

/** A schema's definition with one index more. */
export const addIndexLine = (definition: Schema, line: Index): Schema => ({
  ...definition,
  indexes: [...(definition.indexes ?? []), line],
});

/** The index as a line of a schema's file: `"indexes": [{ "columns": ["published", "-views"] }]`. */
export function printIndexLine({ columns, where = {} }: Index): string {
  const tests = Object.entries(where).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const tested = tests.length === 0 ? '' : `, "where": { ${tests.join(', ')} }`;
  return `"indexes": [{ "columns": [${columns.map((name) => JSON.stringify(name)).join(', ')}]${tested} }]`;
}

/** The command that adds the index. */
export function toIndexCommand(schema: string, line: Index): string {
  const text = printIndex(line);
  const word = /^[\w,.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  return `treadle schema update ${schema} --add-index ${word}`;
}
