import { toColumn } from '../../model/names.ts';
import { readDefinitions } from '../change/definition.ts';
import { CASCADE, runRemoval } from '../change/run-removal.ts';
import { getField, getOwner } from '../owner.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema, or fieldset/<name>', of: 'owner' },
    { name: 'field', description: 'name of the field', of: 'field' },
  ],
  options: [CASCADE],
  isWriting: true,
  examples: ['treadle field remove article subtitle', 'treadle field remove article title --cascade --dry-run'],
  async run(invocation) {
    const definitions = await readDefinitions(invocation);
    const owner = getOwner(definitions, getText(invocation.values, 'schema'));
    const { name, type } = getField(owner, getText(invocation.values, 'field'));
    const stays =
      owner.kind === 'schema'
        ? `The column ${toColumn(owner.name, name)} and its values stay`
        : 'Its values stay in the rows but are no longer shown; they stay';
    return runRemoval(invocation, {
      definitions,
      target: { kind: 'field', owner: owner.kind, of: owner.name, name },
      words: `the field "${name}"`,
      ...(type === 'none' ? {} : { stays }),
      next: ['treadle migrate --dry-run'],
    });
  },
};
