import { readRowKeys } from '../../model/rename/row-keys.ts';
import { getDefinition, readDefinitions } from '../change/definition.ts';
import { CASCADE, runRemoval } from '../change/run-removal.ts';
import { getRelation } from '../owner.ts';
import { parseRelationKind } from '../question/relation.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it', of: 'schema' },
    { name: 'kind', description: 'its kind, such as 1:N', of: 'relation-kind' },
    { name: 'other', description: "the relation's name; by default the related schema", of: 'relation' },
  ],
  options: [CASCADE],
  isWriting: true,
  examples: ['treadle relation remove article 1:N comment'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    const kind = parseRelationKind(getText(values, 'kind'));
    const name = getText(values, 'other');
    getRelation(schema, name, kind);
    return runRemoval(invocation, {
      definitions,
      target: { kind: 'relation', of: schema.name, name },
      words: `the relation "${name}" of ${schema.name}`,
      stays: kind === 'N:N' ? 'The table of its links stays' : 'Its column stays',
      twin: [...readRowKeys(definitions)].find(
        ([other, { relations }]) => other !== schema.name && [...relations.values()].includes(name),
      )?.[0],
      next: ['treadle migrate --dry-run'],
    });
  },
};
