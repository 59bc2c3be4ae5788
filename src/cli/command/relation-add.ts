import { applyChanges, type Change } from '../../edit/change.ts';
import type { Definitions } from '../../model/definitions.ts';
import { toReverseSentence, toSentence } from '../../model/relation-sentence.ts';
import { toRelationName } from '../../model/removal/target.ts';
import { RELATION_KINDS, type Relation, type Schema } from '../../model/shape.ts';
import { getDefinition, readDefinitions, toOutcome } from '../change/definition.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { RELATION_KEYS } from '../keys/kinds.ts';
import { refuseRelation } from '../owner.ts';
import { findRelationNameError } from '../question/name.ts';
import { confirmPreview } from '../question/preview.ts';
import { askRelation, parseRelationKind } from '../question/relation.ts';
import { type CommandSpec, findText, getText, type Invocation, type Values } from '../spec.ts';

/** `--name`, `--on-remove`, `--tree` and `--order`. */
const KEYS = RELATION_KEYS.filter(({ key }) => key !== 'kind');

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it', of: 'schema' },
    { name: 'kind', description: `how many: ${RELATION_KINDS.join(' ')}` },
    { name: 'other', description: 'name of the related schema', of: 'schema' },
  ],
  options: toCreateOptions(KEYS),
  isWriting: true,
  examples: [
    'treadle relation add article 1:N comment',
    'treadle relation add comment 1:1 profile --on-remove cascade',
    'treadle relation add comment 1:0 comment --name parent',
    'treadle relation add category 1:0 category --name parent --tree --order place',
  ],
  askFirst,
  async run(invocation) {
    const { schema, other, relation, change } = toParts(await readDefinitions(invocation), invocation.values);
    const files = await applyChanges(invocation, [change]);
    const sentence = toSentence(schema.singular, relation);
    const reverse = toReverseSentence(schema.singular, other.singular, relation);
    return toOutcome(invocation, files, {
      data: { sentence, reverse },
      lines: [sentence, ...(relation.kind === 'N:N' ? [] : [reverse])],
      next: ['treadle migrate --dry-run'],
    });
  },
};

/** Asks for the schemas before the kind, so that each kind can be described in words. */
async function askFirst(invocation: Invocation): Promise<void> {
  const { values, prompt } = invocation;
  if (!prompt || values.other !== undefined) return;
  const definitions = await readDefinitions(invocation);
  const names = [...definitions.schema.keys()];
  const source = findText(values, 'schema') ?? (await prompt.choice('Schema that declares it:', names));
  const { singular, relations = [] } = getDefinition(definitions, 'schema', source);
  const target = await prompt.choice('Related schema:', names);
  const relation = await askRelation(target, { prompt, source: { name: source, singular }, schemas: names, relations });
  Object.assign(values, { schema: source, kind: relation.kind, other: target });
  if (relation.name !== undefined) values.name = relation.name;
  if (relation.onRemove !== undefined) values['on-remove'] = relation.onRemove;
  await confirmPreview(invocation, [toParts(definitions, values).change]);
}

interface Parts {
  readonly schema: Schema;
  readonly other: Schema;
  readonly relation: Relation;
  readonly change: Change;
}

/** @throws CLI_RELATION_EXISTS. @throws CLI_USAGE */
function toParts(definitions: Definitions, values: Values): Parts {
  const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
  const other = getDefinition(definitions, 'schema', getText(values, 'other'));
  const relation = toRelation(values);
  const relations = schema.relations ?? [];
  const name = toRelationName(relation);
  refuseRelation(schema, name, `Give this one another name, such as --name ${suggestName(name, schema)}.`);
  const value = { ...schema, relations: [...relations, relation] };
  return { schema, other, relation, change: { kind: 'schema', name: schema.name, value } };
}

/** A name that no relation or column of the schema uses. */
function suggestName(name: string, { relations = [] }: Schema): string {
  const taken = new Set(relations.map(toRelationName));
  const candidates = [
    `other-${name}`,
    `second-${name}`,
    ...Array.from({ length: 9 }, (_, index) => `${name}${index + 2}`),
  ];
  return candidates.find((each) => !taken.has(each) && findRelationNameError(each) === undefined) ?? `my-${name}`;
}

function toRelation(values: Values): Relation {
  const relation: Relation = { schema: getText(values, 'other'), kind: parseRelationKind(getText(values, 'kind')) };
  return changeKeys(relation, KEYS, values);
}
