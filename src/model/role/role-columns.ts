import { findColumnName } from '../column-name.ts';
import { listLinkKeys } from '../link-keys.ts';
import type { RowShape, SchemaModel } from '../model.ts';

/** What of a schema a role's lists of columns are about. */
export type ListedSchema = Pick<SchemaModel, 'byName' | 'relations' | 'primary'> & { readonly row: RowShape };

/** A name in a role's list without its `-`. */
export const toBareName = (name: string): string => (name.startsWith('-') ? name.slice(1) : name);

/** Keys under which a write may name rows to link. */
const listRelationKeys = ({ byName, relations, primary }: ListedSchema): string[] =>
  relations
    .filter(({ kind }) => kind === '1:N' || kind === 'N:N')
    .flatMap((relation) => [
      ...listLinkKeys({ byName, primary }, relation),
      `${relation.target}_id`,
      `${relation.name}_id`,
    ]);

/** Every column of a schema, or with `write` every key that a write may have. */
export const listRoleColumns = (schema: ListedSchema, list: 'read' | 'write'): ReadonlySet<string> =>
  new Set([...schema.row.stored, ...(list === 'write' ? listRelationKeys(schema) : [])]);

/** The column, or the key of linked rows, that a role's list means by a name; undefined where nothing has it. */
export const findRoleColumn = (schema: ListedSchema, all: ReadonlySet<string>, name: string): string | undefined =>
  findColumnName(schema, name) ?? (all.has(name) ? name : undefined);

/** What a role's list of columns means; undefined: all of them. A list of exceptions starts from all. */
export function resolveColumns(
  schema: ListedSchema,
  list: 'read' | 'write',
  names: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  const all = listRoleColumns(schema, list);
  const found = new Set(names.length > 0 && names.every((name) => name.startsWith('-')) ? all : []);
  for (const entry of names) {
    if (entry === '*') for (const name of all) found.add(name);
    const name = findRoleColumn(schema, all, toBareName(entry));
    if (name === undefined) continue;
    if (entry.startsWith('-')) found.delete(name);
    else found.add(name);
  }
  return [...all].every((name) => found.has(name)) ? undefined : found;
}
