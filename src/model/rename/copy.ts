import { type Definitions, getSources } from '../definitions.ts';
import { toLabelText, toPlural } from '../names.ts';
import type { DefinitionKind, DefinitionOf } from '../shape.ts';
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
  const source = getSources(definitions, kind).get(from);
  if (source === undefined) throw new TypeError(`There is no ${kind} ${from}.`);
  return COPIES[kind](source.value, to, definitions);
}

type Copies = {
  readonly [K in DefinitionKind]: (value: DefinitionOf[K], to: string, definitions: Definitions) => DefinitionOf[K];
};

const COPIES: Copies = {
  schema: ({ name }, to, definitions) => copySchema(definitions, name, to),
  fieldset: (value, name) => ({ ...value, name, singular: toLabelText(name), plural: toPlural(toLabelText(name)) }),
  rest: (value) => ({ ...value }),
  scope: (value, slug) => ({ ...value, slug }),
  // The copy has its own signing secret.
  webhook: ({ secretName: _, ...value }) => value,
  app: (value) => ({ ...value }),
  role: (value, slug) => ({ ...value, slug }),
};
