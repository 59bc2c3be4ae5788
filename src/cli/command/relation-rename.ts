import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/suggest.ts';
import { renameRelation } from '../../model/rename/rename.ts';
import { getDefinition, readDefinitions } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { findRelationNameFault } from '../question/name.ts';
import { toSentence } from '../question/relation.ts';
import { confirmRename, RENAME_OPTIONS } from '../question/rename.ts';
import { runRename } from '../run-rename.ts';
import { type CommandSpec, getText, isOn } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema that declares it', of: 'schema' },
    { name: 'relation', description: 'its name; by default the related schema', of: 'relation' },
    { name: 'new', description: 'its new name', check: findRelationNameFault },
  ],
  options: RENAME_OPTIONS,
  isWriting: true,
  examples: ['treadle relation rename article comment reply'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const schema = getDefinition(definitions, 'schema', getText(values, 'schema'));
    const from = getText(values, 'relation');
    const to = getText(values, 'new');
    const relations = schema.relations ?? [];
    const names = relations.map((relation) => relation.name ?? relation.schema);
    const relation = relations.find((each) => (each.name ?? each.schema) === from);
    if (relation === undefined) {
      throw createUsageError(`The schema "${schema.name}" has no relation "${from}".`, toDidYouMean(from, names));
    }
    if (names.includes(to)) {
      throw new TreadleError('CLI_RELATION_EXISTS', `The schema "${schema.name}" already has a relation "${to}".`, {
        status: 409,
        hint: 'Choose another name.',
      });
    }
    const renamed = renameRelation(definitions, schema.name, from, to);
    await confirmRename(invocation, `Rename the relation ${from} of ${schema.name} to ${to}?`);
    const { name: _, ...rest } = relation;
    return runRename(invocation, {
      definitions,
      renamed,
      isWithCode: isOn(values, 'code'),
      notes: [
        `It reads: ${toSentence(schema.singular, to === relation.schema ? rest : { ...rest, name: to })}`,
        'The links stay: the next migration renames what stores them.',
      ],
      next: ['treadle check', 'treadle migrate --dry-run'],
    });
  },
};
