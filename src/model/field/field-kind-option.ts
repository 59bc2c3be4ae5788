import * as z from 'zod';
import { toLocalText, translate } from '../../core/text/translate.ts';
import type { Field } from '../shape.ts';
import { COUNTRIES } from './countries.ts';
import { LINE_CHARACTERS } from './field-bounds.ts';
import { ALL_FLAGS, coerceText, createKind, type FieldKind, INTEGER, TEXT } from './field-kind-row.ts';

const YES: ReadonlySet<unknown> = new Set([true, 1, '1', 'on', 'true', 'yes']);
const NO: ReadonlySet<unknown> = new Set([false, 0, '0', 'off', 'false', 'no', '', null, undefined]);

/**
 * Converts what forms and programs send for yes and no to 1 or 0; other values are returned for the shape to
 * reject. In a list the last value counts: a form sends `0` from a hidden input and then `1` if the checkbox
 * is ticked.
 */
export function toFlag(value: unknown): unknown {
  const last = Array.isArray(value) && value.length > 0 ? value.at(-1) : value;
  const plain = typeof last === 'string' ? last.trim().toLowerCase() : last;
  if (YES.has(plain)) return 1;
  return NO.has(plain) ? 0 : value;
}

export const flag = {
  group: 'option',
  sql: INTEGER,
  coerce: toFlag,
  shape: () => z.union([z.literal(0), z.literal(1)]),
  expects: () => 'must be 1 or 0',
  jsonSchema: () => ({ type: 'integer', enum: [0, 1] }),
  control: { element: 'input', inputType: 'checkbox', attributes: { value: '1' } },
  flags: ALL_FLAGS,
  defaultFormat: 'yes',
} as const;

/** The keys of the field's options. */
export const listKeys = ({ options = [] }: Field): string[] => options.map(({ key }) => key);

/** One of the field's options, by key; any short text if it lists none. */
export function toOption(field: Field): z.ZodType {
  const keys = new Set(listKeys(field));
  return keys.size === 0 ? z.string().max(LINE_CHARACTERS) : z.string().refine((text) => keys.has(text));
}

export function toOptionWords(field: Field): string {
  const keys = listKeys(field);
  if (keys.length === 0) return `text of at most ${LINE_CHARACTERS} characters`;
  const list = `${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ', …' : ''}`;
  return translate('one of {list}', { list });
}

export function createOptionSchema(field: Field): Record<string, unknown> {
  const keys = listKeys(field);
  return { type: 'string', ...(keys.length === 0 ? { maxLength: LINE_CHARACTERS } : { enum: [...new Set(keys)] }) };
}

const choice = {
  group: 'option',
  sql: TEXT,
  coerce: coerceText,
  shape: toOption,
  expects: (field: Field) => translate('must be {words}', { words: toLocalText(toOptionWords(field)) }),
  jsonSchema: createOptionSchema,
  isText: true,
  flags: ALL_FLAGS,
} as const;

const COUNTRY: ReadonlySet<string> = new Set(COUNTRIES);
const toCountry = (value: unknown): unknown => {
  const text = coerceText(value);
  return typeof text === 'string' && COUNTRY.has(text.trim().toUpperCase()) ? text.trim().toUpperCase() : text;
};
const hasOptions = ({ options = [] }: Field): boolean => options.length > 0;

type OptionType = 'checkbox' | 'switch' | 'select' | 'countrylist' | 'radios';

export const optionKinds: Readonly<Record<OptionType, FieldKind>> = {
  checkbox: createKind({ ...flag, type: 'checkbox', description: 'Yes or no, as 1 or 0.' }),
  switch: createKind({
    ...flag,
    type: 'switch',
    description: 'Yes or no, as 1 or 0, edited with a switch.',
    control: { element: 'input', inputType: 'checkbox', attributes: { value: '1', role: 'switch' } },
  }),
  select: createKind({
    ...choice,
    type: 'select',
    description: 'One of the options, by key.',
    control: { element: 'select' },
  }),
  countrylist: createKind({
    ...choice,
    type: 'countrylist',
    description: 'A country, by its code of two letters (ISO 3166-1); `options` narrows the choice.',
    coerce: toCountry,
    shape: (field) => (hasOptions(field) ? toOption(field) : z.string().refine((text) => COUNTRY.has(text))),
    expects: (field) =>
      hasOptions(field) ? choice.expects(field) : 'must be the code of a country such as FR (ISO 3166-1)',
    jsonSchema: (field) => (hasOptions(field) ? createOptionSchema(field) : { type: 'string', enum: COUNTRIES }),
    control: { element: 'select', attributes: { 'data-do': 'countrylist-field' } },
  }),
  radios: createKind({
    ...choice,
    type: 'radios',
    description: 'One of the options, shown side by side.',
    control: { element: 'radios' },
  }),
};
