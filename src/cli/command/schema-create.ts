import { applyChanges } from '../../edit/change.ts';
import { toLabelText, toPlural } from '../../model/names.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../definition.ts';
import { STAMPS, toFieldText } from '../keys/field.ts';
import { toCreateOptions } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import type { Prompt } from '../prompt.ts';
import { askFields } from '../question/field.ts';
import { findSchemaNameFault } from '../question/name.ts';
import { confirmPreview } from '../question/preview.ts';
import { askRelations, toRelationText, toSentence } from '../question/relation.ts';
import { toSchema } from '../schema-value.ts';
import { type CommandSpec, getList, getText, isOn, type Values } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the schema, such as article', check: findSchemaNameFault }],
  options: [
    ...toCreateOptions(KEYS.schema),
    {
      name: 'field',
      value: 'name:type[:flags]',
      description:
        'a field; flags, separated by commas: required unique searchable filterable sortable; JSON for all of its keys',
      isRepeated: true,
    },
    {
      name: 'relation',
      value: 'schema=kind[,name[,rule]]',
      description: 'a relation; kinds 1:1 1:0 1:N N:N; rules restrict cascade clear',
      isRepeated: true,
    },
    { name: 'no-stamps', description: 'leaves out the fields active, created and updated' },
  ],
  isWriting: true,
  examples: [
    'treadle schema create article --field title:text:required,searchable --field detail:wysiwyg',
    'treadle schema create comment --field detail:textarea:required --relation profile=1:1',
    `treadle schema create task --field '{"name":"state","type":"radios","options":[{"key":"open","value":"Open"}]}' --relation task=1:0,parent`,
  ],
  async ask(invocation, prompt) {
    const { values } = invocation;
    const name = getText(values, 'name');
    const definitions = await readDefinitions(invocation);
    // Checked before the questions, not after them.
    refuseExisting(definitions, 'schema', name);
    if (getList(values, 'field').length > 0) return;
    await askLabels(name, values, prompt);
    const stamps = isOn(values, 'stamps') ? STAMPS : [];
    const fields = await askFields({
      prompt,
      fields: stamps,
      fieldsets: [...definitions.fieldset.keys()],
      isGroup: false,
    });
    if (fields.length > 0) values.field = fields.map(toFieldText);
    if (getList(values, 'relation').length === 0) {
      const source = { name, singular: getText(values, 'singular') || toLabelText(name) };
      const relations = await askRelations({ prompt, source, schemas: [...definitions.schema.keys()], relations: [] });
      if (relations.length > 0) values.relation = relations.map(toRelationText);
    }
    await confirmPreview(invocation, [{ kind: 'schema', name, value: toSchema(name, values) }]);
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

/** Suggests labels made from the name; only changed ones become flags. */
async function askLabels(name: string, values: Values, prompt: Prompt): Promise<void> {
  if (values.singular === undefined) {
    const made = toLabelText(name);
    const singular = await prompt.text('Singular label:', { default: made });
    if (singular !== made) values.singular = singular;
  }
  if (values.plural === undefined) {
    const made = toPlural(getText(values, 'singular') || toLabelText(name));
    const plural = await prompt.text('Plural label:', { default: made });
    if (plural !== made) values.plural = plural;
  }
  if (values.description === undefined) {
    const description = await prompt.text('Short description (optional):', { isOptional: true });
    if (description !== '') values.description = description;
  }
}
