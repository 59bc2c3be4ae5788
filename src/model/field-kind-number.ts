import * as z from 'zod';
import { ALL_FLAGS, type FieldKind, INTEGER, REAL, TEXT, toKind, toNumber, toText } from './field-kind-row.ts';
import type { Field } from './shape.ts';

type NumberType =
  | 'number'
  | 'range'
  | 'small'
  | 'float'
  | 'price'
  | 'stars'
  | 'checkbox'
  | 'switch'
  | 'select'
  | 'countrylist'
  | 'radios';

interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isWhole: boolean;
}

function readBounds(field: Field, isWhole: boolean): Bounds {
  const read = (name: string): number | undefined => {
    const value = toNumber(field.attributes?.[name]);
    return typeof value === 'number' ? value : undefined;
  };
  const step = String(field.attributes?.step ?? '');
  return { min: read('min'), max: read('max'), isWhole: isWhole && !step.includes('.') && step !== 'any' };
}

function toShape(field: Field, isWhole: boolean): z.ZodType {
  const bounds = readBounds(field, isWhole);
  let shape = bounds.isWhole ? z.int() : z.number();
  if (bounds.min !== undefined) shape = shape.min(bounds.min);
  if (bounds.max !== undefined) shape = shape.max(bounds.max);
  return shape;
}

function toExpectation(field: Field, isWhole: boolean): string {
  const { min, max, isWhole: whole } = readBounds(field, isWhole);
  const noun = whole ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `must be ${noun} from ${min} to ${max}`;
  if (min !== undefined) return `must be ${noun} of at least ${min}`;
  if (max !== undefined) return `must be ${noun} of at most ${max}`;
  return `must be ${noun}`;
}

const numeric = (isWhole: boolean) =>
  ({
    group: 'number',
    sql: isWhole ? INTEGER : REAL,
    coerce: toNumber,
    shape: (field: Field) => toShape(field, isWhole),
    expects: (field: Field) => toExpectation(field, isWhole),
    flags: ALL_FLAGS,
    defaultFormat: 'number',
  }) as const;

const roundTo = (decimals: number) => (value: unknown) => {
  const number = toNumber(value);
  return typeof number === 'number' ? Number(number.toFixed(decimals)) : null;
};

const YES: ReadonlySet<unknown> = new Set([true, 1, '1', 'on', 'true', 'yes']);
const NO: ReadonlySet<unknown> = new Set([false, 0, '0', 'off', 'false', 'no', '', null, undefined]);

/** 1 or 0 of what forms and programs send for yes and no; anything else is left for the shape to refuse. */
export function toFlag(value: unknown): unknown {
  const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (YES.has(plain)) return 1;
  return NO.has(plain) ? 0 : value;
}

const flag = {
  group: 'option',
  sql: INTEGER,
  coerce: toFlag,
  shape: () => z.union([z.literal(0), z.literal(1)]),
  expects: () => 'must be 1 or 0',
  jsonSchema: { enum: [0, 1] },
  control: { element: 'input', inputType: 'checkbox', attributes: { value: '1' } },
  flags: ALL_FLAGS,
  defaultFormat: 'yes',
} as const;

/** One of the field's options, by key; any text where it lists none. */
export function toOption(field: Field): z.ZodType {
  const keys = (field.options ?? []).map(({ key }) => key);
  return keys.length === 0 ? z.string().max(255) : z.enum(keys as [string, ...string[]]);
}

export function toOptionWords(field: Field): string {
  const keys = (field.options ?? []).map(({ key }) => key);
  if (keys.length === 0) return 'text of at most 255 characters';
  const shown = keys.slice(0, 8).join(', ');
  return `one of ${shown}${keys.length > 8 ? ', …' : ''}`;
}

const choice = {
  group: 'option',
  sql: TEXT,
  coerce: toText,
  shape: toOption,
  expects: (field: Field) => `must be ${toOptionWords(field)}`,
  isText: true,
  flags: ALL_FLAGS,
} as const;

export const numberKinds: Readonly<Record<NumberType, FieldKind>> = {
  number: toKind({
    ...numeric(true),
    type: 'number',
    description: 'A number: whole, unless the attribute `step` has decimals.',
    control: { element: 'input', inputType: 'number' },
  }),
  range: toKind({
    ...numeric(true),
    type: 'range',
    description: 'A number chosen on a slider.',
    control: { element: 'input', inputType: 'range' },
  }),
  small: toKind({
    ...numeric(true),
    type: 'small',
    description: 'A small whole number, 0 to 255.',
    shape: () => z.int().min(0).max(255),
    expects: () => 'must be a whole number from 0 to 255',
    control: { element: 'input', inputType: 'number', attributes: { min: 0, max: 255 } },
  }),
  float: toKind({
    ...numeric(false),
    type: 'float',
    description: 'A number with decimals.',
    control: { element: 'input', inputType: 'number', attributes: { step: 'any' } },
  }),
  price: toKind({
    ...numeric(false),
    type: 'price',
    description: 'An amount of money, kept to two decimals.',
    control: { element: 'input', inputType: 'number', attributes: { step: '0.01' } },
    defaultFormat: 'price',
    prepare: roundTo(2),
  }),
  stars: toKind({
    ...numeric(false),
    type: 'stars',
    description: 'A rating from 0 to 5, in steps of a half.',
    shape: () => z.number().min(0).max(5),
    expects: () => 'must be a number from 0 to 5',
    control: { element: 'input', inputType: 'number', attributes: { min: 0, max: 5, step: '0.5' } },
    defaultFormat: 'stars',
    prepare: roundTo(1),
  }),
  checkbox: toKind({ ...flag, type: 'checkbox', description: 'Yes or no, as 1 or 0.' }),
  switch: toKind({ ...flag, type: 'switch', description: 'Yes or no, as 1 or 0, edited with a switch.' }),
  select: toKind({
    ...choice,
    type: 'select',
    description: 'One of the options, by key.',
    control: { element: 'select' },
  }),
  countrylist: toKind({
    ...choice,
    type: 'countrylist',
    description: 'A country.',
    control: { element: 'select', attributes: { 'data-do': 'countrylist-field' } },
  }),
  radios: toKind({
    ...choice,
    type: 'radios',
    description: 'One of the options, shown side by side.',
    control: { element: 'radios' },
  }),
};
