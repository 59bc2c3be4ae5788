import * as z from 'zod';
import type { Field } from '../shape.ts';
import {
  ANY_NUMBER,
  createRangeSchema,
  describeRange,
  isInRange,
  type NumberRange,
  readRange,
} from './field-bounds.ts';
import { ALL_FLAGS, coerceNumber, createKind, type FieldKind, INTEGER, REAL } from './field-kind-row.ts';

const WHOLE: NumberRange = { min: undefined, max: undefined, step: 1 };
/** An amount of 15 digits, the most that a double stores exactly. */
export const MOST_MONEY = 9_999_999_999_999.99;

/** A number type with a range, which the attributes `min`, `max` and `step` narrow. */
const numeric = (own: NumberRange) =>
  ({
    group: 'number',
    sql: own.step === 1 ? INTEGER : REAL,
    coerce: coerceNumber,
    shape: (field: Field): z.ZodType => {
      const range = readRange(field, own);
      return z.number().refine((value) => isInRange(value, range));
    },
    expects: (field: Field) => `must be ${describeRange(readRange(field, own))}`,
    jsonSchema: (field: Field) => createRangeSchema(readRange(field, own)),
    flags: ALL_FLAGS,
    defaultFormat: 'number',
  }) as const;

const roundTo = (decimals: number) => (value: unknown) => {
  const number = coerceNumber(value);
  return typeof number === 'number' ? Number(number.toFixed(decimals)) : null;
};

const PRICE = numeric({ min: -MOST_MONEY, max: MOST_MONEY, step: 0.01 });

export const numberKinds: Readonly<Record<'number' | 'range' | 'small' | 'float' | 'price' | 'stars', FieldKind>> = {
  number: createKind({
    ...numeric(WHOLE),
    type: 'number',
    description: 'A number: whole, unless the attribute `step` has decimals.',
    control: { element: 'input', inputType: 'number' },
  }),
  range: createKind({
    ...numeric(WHOLE),
    type: 'range',
    description: 'A number chosen on a slider, from 0 to 100 unless `min` and `max` say otherwise.',
    shape: (field) => numeric(toSlider(field)).shape(field),
    expects: (field) => numeric(toSlider(field)).expects(field),
    jsonSchema: (field) => numeric(toSlider(field)).jsonSchema(field),
    control: { element: 'input', inputType: 'range' },
  }),
  small: createKind({
    ...numeric({ min: 0, max: 255, step: 1 }),
    type: 'small',
    description: 'A small whole number, 0 to 255.',
    control: { element: 'input', inputType: 'number', attributes: { min: 0, max: 255, step: 1 } },
  }),
  float: createKind({
    ...numeric(ANY_NUMBER),
    type: 'float',
    description: 'A number with decimals.',
    control: { element: 'input', inputType: 'number', attributes: { step: 'any' } },
  }),
  price: createKind({
    ...PRICE,
    type: 'price',
    description: 'An amount of money of at most two decimals.',
    expects: (field) =>
      field.attributes?.min === undefined && field.attributes?.max === undefined
        ? 'must be an amount of at most two decimals such as 9.99'
        : PRICE.expects(field),
    control: { element: 'input', inputType: 'number', attributes: { step: '0.01' } },
    defaultFormat: 'price',
    prepare: roundTo(2),
  }),
  stars: createKind({
    ...numeric({ min: 0, max: 5, step: 0.5 }),
    type: 'stars',
    description: 'A rating from 0 to 5, in steps of a half.',
    control: { element: 'input', inputType: 'number', attributes: { min: 0, max: 5, step: '0.5' } },
    defaultFormat: 'stars',
    prepare: roundTo(1),
  }),
};

/** A slider without bounds ranges from 0 to 100, as in browsers. */
function toSlider({ attributes }: Field): NumberRange {
  return {
    min: attributes?.min === undefined ? 0 : undefined,
    max: attributes?.max === undefined ? Math.max(100, Number(attributes?.min ?? 0)) : undefined,
    step: 1,
  };
}
