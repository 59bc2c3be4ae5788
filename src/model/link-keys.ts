import type { RelationModel, SchemaModel } from './model.ts';
import { toTable } from './names.ts';

/**
 * The keys under which a row of a file may have the ids that an N:N relation leads to, the one that an export writes first:
 * the relation's name, unless a field has that name too, and `<name>_ids`.
 */
export function listLinkKeys({ byName, primary }: SchemaModel, { name }: RelationModel): string[] {
  return [name, `${toTable(name)}_ids`].filter((key) => !byName.has(key) && key !== primary);
}
