import { toSentence } from '../../model/relation-sentence.ts';
import { renameRelation } from '../../model/rename/rename.ts';
import { getDefinition, readDefinitions } from '../change/definition.ts';
import { CODE, runRename } from '../change/run-rename.ts';
import { getRelation, refuseRelation } from '../owner.ts';
import { findRelationNameError } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it', of: 'schema' },
    { name: 'relation', description: 'its name; by default the related schema', of: 'relation' },
    { name: 'new', description: 'its new name', check: findRelationNameError },
  ],
  options: [CODE],
  isWriting: true,
  examples: ['treadle relation rename article comment reply'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    const from = getText(values, 'relation');
    const to = getText(values, 'new');
    const relation = getRelation(schema, from);
    refuseRelation(schema, to, 'Choose another name.');
    const renamed = renameRelation(definitions, schema.name, from, to);
    const { name: _, ...rest } = relation;
    return runRename(invocation, {
      question: `Rename the relation ${from} of ${schema.name} to ${to}?`,
      definitions,
      renamed,
      notes: [
        `It reads: ${toSentence(schema.singular, to === relation.schema ? rest : { ...rest, name: to })}`,
        'The links stay: the next migration renames what stores them.',
      ],
      next: ['treadle check', 'treadle migrate --dry-run'],
    });
  },
};
