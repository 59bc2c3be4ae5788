import { TreadleError } from '../../core/errors.ts';
import { RELATION_KINDS, type Relation } from '../../model/shape.ts';
import { applyChanges, getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { parseRelationKind, toSentence } from '../question/relation.ts';
import { type CommandSpec, findText, getText, type Values } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it' },
    { name: 'kind', description: `how many: ${RELATION_KINDS.join(' ')}` },
    { name: 'other', description: 'name of the schema that it leads to' },
  ],
  options: [
    { name: 'name', value: 'name', description: 'its own name, where two lead to one schema or to itself' },
    {
      name: 'on-remove',
      value: 'rule',
      description: 'what becomes of the row that points at a removed one',
      choices: ['restrict', 'cascade', 'clear'],
    },
  ],
  isWriting: true,
  examples: ['treadle relation add article 1:N comment', 'treadle relation add comment 1:1 profile'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    getDefinition(definitions, 'schema', getText(values, 'other'));
    const relation = toRelation(values);
    const relations = schema.relations ?? [];
    const name = relation.name ?? relation.schema;
    if (relations.some((each) => (each.name ?? each.schema) === name)) {
      throw new TreadleError('CLI_RELATION_EXISTS', `The schema "${schema.name}" has a relation "${name}" already.`, {
        status: 409,
        hint: 'Give this one another name with --name.',
      });
    }
    const value = { ...schema, relations: [...relations, relation] };
    const files = await applyChanges(invocation, [{ kind: 'schema', name: schema.name, value }]);
    const sentence = toSentence(schema.singular, relation);
    return toOutcome(invocation, files, { data: { sentence }, lines: [sentence], next: ['treadle migrate --dry-run'] });
  },
};

function toRelation(values: Values): Relation {
  const name = findText(values, 'name');
  const onRemove = findText(values, 'on-remove') as Relation['onRemove'];
  return {
    schema: getText(values, 'other'),
    kind: parseRelationKind(getText(values, 'kind')),
    ...(name === undefined ? {} : { name }),
    ...(onRemove === undefined ? {} : { onRemove }),
  };
}
