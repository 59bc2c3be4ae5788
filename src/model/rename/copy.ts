import type { Definitions } from '../definitions.ts';
import { toLabelText, toPlural } from '../names.ts';
import { type DefinitionKind, type DefinitionOf, NAME_KEYS } from '../shape.ts';
import { renameSchema } from './rename.ts';

/**
 * A schema under another name, with everything that refers to its own rows. The data stays with the original.
 */
function copySchema(definitions: Definitions, from: string, to: string): DefinitionOf['schema'] {
  const value = renameSchema(definitions, from, to).definitions.schema.get(to)?.value;
  if (value === undefined) throw new TypeError(`There is no schema ${from}.`);
  const { was: _, ...schema } = value;
  const strip = <T extends { readonly was?: unknown }>({ was: _former, ...rest }: T): Omit<T, 'was'> => rest;
  const singular = toLabelText(to);
  return {
    ...schema,
    singular,
    plural: toPlural(singular),
    fields: schema.fields.map(strip),
    ...(schema.relations === undefined ? {} : { relations: schema.relations.map(strip) }),
  };
}

/**
 * A definition under another name. The caller must change what has to differ (an app's client id, a call's
 * path).
 */
export function copyDefinition<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  from: string,
  to: string,
): DefinitionOf[K] {
  if (kind === 'schema') return copySchema(definitions, from, to) as DefinitionOf[K];
  const source = definitions[kind].get(from);
  if (source === undefined) throw new TypeError(`There is no ${kind} ${from}.`);
  const value = { ...(source.value as object) } as Record<string, unknown>;
  const key = NAME_KEYS[kind];
  if (key !== undefined) value[key] = to;
  // The copy has its own signing secret.
  delete value.secretName;
  if (kind === 'fieldset') {
    value.singular = toLabelText(to);
    value.plural = toPlural(toLabelText(to));
  }
  return value as unknown as DefinitionOf[K];
}
