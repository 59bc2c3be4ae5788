import type { SchemaModel } from '../model.ts';

/**
 * The column with the profile that a row belongs to: the profile's own key, else the schema's 1:1 (preferred) or
 * 1:0 to `profile`. Undefined if rows have no owner.
 */
export function findOwnerColumn(schema: SchemaModel): string | undefined {
  if (schema.name === 'profile') return schema.primary;
  const toProfile = schema.relations.filter(({ target, table }) => target === 'profile' && table === schema.table);
  const named = (kind: string) =>
    toProfile.find((relation) => relation.kind === kind && relation.name === 'profile') ??
    toProfile.find((relation) => relation.kind === kind);
  return (named('1:1') ?? named('1:0'))?.targetColumn;
}
