import { parseDefault } from '../../edit/field-text.ts';
import { STAMP_TYPES, toMadeLabel } from '../../edit/made-field.ts';
import { type FieldGroup, fieldKinds } from '../../model/field/field-kind.ts';
import { FLAGS, type Flag, fieldRules } from '../../model/field/field-rules.ts';
import { listOtherNames } from '../../model/field/field-type-name.ts';
import { toTable } from '../../model/names.ts';
import { FIELD_TYPES, type Field, type FieldType } from '../../model/shape.ts';
import { toHint } from '../description.ts';
import { findDecimalKeysError, parseDecimalKeys } from '../keys/decimal.ts';
import { changeField, FIELD_KEYS, parseFieldType } from '../keys/field.ts';
import type { Choice, Prompt } from '../prompt.ts';
import type { Values } from '../spec.ts';
import { askKeys } from './key.ts';
import { findFieldNameError } from './name.ts';
import { askRules, type FieldQuestion } from './rule.ts';

const GROUPS: Readonly<Record<FieldGroup, string>> = {
  string: '── text',
  number: '── numbers',
  date: '── dates and times',
  option: '── choices',
  file: '── files',
  json: '── lists and structures',
  special: '── set by Treadle',
  none: '── without a column',
};
const GROUP_ORDER = Object.values(GROUPS);
/** Maximum characters of a type's line in the list: a terminal has 80 columns. */
const LINE_CHARACTERS = 60;
/** Types that a row can have only once. */
const SINGLE: ReadonlySet<string> = STAMP_TYPES;
const OPTION_TYPES: ReadonlySet<FieldType> = new Set(['select', 'radios', 'multiselect', 'checkboxes']);

/** The likely type for a name, so that the list starts there. */
const LIKELY: readonly (readonly [RegExp, FieldType])[] = [
  [/e?-?mail$/, 'email'],
  [/password/, 'password'],
  [/(^|_)(url|link|website|homepage)$/, 'url'],
  [/slug/, 'slug'],
  [/colou?r/, 'color'],
  [/(image|photo|picture|cover|avatar|logo)$/, 'image'],
  [/(file|attachment|document)$/, 'file'],
  [/(price|cost|amount|total|fee|rate)$/, 'decimal'],
  [/(count|number|quantity|age|size|position|rank|year)$/, 'number'],
  [/(rating|stars)$/, 'stars'],
  [/(birthday|date|day)$/, 'date'],
  [/(_at|published|starts|ends|datetime|moment)$/, 'datetime'],
  [/(status|state|kind|category)$/, 'select'],
  [/^(is|has|can)[_A-Z]/, 'switch'],
  [/tags$/, 'tag'],
  [/country$/, 'countrylist'],
  [/(body|content|article)$/, 'wysiwyg'],
  [/(detail|description|text|bio|summary|note|comment|message|about)s?$/, 'textarea'],
];

export const guessType = (name: string): FieldType => LIKELY.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';

/** Every type that this field may have, with its group and description. */
export function listTypes({ fields, fieldsets, isGroup }: Omit<FieldQuestion, 'prompt'>): Choice[] {
  const isOffered = (type: FieldType): boolean => {
    if (isGroup && (SINGLE.has(type) || type === 'ipaddress' || type === 'computed')) return false;
    if (SINGLE.has(type) && fields.some((field) => field.type === type)) return false;
    return type !== 'fieldset' || fieldsets.length > 0;
  };
  const longest = Math.max(...FIELD_TYPES.map((type) => type.length));
  const types = FIELD_TYPES.filter(isOffered).map((type): Choice => {
    const { description, group } = fieldKinds[type];
    const line = description.length > LINE_CHARACTERS ? `${description.slice(0, LINE_CHARACTERS - 1)}…` : description;
    return {
      value: type,
      name: `${type.padEnd(longest)}  ${line}`,
      description,
      group: GROUPS[group],
      words: listOtherNames(type),
    };
  });
  const rank = ({ group = '' }: Choice): number => GROUP_ORDER.indexOf(group);
  return types
    .map((choice, index) => ({ choice, index }))
    .sort((a, b) => rank(a.choice) - rank(b.choice) || a.index - b.index)
    .map(({ choice }) => choice);
}

/** Asks for fields until the name is empty. */
export async function askFields(question: FieldQuestion): Promise<Field[]> {
  const found: Field[] = [];
  for (;;) {
    const fields = [...question.fields, ...found];
    const name = await askName(question.prompt, fields, found.length === 0);
    if (name === '') return found;
    found.push(await askField(name, { ...question, fields }));
  }
}

