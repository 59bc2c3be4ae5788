import { toColumn } from '../../model/names.ts';
import { renameField, renameGroupField } from '../../model/rename/rename.ts';
import { readDefinitions } from '../change/definition.ts';
import { CODE, runRename } from '../change/run-rename.ts';
import { getField, getOwner, refuseField } from '../owner.ts';
import { findFieldNameError } from '../question/name.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema, or fieldset/<name>', of: 'owner' },
    { name: 'field', description: 'name of the field', of: 'field' },
    { name: 'new', description: 'its new name', check: findFieldNameError },
  ],
  options: [CODE],
  isWriting: true,
  examples: ['treadle field rename article title headline', 'treadle field rename fieldset/address zip postcode'],
  async run(invocation) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const owner = getOwner(definitions, getText(values, 'schema'));
    const from = getText(values, 'field');
    const to = getText(values, 'new');
    getField(owner, from);
    refuseField(owner, to);
    const isGroup = owner.kind === 'fieldset';
    const renamed = isGroup
      ? renameGroupField(definitions, owner.name, from, to)
      : renameField(definitions, owner.name, from, to);
    const calls = isGroup
      ? []
      : [...definitions.rest].filter(([, { value }]) => value.parameters?.schema === owner.name);
    const columns = `${toColumn(owner.name, from)} is ${toColumn(owner.name, to)} from now on`;
    return runRename(invocation, {
      question: `Rename the field ${from} to ${to}, and everything that refers to it?`,
      definitions,
      renamed,
      ...(isGroup ? {} : { field: { schema: owner.name, from, to } }),
      notes: [
        ...(calls.length === 0 ? [] : [`${columns}, in the answers of ${calls.map(([name]) => name).join(', ')} too.`]),
        isGroup
          ? `Existing rows keep the values under "${from}". They are not shown until the rows are saved with "${to}".`
          : 'The values stay: the next migration renames the column.',
      ],
      next: ['treadle check', 'treadle migrate --dry-run'],
    });
  },
};
