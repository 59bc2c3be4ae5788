import { applyChanges, type Change } from '../../edit/change.ts';
import { insertField, toAdded } from '../../edit/made-field.ts';
import type { Definitions } from '../../model/definitions.ts';
import { readDefinitions, toOutcome } from '../change/definition.ts';
import { changeField, FIELD_KEYS, parseField, toFieldText } from '../keys/field.ts';
import { isAnyGiven, toCreateOptions } from '../keys/key.ts';
import { getOwner, refuseField } from '../owner.ts';
import { askField } from '../question/field.ts';
import { confirmPreview } from '../question/preview.ts';
import { type CommandSpec, findText, getText, type Values } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [
    { name: 'schema', description: 'name of the schema, or fieldset/<name>', of: 'owner' },
    { name: 'field', description: 'name of the field, name:type[:flags], or JSON' },
  ],
  options: [
    ...toCreateOptions(FIELD_KEYS),
    { name: 'before', value: 'field', description: 'inserts it before this field' },
  ],
  isWriting: true,
  examples: [
    'treadle field add article subtitle:text:searchable',
    'treadle field add profile motto:text:public',
    'treadle field add article status --type select --option draft=Draft --option live=Live --filterable',
    'treadle field add fieldset/address zip --validation "regexp:/^[0-9]{5}$/:Five digits"',
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    const name = getText(values, 'field');
    const definitions = await readDefinitions(invocation);
    const owner = getOwner(definitions, getText(values, 'schema'));
    if (/[:{]/.test(name) || isAnyGiven(FIELD_KEYS, values)) return;
    refuseField(owner, name);
    const field = await askField(name, {
      prompt,
      fields: owner.value.fields,
      fieldsets: [...definitions.fieldset.keys()],
      isGroup: owner.kind === 'fieldset',
    });
    values.field = toFieldText(field);
    await confirmPreview(invocation, [toChange(definitions, values)]);
  },
  async run(invocation) {
    const files = await applyChanges(invocation, [toChange(await readDefinitions(invocation), invocation.values)]);
    return toOutcome(invocation, files, { next: ['treadle migrate --dry-run', 'treadle dev'] });
  },
};

/** @throws CLI_FIELD_EXISTS. @throws CLI_USAGE */
function toChange(definitions: Definitions, values: Values): Change {
  const owner = getOwner(definitions, getText(values, 'schema'));
  const given = changeField(parseField(getText(values, 'field'), findText(values, 'type')), values);
  const field = owner.kind === 'schema' ? toAdded(owner.name, given) : given;
  refuseField(owner, field.name);
  const fields = insertField(owner.value.fields, field, findText(values, 'before'));
  return { kind: owner.kind, name: owner.name, value: { ...owner.value, fields } };
}
