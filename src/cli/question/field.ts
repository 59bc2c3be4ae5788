import { toDidYouMean } from '../../core/suggest.ts';
import { toLabelText } from '../../model/names.ts';
import { FIELD_TYPES, type Field, type FieldType } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';
import type { Prompt } from '../prompt.ts';
import { findNameFault } from './name.ts';

/** Flags that `name:type:flag,flag` may have. */
export const FIELD_FLAGS = ['required', 'unique', 'searchable', 'filterable', 'sortable'] as const;
export type FieldFlag = (typeof FIELD_FLAGS)[number];

/** Fields that every schema made by a command gets: soft removal, and when it was made and changed. */
export const STAMPS: readonly Field[] = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
];

const STAMP_TYPES: ReadonlySet<string> = new Set(STAMPS.map(({ type }) => type));

/** Fields in full: those given, and the stamps that they lack. */
export const addStamps = (fields: readonly Field[]): Field[] => [
  ...fields,
  ...STAMPS.filter(({ name, type }) => !fields.some((field) => field.type === type || field.name === name)),
];

export function parseFieldType(type: string): FieldType {
  const found = FIELD_TYPES.find((each) => each === type);
  if (found) return found;
  throw createUsageError(`"${type}" is no field type.`, toDidYouMean(type, FIELD_TYPES));
}

function parseFlags(flags: string): Partial<Record<FieldFlag, true>> {
  const found: Partial<Record<FieldFlag, true>> = {};
  for (const word of flags.split(',').filter((each) => each !== '')) {
    const flag = FIELD_FLAGS.find((each) => each === word);
    if (!flag) throw createUsageError(`"${word}" is no flag of a field.`, toDidYouMean(word, FIELD_FLAGS));
    found[flag] = true;
  }
  return found;
}

/** `name:type[:flag,flag]` as a field; its label is made from the name. */
export function parseField(text: string, presetType?: string): Field {
  const [name = '', type = presetType ?? 'text', flags = '', ...rest] = text.split(':');
  if (name === '' || rest.length > 0) {
    throw createUsageError(
      `The field "${text}" is not name:type[:flag,flag].`,
      'Such as title:text:required,searchable',
    );
  }
  const kind = parseFieldType(type === '' ? 'text' : type);
  const label = STAMP_TYPES.has(kind) ? {} : { label: toLabelText(name) };
  return { name, ...label, type: kind, ...parseFlags(flags) };
}

/** A field as a flag's value says it. */
export const toFieldText = (name: string, type: string, flags: readonly string[]): string =>
  [name, type, ...(flags.length > 0 ? [flags.join(',')] : [])].join(':');

/** Asks for fields until an empty name; each as `name:type:flags`. */
export async function askFields(prompt: Prompt): Promise<string[]> {
  const found: string[] = [];
  const names = new Set<string>();
  for (;;) {
    const name = await prompt.text(
      found.length === 0 ? 'First field (empty for none):' : 'Next field (empty to end):',
      {
        isOptional: true,
        check: (text) => findNameFault(text) ?? (names.has(text) ? 'That field is there already.' : undefined),
      },
    );
    if (name === '') return found;
    names.add(name);
    const type = await prompt.choice(`Type of ${name}:`, FIELD_TYPES, 'text');
    const flags = await prompt.several(`${name} is:`, FIELD_FLAGS);
    found.push(toFieldText(name, type, flags));
  }
}
