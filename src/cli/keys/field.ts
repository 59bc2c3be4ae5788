import { toDidYouMean } from '../../core/text/suggest.ts';
import { parseAttribute, parseDefault, parseFormatParameters, parseOption } from '../../edit/field-text.ts';
import { toMadeLabel } from '../../edit/made-field.ts';
import { FLAGS, type Flag } from '../../model/field/field-rules.ts';
import { toTypeHint } from '../../model/field/field-type-name.ts';
import { getFieldForm } from '../../model/form/field.ts';
import { listFormKeys } from '../../model/form/key.ts';
import { formats } from '../../model/format/format.ts';
import { FIELD_TYPES, Field, type FieldType, type Format, type Validation } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';
import type { Values } from '../spec.ts';
import { parseDecimalKeys, toDecimalText } from './decimal.ts';
import { parseFlagJson } from './json.ts';
import { changeKeys, type KeySpec } from './key.ts';
import { parseRule } from './rule.ts';
import { toKeys } from './shape.ts';

export function parseFieldType(type: string): FieldType {
  const found = FIELD_TYPES.find((each) => each === type);
  if (found) return found;
  throw createUsageError(`"${type}" is not a field type.`, toTypeHint(type));
}

/** Says that a field is not private, where a new one is by itself. */
const PUBLIC = 'public';

function parseFlags(flags: string): Partial<Record<Flag, boolean>> {
  const found: Partial<Record<Flag, boolean>> = {};
  for (const word of flags.split(',').filter((each) => each !== '')) {
    if (word === PUBLIC) {
      found.private = false;
      continue;
    }
    const flag = FLAGS.find((each) => each === word);
    if (!flag) throw createUsageError(`"${word}" is not a flag of a field.`, toDidYouMean(word, [...FLAGS, PUBLIC]));
    found[flag] = true;
  }
  return found;
}

/** A type, and for `decimal(12,2,EUR)` its digits and currency. */
function parseTypeText(text: string): Pick<Field, 'type' | 'precision' | 'scale' | 'currency'> {
  const [, keys] = /^decimal\((.*)\)$/.exec(text) ?? [];
  return keys === undefined ? { type: parseFieldType(text) } : { type: 'decimal', ...parseDecimalKeys(keys) };
}

/** `name:type[:flag,flag]` as a field, or JSON for all that a field may carry; its label is made from the name. */
export function parseField(text: string, presetType?: string): Field {
  if (text.trimStart().startsWith('{')) return parseFieldJson(text);
  const [name = '', type = presetType ?? 'text', flags = '', ...rest] = text.split(':');
  if (name === '' || rest.length > 0) {
    throw createUsageError(
      `The field "${text}" is not name:type[:flag,flag].`,
      'Such as title:text:required,searchable',
    );
  }
  const kind = parseTypeText(type === '' ? 'text' : type);
  return { name, ...toMadeLabel(name, kind.type), ...kind, ...parseFlags(flags) };
}

function parseFieldJson(text: string): Field {
  const parsed = Field.safeParse(parseFlagJson(text));
  if (parsed.success) {
    const field: Field = parsed.data;
    return Object.assign(toMadeLabel(field.name, field.type), field);
  }
  const [issue] = parsed.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw createUsageError(
    `The field ${text} is none: ${at}${issue?.message ?? ''}`,
    'See: docs/reference/definitions.md',
  );
}

/** A field as a flag's value says it: in short where that says all. */
export function toFieldText(field: Field): string {
  const { name, type, label, ...more } = field;
  const typeText = toDecimalText(field);
  const { precision: _, scale: __, currency: ___, ...short } = more;
  const rest = typeText === undefined ? more : short;
  const isLabelMade = label === toMadeLabel(name, type).label;
  const others = Object.entries(rest).filter(([key, value]) => !(FLAGS.some((flag) => flag === key) && value === true));
  if (!isLabelMade || others.length > 0) return JSON.stringify(isLabelMade ? { name, type, ...more } : field);
  const flags = FLAGS.filter((flag) => field[flag] === true);
  return [name, typeText ?? type, ...(flags.length > 0 ? [flags.join(',')] : [])].join(':');
}

/** `length:80`, `link:/article/{{article_id}},{{article_title}}`; the last parameter takes all that is left. */
function parseFormat(text: string): Format {
  const at = text.indexOf(':');
  const format = at < 0 ? text : text.slice(0, at);
  const kind = formats[format];
  if (kind === undefined)
    throw createUsageError(`There is no format "${format}".`, toDidYouMean(format, Object.keys(formats)));
  if (at < 0) return { format };
  return { format, parameters: parseFormatParameters(format, text.slice(at + 1)) };
}

const toKey = (entry: unknown): string => (entry as { key: string }).key;

/** The keys of a field that flags set: all but its name and its former names. */
export const FIELD_KEYS: readonly KeySpec[] = toKeys(
  listFormKeys(Field, getFieldForm()).filter(({ key }) => key !== 'was'),
  {
    type: { parse: parseFieldType },
    attributes: { parse: parseAttribute },
    options: { parse: parseOption, identify: toKey, identity: 'key' },
    validation: { parse: parseRule, identify: (entry) => (entry as Validation).method, identity: 'method' },
    list: { parse: parseFormat },
    detail: { parse: parseFormat },
  },
);

/** A field as the flags change it. */
export function changeField(field: Field, values: Values): Field {
  const changed = changeKeys(field, FIELD_KEYS, values);
  const given = values.default;
  if (typeof given !== 'string' || given === '') return changed;
  return { ...changed, default: parseDefault(changed.type, given) };
}
