import { applyChanges } from '../../edit/change.ts';
import { toLabelText, toPlural } from '../../model/names.ts';
import type { Fieldset } from '../../model/shape.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { parseField, toFieldText } from '../keys/field.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import { askFields } from '../question/field.ts';
import { findNameFault } from '../question/name.ts';
import { confirmPreview } from '../question/preview.ts';
import { type CommandSpec, findText, getList, getText, type Values } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the fieldset, such as address', check: findNameFault }],
  options: [
    ...toCreateOptions(KEYS.fieldset),
    {
      name: 'field',
      value: 'name:type[:flags]',
      description: 'a field, at least one; JSON for all of its keys',
      isRepeated: true,
    },
  ],
  isWriting: true,
  examples: ['treadle fieldset create address --field street:text:required --field city:text:required'],
  async ask(invocation, prompt) {
    const { values } = invocation;
    const definitions = await readDefinitions(invocation);
    const name = getText(values, 'name');
    refuseExisting(definitions, 'fieldset', name);
    if (getList(values, 'field').length > 0) return;
    const fieldsets = [...definitions.fieldset.keys()].filter((each) => each !== name);
    const fields = await askFields({ prompt, fields: [], fieldsets, isGroup: true });
    values.field = fields.map(toFieldText);
    await confirmPreview(invocation, [{ kind: 'fieldset', name, value: toFieldset(name, values) }]);
  },
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'fieldset', name);
    const files = await applyChanges(invocation, [{ kind: 'fieldset', name, value: toFieldset(name, values) }]);
    return toOutcome(invocation, files, {
      next: [`treadle field add <schema> ${name} --type fieldset --fieldset ${name}`],
    });
  },
};

function toFieldset(name: string, values: Values): Fieldset {
  const singular = findText(values, 'singular') ?? toLabelText(name);
  const fields = getList(values, 'field').map((text) => parseField(text));
  return changeKeys<Fieldset>({ name, singular, plural: toPlural(singular), fields }, KEYS.fieldset, values);
}