function askName(prompt: Prompt, fields: readonly Field[], isFirst: boolean): Promise<string> {
  const taken = new Set(fields.map(({ name }) => toTable(name).toLowerCase()));
  const message = isFirst
    ? 'Name of the first field, such as title (leave empty for none):'
    : 'Name of the next field (leave empty to finish):';
  return prompt.text(message, {
    isOptional: true,
    check: (text) =>
      findFieldNameError(text) ?? (taken.has(toTable(text).toLowerCase()) ? 'That field already exists.' : undefined),
  });
}

/** Asks for the properties of a field. */
export async function askField(name: string, question: FieldQuestion): Promise<Field> {
  const { prompt, isGroup } = question;
  const type = parseFieldType(
    await prompt.search(`Type of ${name} (type to find one):`, listTypes(question), guessType(name)),
  );
  const field: Field = { name, ...toMadeLabel(name, type), type };
  await askParts(field, question);
  // A computed field is unique only if it is stored, which a flag of the command says.
  const isOpen = (flag: Flag): boolean => type !== 'computed' || flag !== 'unique';
  const flags = FLAGS.filter(
    (flag) => fieldRules.flags(type).has(flag) && isOpen(flag) && (!isGroup || flag === 'required'),
  );
  if (flags.length > 0) for (const flag of await askFlags(name, flags, prompt)) field[flag] = true;
  if (STAMP_TYPES.has(type)) return field;
  if (!(await prompt.confirm(`Set label, description, rules or default of ${name}?`, false))) return field;
  return askMore(field, question);
}

async function askFlags(name: string, flags: readonly Flag[], prompt: Prompt): Promise<Flag[]> {
  const chosen = await prompt.several(
    `Flags of ${name} (space selects, enter continues):`,
    flags.map((flag) => {
      const description = FIELD_KEYS.find((spec) => spec.flag === flag)?.description ?? '';
      return { value: flag, name: `${flag.padEnd(10)}  ${toHint(description)}` };
    }),
  );
  return flags.filter((flag) => chosen.includes(flag));
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Parses `Draft, Live now`, or `draft=Draft`: a label alone also gives the key. */
function parseOptions(text: string): { key: string; value: string }[] {
  return splitList(text).map((each) => {
    const at = each.indexOf('=');
    if (at > 0) return { key: each.slice(0, at).trim(), value: each.slice(at + 1).trim() };
    return {
      key:
        each
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, '-')
          .replace(/^-|-$/g, '') || each,
      value: each,
    };
  });
}

/** Asks for what some types require. */
async function askParts(field: Field, { prompt, fieldsets }: FieldQuestion): Promise<void> {
  const { name, type } = field;
  if (OPTION_TYPES.has(type)) {
    field.options = parseOptions(await prompt.text(`Options of ${name}, separated by commas (a label, or key=label):`));
  }
  if (type === 'decimal') {
    const keys = await prompt.text(
      `Digits of ${name} in all, after the point, and its currency, such as 12,2,EUR (leave empty for 15,2):`,
      { isOptional: true, check: (text) => (text === '' ? undefined : findDecimalKeysError(text)) },
    );
    if (keys !== '') Object.assign(field, parseDecimalKeys(keys));
  }
  if (type === 'computed') {
    field.expression = await prompt.text(`Expression of ${name}, such as price * quantity or comment.count:`);
  }
  if (type === 'table') {
    const columns = await prompt.text(`Columns of ${name}, separated by commas:`);
    field.columns = splitList(columns);
  }
  if (type === 'fieldset') {
    field.fieldset = await prompt.choice(`Fieldset of ${name}:`, fieldsets);
    if (await prompt.confirm(`Is it a list of groups?`, false)) field.multiple = true;
  }
}

async function askMore(field: Field, question: FieldQuestion): Promise<Field> {
  const { prompt } = question;
  const { name, type } = field;
  const values: Values = {};
  await askKeys(
    FIELD_KEYS,
    { prompt, values },
    { name, suggest: (key) => (key === 'label' ? field.label : undefined) },
  );
  const validation = await askRules(field, question);
  const isStored = fieldKinds[type].sql !== undefined && !fieldKinds[type].isSystem;
  const preset = isStored
    ? await prompt.text(`Default value${isDated(type) ? ', NOW() for the current time' : ''} (leave empty for none):`, {
        isOptional: true,
      })
    : '';
  return {
    ...changeField(field, values),
    ...(preset === '' ? {} : { default: parseDefault(type, preset) }),
    ...(validation.length === 0 ? {} : { validation }),
  };
}

const isDated = (type: FieldType): boolean => fieldKinds[type].group === 'date';
