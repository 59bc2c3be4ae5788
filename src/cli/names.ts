import type { Definitions } from '../model/definitions.ts';
import { toRecord } from '../model/json/json-parts.ts';
import type { Relation } from '../model/shape.ts';
import { readDefinitions } from './change/definition.ts';
import { createUsageError } from './failure.ts';
import { getOwner } from './owner.ts';
import type { Choice } from './prompt.ts';
import { findText, type Invocation, type NameKind } from './spec.ts';

/** The allowed names of an argument, with descriptions. */
export async function listNames(of: NameKind, invocation: Invocation): Promise<Choice[]> {
  const definitions = await readDefinitions(invocation);
  if (of === 'owner') {
    const groups = listKind(definitions, 'fieldset').map((choice) => ({
      ...choice,
      value: `fieldset/${choice.value}`,
    }));
    return [...listKind(definitions, 'schema'), ...groups];
  }
  if (of !== 'field' && of !== 'relation' && of !== 'relation-kind') return listKind(definitions, of);
  const schema = findText(invocation.values, 'schema');
  if (schema === undefined) return [];
  if (of === 'field') return listFields(definitions, schema);
  return listRelations(of, definitions, schema, findText(invocation.values, 'kind'));
}

/** The refusal of a command that needs a name where none can be chosen. */
export function createNothingToName(of: NameKind, { values }: Invocation): Error {
  if (of === 'field' || of === 'relation' || of === 'relation-kind') {
    const part = of === 'field' ? 'field' : 'relation';
    const schema = findText(values, 'schema') ?? '';
    return createUsageError(`${schema} has no ${part}s.`, `Add one: treadle ${part} add ${schema}`);
  }
  const kind = of === 'owner' ? 'schema' : of;
  return createUsageError(`The project has no definition of kind "${kind}".`, `Create one: treadle ${kind} create`);
}

type Part = 'owner' | 'field' | 'relation' | 'relation-kind';

function listKind(definitions: Definitions, kind: Exclude<NameKind, Part>): Choice[] {
  return [...definitions[kind]].map(([name, { value }]) => {
    const { plural, title, name: label } = toRecord(value);
    const description = [plural, title, label].find((text) => typeof text === 'string');
    return { value: name, ...(typeof description === 'string' ? { description } : {}) };
  });
}

const listFields = (definitions: Definitions, word: string): Choice[] =>
  getOwner(definitions, word).value.fields.map(({ name, type, label }) => ({
    value: name,
    description: `${label ?? name}, ${type}`,
  }));

/** The relations of a schema: their names, of one kind where it is given, or the kinds that it declares. */
function listRelations(
  of: 'relation' | 'relation-kind',
  definitions: Definitions,
  word: string,
  kind: string | undefined,
): Choice[] {
  const owner = getOwner(definitions, word);
  const relations: readonly Relation[] = owner.kind === 'schema' ? (owner.value.relations ?? []) : [];
  if (of === 'relation') {
    const found = relations.filter((relation) => kind === undefined || relation.kind === kind.toUpperCase());
    return found.map(({ name, ...relation }) => ({
      value: name ?? relation.schema,
      description: `${relation.kind} ${relation.schema}`,
    }));
  }
  return [...new Set(relations.map((relation) => relation.kind))].map((value) => ({
    value,
    description: listRelations('relation', definitions, word, value)
      .map((choice) => choice.value)
      .join(', '),
  }));
}
