import { findOwn } from '../../core/record.ts';
import { applyChanges, type Change } from '../../edit/change.ts';
import { addStamps, STAMPS, toDisplay } from '../../edit/made-field.ts';
import { toLabelText, toPlural } from '../../model/names.ts';
import { toSentence } from '../../model/relation-sentence.ts';
import type { Fieldset, Relation, Schema } from '../../model/shape.ts';
import { readDefinitions, refuseExisting, toOutcome } from '../change/definition.ts';
import { parseField, toFieldText } from '../keys/field.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { EXAMPLES, KEYS } from '../keys/kinds.ts';
import type { Prompt } from '../prompt.ts';
import { askFields } from '../question/field.ts';
import { createJudges } from '../question/judge.ts';
import { askKeys } from '../question/key.ts';
import { findNameError, findSchemaNameError } from '../question/name.ts';
import { confirmPreview } from '../question/preview.ts';
import { askRelations, parseRelation, toRelationText } from '../question/relation.ts';
import {
  type CommandSpec,
  findText,
  getList,
  getText,
  type Invocation,
  isOn,
  type OptionSpec,
  type Values,
} from '../spec.ts';

/** What has fields. */
type Kind = 'schema' | 'fieldset';

const FIELD: OptionSpec = {
  name: 'field',
  value: 'name:type[:flags]',
  description:
    'a field; flags, separated by commas: required unique searchable filterable sortable private; price:decimal(12,2,EUR) has digits and a currency; JSON for all of its keys',
  isRepeated: true,
};

const OF_SCHEMA: readonly OptionSpec[] = [
  {
    name: 'relation',
    value: 'schema=kind[,name[,rule]]',
    description: 'a relation; kinds 1:1 1:0 1:N N:N; rules restrict cascade clear',
    isRepeated: true,
  },
  { name: 'no-stamps', description: 'leaves out the fields active, created and updated' },
];

const SAMPLES: Readonly<Record<Kind, readonly string[]>> = {
  schema: [
    'treadle schema create article --field title:text:required,searchable --field detail:wysiwyg',
    'treadle schema create comment --field detail:textarea:required --relation profile=1:1',
    `treadle schema create task --field '{"name":"state","type":"radios","options":[{"key":"open","value":"Open"}]}' --relation task=1:0,parent`,
  ],
  fieldset: ['treadle fieldset create address --field street:text:required --field city:text:required'],
};

/** `treadle schema create <name>` and `treadle fieldset create <name>`. */
export function toCommand(kind: Kind): CommandSpec {
  const isSchema = kind === 'schema';
  const { name: sample } = EXAMPLES[kind];
  const check = isSchema ? findSchemaNameError : findNameError;
  return {
    arguments: [{ name: 'name', description: `name of the ${kind}, such as ${sample}`, check }],
    options: [...toCreateOptions(KEYS[kind]), FIELD, ...(isSchema ? OF_SCHEMA : [])],
    isWriting: true,
    judges: (invocation) => createJudges(kind, 'name', invocation),
    examples: SAMPLES[kind],
    ask: (invocation, prompt) => ask(kind, invocation, prompt),
    async run(invocation) {
      const name = getText(invocation.values, 'name');
      refuseExisting(await readDefinitions(invocation), kind, name);
      const change = toChange(kind, name, invocation.values);
      const files = await applyChanges(invocation, [change]);
      const { singular, relations = [] } = change.value;
      return toOutcome(invocation, files, {
        lines: relations.map((relation) => toSentence(singular, relation)),
        next: isSchema
          ? [`treadle rest generate ${name}`, 'treadle dev']
          : [`treadle field add <schema> ${name} --type fieldset --fieldset ${name}`],
      });
    },
  };
}

async function ask(kind: Kind, invocation: Invocation, prompt: Prompt): Promise<void> {
  const { values } = invocation;
  const isSchema = kind === 'schema';
  const name = getText(values, 'name');
  const definitions = await readDefinitions(invocation);
  // Checked before the questions, not after them.
  refuseExisting(definitions, kind, name);
  if (getList(values, 'field').length > 0) return;
  // Labels are made from the name; only changed ones become flags.
  const labels: Readonly<Record<string, () => string>> = {
    singular: () => toLabelText(name),
    plural: () => toPlural(getText(values, 'singular') || toLabelText(name)),
  };
  if (isSchema) await askKeys(KEYS.schema, invocation, { suggest: (key) => findOwn(labels, key)?.() });
  const fieldsets = [...definitions.fieldset.keys()].filter((each) => isSchema || each !== name);
  const stamps = isSchema && isOn(values, 'stamps') ? STAMPS : [];
  const fields = await askFields({ prompt, fields: stamps, fieldsets, isGroup: !isSchema });
  if (fields.length > 0) values.field = fields.map(toFieldText);
  if (isSchema && getList(values, 'relation').length === 0) {
    const source = { name, singular: getText(values, 'singular') || toLabelText(name) };
    const relations = await askRelations({ prompt, source, schemas: [...definitions.schema.keys()], relations: [] });
    if (relations.length > 0) values.relation = relations.map(toRelationText);
  }
  await confirmPreview(invocation, [toChange(kind, name, values)]);
}

/** Builds the definition from the flags. @throws CLI_USAGE */
function toChange(kind: Kind, name: string, values: Values): Change & { readonly value: Fieldset & Partial<Schema> } {
  const given = getList(values, 'field').map((text) => parseField(text));
  const singular = findText(values, 'singular') ?? toLabelText(name);
  const labels = { name, singular, plural: toPlural(singular) };
  if (kind === 'fieldset')
    return { kind, name, value: changeKeys({ ...labels, fields: given }, KEYS.fieldset, values) };
  const relations: Relation[] = getList(values, 'relation').map(parseRelation);
  const schema: Schema = {
    ...labels,
    ...toDisplay(name, given),
    fields: isOn(values, 'stamps') ? addStamps(given) : given,
    ...(relations.length === 0 ? {} : { relations }),
  };
  return { kind, name, value: changeKeys(schema, KEYS.schema, values) };
}
