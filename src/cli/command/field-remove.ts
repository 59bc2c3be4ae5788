import { toDidYouMean } from '../../core/suggest.ts';
import { applyChanges, getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema' },
    { name: 'field', description: 'name of the field' },
  ],
  isWriting: true,
  examples: ['treadle field remove article subtitle'],
  async run(invocation) {
    const definitions = await readDefinitions(invocation);
    const name = getText(invocation.values, 'schema');
    const field = getText(invocation.values, 'field');
    const schema = getDefinition(definitions, 'schema', name);
    const names = schema.fields.map((each) => each.name);
    if (!names.includes(field)) {
      throw createUsageError(`The schema "${name}" has no field "${field}".`, toDidYouMean(field, names));
    }
    const value = { ...schema, fields: schema.fields.filter((each) => each.name !== field) };
    const files = await applyChanges(invocation, [{ kind: 'schema', name, value }]);
    return toOutcome(invocation, files, {
      lines: ['The column and its values stay in the database.'],
      next: ['treadle migrate --dry-run'],
    });
  },
};
