import { applyChanges } from '../../edit/change.ts';
import { readDefinitions, toOutcome } from '../change/definition.ts';
import { changeField, FIELD_KEYS } from '../keys/field.ts';
import { toUpdateOptions } from '../keys/key.ts';
import { getField, getOwner } from '../owner.ts';
import { askUpdate, needAny } from '../question/update.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema, or fieldset/<name>', of: 'owner' },
    { name: 'field', description: 'name of the field', of: 'field' },
  ],
  options: toUpdateOptions(FIELD_KEYS),
  isWriting: true,
  examples: [
    'treadle field update article title --required --no-sortable --label Headline',
    'treadle field update article title --add-validation "char_lte:80:At most 80 characters" --list-format length:40',
    'treadle field update article category --type select --option news=News --option essay=Essay --unset default',
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const field = getField(getOwner(definitions, getText(values, 'schema')), getText(values, 'field'));
    await askUpdate({ keys: FIELD_KEYS, value: field, values, prompt });
  },
  async run(invocation) {
    const { values } = invocation;
    needAny(FIELD_KEYS, values);
    const definitions = await readDefinitions(invocation);
    const owner = getOwner(definitions, getText(values, 'schema'));
    const field = getField(owner, getText(values, 'field'));
    const changed = changeField(field, values);
    const fields = owner.value.fields.map((each) => (each === field ? changed : each));
    const value = { ...owner.value, fields };
    const files = await applyChanges(invocation, [{ kind: owner.kind, name: owner.name, value }]);
    return toOutcome(invocation, files, { next: ['treadle migrate --dry-run', 'treadle dev'] });
  },
};
