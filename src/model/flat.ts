import { toTable } from './names.ts';

/**
 * The name that a column of a 1:1 relation has in rows: its own, unless the row has that already; then
 * `<relation>_<field>`, so that two relations to one schema both show. Undefined where that is taken too.
 */
export function toFlatName(
  relation: { readonly name: string },
  target: { readonly table: string },
  column: string,
  taken: { has(name: string): boolean },
): string | undefined {
  if (!taken.has(column)) return column;
  const name = toTable(relation.name) + column.slice(target.table.length);
  return taken.has(name) ? undefined : name;
}
