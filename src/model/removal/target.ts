import { type Definitions, withSource } from '../definitions.ts';
import { replaceDefinition } from '../rename/apply.ts';
import { readRowKeys } from '../rename/row-keys.ts';
import type { DefinitionKind, Relation } from '../shape.ts';

/** What to remove: a definition, or a part of a schema or fieldset. */
export type Target =
  | { readonly kind: DefinitionKind; readonly name: string }
  | { readonly kind: 'field'; readonly owner: 'schema' | 'fieldset'; readonly of: string; readonly name: string }
  | { readonly kind: 'relation'; readonly of: string; readonly name: string };

export const toRelationName = (relation: Relation): string => relation.name ?? relation.schema;

/** Definitions without the target; references to it stay. */
export function takeAway(definitions: Definitions, target: Target): Definitions {
  if (target.kind === 'relation') {
    const schema = definitions.schema.get(target.of)?.value;
    if (schema === undefined) return definitions;
    const { relations = [], ...rest } = schema;
    const left = relations.filter((relation) => toRelationName(relation) !== target.name);
    return replaceDefinition(definitions, 'schema', target.of, left.length === 0 ? rest : { ...rest, relations: left });
  }
  if (target.kind === 'field') {
    const owner = definitions[target.owner].get(target.of)?.value;
    if (owner === undefined) return definitions;
    const fields = owner.fields.filter(({ name }) => name !== target.name);
    return replaceDefinition(definitions, target.owner, target.of, { ...owner, fields });
  }
  return withSource(definitions, target.kind, target.name, undefined);
}

/** Keys that rows of each schema no longer have; for a removed schema, all of them. */
export type LostNames = ReadonlyMap<string, ReadonlySet<string>>;

export function findLost(before: Definitions, after: Definitions): LostNames {
  const left = readRowKeys(after);
  const lost = new Map<string, ReadonlySet<string>>();
  for (const [schema, keys] of readRowKeys(before)) {
    const now = left.get(schema);
    const listAll = (each: typeof keys | undefined): string[] =>
      each === undefined ? [] : [...each.columns.values(), ...each.relations.values(), ...each.computed.values()];
    const kept = new Set(listAll(now));
    lost.set(schema, new Set(listAll(keys).filter((name) => !kept.has(name))));
  }
  return lost;
}
