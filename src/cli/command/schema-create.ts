import { toLabelText, toPlural } from '../../model/names.ts';
import type { Schema } from '../../model/shape.ts';
import { applyChanges, readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { addStamps, askFields, parseField } from '../question/field.ts';
import { findNameFault } from '../question/name.ts';
import { parseRelation, toSentence } from '../question/relation.ts';
import { type CommandSpec, findText, getList, getText, isOn } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the schema, such as article', check: findNameFault }],
  options: [
    { name: 'singular', value: 'label', description: 'label of one; made from the name if left out' },
    { name: 'plural', value: 'label', description: 'label of many; made from the singular if left out' },
    { name: 'icon', value: 'name', description: 'icon in the admin section' },
    { name: 'description', value: 'text', description: 'what a row is' },
    { name: 'display', value: 'template', description: 'label of a row, such as {{article_title}}' },
    {
      name: 'field',
      value: 'name:type[:flags]',
      description: 'a field; flags by comma: required unique searchable filterable sortable',
      isRepeated: true,
    },
    { name: 'relation', value: 'schema=kind', description: 'a relation; kinds 1:1 1:0 1:N N:N', isRepeated: true },
    { name: 'no-stamps', description: 'leaves out the fields active, created and updated' },
  ],
  isWriting: true,
  examples: [
    'treadle schema create article --field title:text:required,searchable --field detail:wysiwyg',
    'treadle schema create comment --field detail:textarea:required --relation profile=1:1',
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    // Before all the questions, not after them.
    refuseExisting(await readDefinitions(invocation), 'schema', getText(values, 'name'));
    if (getList(values, 'field').length > 0) return;
    const fields = await askFields(prompt);
    if (fields.length > 0) values.field = fields;
  },
  async run(invocation) {
    const { values } = invocation;
    const name = getText(values, 'name');
    refuseExisting(await readDefinitions(invocation), 'schema', name);
    const schema = toSchema(name, values);
    const files = await applyChanges(invocation, [{ kind: 'schema', name, value: schema }]);
    return toOutcome(invocation, files, {
      lines: (schema.relations ?? []).map((relation) => toSentence(schema.singular, relation)),
      next: [`treadle rest generate ${name}`, 'treadle dev'],
    });
  },
};

function toSchema(name: string, values: Parameters<typeof getText>[0]): Schema {
  const given = getList(values, 'field').map((text) => parseField(text));
  const relations = getList(values, 'relation').map(parseRelation);
  const singular = findText(values, 'singular') ?? toLabelText(name);
  const [icon, description, display] = ['icon', 'description', 'display'].map((key) => findText(values, key));
  const first = given.find(({ type }) => type === 'text');
  const shown = display ?? (first ? `{{${name.replaceAll('-', '_')}_${first.name.replaceAll('-', '_')}}}` : undefined);
  return {
    name,
    singular,
    plural: findText(values, 'plural') ?? toPlural(singular),
    ...(icon === undefined ? {} : { icon }),
    ...(description === undefined ? {} : { description }),
    ...(shown === undefined ? {} : { display: shown }),
    fields: isOn(values, 'stamps') ? addStamps(given) : given,
    ...(relations.length === 0 ? {} : { relations }),
  };
}
