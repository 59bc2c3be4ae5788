import type { Definitions } from '../model/definitions.ts';
import { readDefinitions } from './definition.ts';
import { getOwner } from './owner.ts';
import type { Choice } from './prompt.ts';
import { findText, type Invocation, type Nameable } from './spec.ts';

/** The allowed names of an argument, with descriptions. */
export async function listNames(of: Nameable, invocation: Invocation): Promise<Choice[]> {
  const definitions = await readDefinitions(invocation);
  if (of === 'owner') {
    const groups = listKind(definitions, 'fieldset').map((choice) => ({
      ...choice,
      value: `fieldset/${choice.value}`,
    }));
    return [...listKind(definitions, 'schema'), ...groups];
  }
  if (of === 'field' || of === 'relation') return listParts(of, definitions, findText(invocation.values, 'schema'));
  return listKind(definitions, of);
}

function listKind(definitions: Definitions, kind: Exclude<Nameable, 'owner' | 'field' | 'relation'>): Choice[] {
  return [...definitions[kind]].map(([name, { value }]) => {
    const { plural, title, name: label } = value as Readonly<Record<string, unknown>>;
    const description = [plural, title, label].find((text) => typeof text === 'string');
    return { value: name, ...(typeof description === 'string' ? { description } : {}) };
  });
}

function listParts(of: 'field' | 'relation', definitions: Definitions, word: string | undefined): Choice[] {
  if (word === undefined) return [];
  const owner = getOwner(definitions, word);
  if (of === 'field') {
    return owner.value.fields.map(({ name, type, label }) => ({
      value: name,
      description: `${label ?? name}, ${type}`,
    }));
  }
  const relations = owner.kind === 'schema' ? (owner.value.relations ?? []) : [];
  return relations.map(({ name, schema, kind }) => ({ value: name ?? schema, description: `${kind} ${schema}` }));
}
