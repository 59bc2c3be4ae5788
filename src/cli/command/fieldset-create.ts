import { toLabelText, toPlural } from '../../model/names.ts';
import { applyChanges, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { askFields, parseField } from '../question/field.ts';
import { findNameFault } from '../question/name.ts';
import { type CommandSpec, findText, getList, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the fieldset, such as address', check: findNameFault }],
  options: [
    { name: 'singular', value: 'label', description: 'label of one; made from the name if left out' },
    { name: 'plural', value: 'label', description: 'label of many; made from the singular if left out' },
    { name: 'field', value: 'name:type[:flags]', description: 'a field; at least one', isRepeated: true },
  ],
  isWriting: true,
  examples: ['treadle fieldset create address --field street:text:required --field city:text:required'],
  async ask({ values }, prompt) {
    if (getList(values, 'field').length > 0) return;
    values.field = await askFields(prompt);
  },
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'fieldset', name);
    const singular = findText(values, 'singular') ?? toLabelText(name);
    const value = {
      name,
      singular,
      plural: findText(values, 'plural') ?? toPlural(singular),
      fields: getList(values, 'field').map((text) => parseField(text)),
    };
    const files = await applyChanges(invocation, [{ kind: 'fieldset', name, value }]);
    return toOutcome(invocation, files, { next: [`treadle fieldset show ${name}`] });
  },
};
