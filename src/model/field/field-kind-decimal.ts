import * as z from 'zod';
import { currentLocaleTag, translate } from '../../core/text/translate.ts';
import {
  DEFAULT_PRECISION,
  DEFAULT_SCALE,
  type DecimalShape,
  findDigitsError,
  fromUnits,
  toPlainDecimal,
  toUnits,
} from '../decimal/decimal.ts';
import { type LocalReading, readLocalDecimal, toLocalDecimal } from '../decimal/local-decimal.ts';
import { isRecord } from '../json/json-value.ts';
import type { Field } from '../shape.ts';
import { ALL_FLAGS, createKind, type FieldKind } from './field-kind-row.ts';

/** The digits of a field's decimals. */
export function readDecimalShape({ precision = DEFAULT_PRECISION, scale }: Field): DecimalShape {
  return { precision, scale: scale ?? Math.min(DEFAULT_SCALE, precision) };
}

/** Column types of a field: a whole number of the smallest unit on SQLite, which has no exact decimals. */
export function toDecimalType(field: Field): { readonly sqlite: string; readonly postgres: string } {
  const { precision, scale } = readDecimalShape(field);
  return { sqlite: 'integer', postgres: `numeric(${precision},${scale})` };
}

/** Converts to a plain decimal as text: null for blank. Other values are returned for the shape to reject. */
function coerceDecimal(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  if (typeof value === 'string' && value.trim() === '') return null;
  return toPlainDecimal(value) ?? value;
}

/** The bounds of a field in its smallest unit. A bound with too many digits is none: `check` refuses it. */
function readBounds({ attributes }: Field, scale: number): { min: number; max: number; step: number } {
  const read = (name: string): number | undefined => {
    const value = attributes?.[name];
    return typeof value === 'string' || typeof value === 'number' ? toUnits(value, scale) : undefined;
  };
  const step = read('step') ?? 1;
  return { min: read('min') ?? -Infinity, max: read('max') ?? Infinity, step: step > 0 ? step : 1 };
}

/** A text of a form that could be two amounts. It stands in the value's place, so that the value is refused. */
interface UnclearDecimal {
  readonly unclear: string;
}

const readLocal = (field: Field, text: string): LocalReading | undefined =>
  readLocalDecimal(currentLocaleTag(), text, { scale: readDecimalShape(field).scale, currency: field.currency });

/** A decimal as a form shows it, in the language of the request. What is no decimal stays. */
export function toTypedDecimal(field: Field, value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return toPlainDecimal(text) === undefined
    ? text
    : toLocalDecimal(currentLocaleTag(), toCanonicalDecimal(field, text));
}

/** A decimal with all digits of its field's scale, as answers have it. What does not fit stays. */
export function toCanonicalDecimal(field: Field, text: string): string {
  const plain = toPlainDecimal(text);
  return plain === undefined ? text : padZeros(plain, readDecimalShape(field).scale);
}

/** What was typed into a form, in the language of the request, as answers have it. What is no decimal stays. */
export function readTypedDecimal(field: Field, typed: string): string | UnclearDecimal {
  const read = readLocal(field, typed);
  if (read === undefined) return typed;
  return 'plain' in read ? toCanonicalDecimal(field, read.plain) : { unclear: typed };
}

/** All digits of the scale, as far as the text has no more. */
function padZeros(plain: string, scale: number): string {
  const units = toUnits(plain, scale);
  return units === undefined ? plain : fromUnits(units, scale);
}

/** An example of a field's values. */
export function toDecimalExample(field: Field): string {
  const { precision, scale } = readDecimalShape(field);
  const { min, max } = readBounds(field, scale);
  const whole = ['0', '1'][precision - scale] ?? '12';
  const units = toUnits(`${whole}.${'5'.padEnd(scale, '0').slice(0, scale)}`, scale) ?? 0;
  return fromUnits(units >= min && units <= max ? units : Number.isFinite(min) ? min : max, scale);
}

/** The first rule of the field's type that a value breaks, in words after the label. */
export function findDecimalError(value: unknown, field: Field): string | undefined {
  const { precision, scale } = readDecimalShape(field);
  const print = (plain: string): string => toLocalDecimal(currentLocaleTag(), plain);
  if (isRecord(value) && typeof value.unclear === 'string') return describeUnclear(value.unclear, field);
  const plain = typeof value === 'string' ? toPlainDecimal(value) : undefined;
  if (plain === undefined)
    return translate('must be a decimal number such as {example}', { example: print(toDecimalExample(field)) });
  const excess = findDigitsError(plain, { precision, scale });
  if (excess === 'scale' && scale === 0) return translate('must be a whole number');
  if (excess === 'scale')
    return translate('may have at most {count, plural, one {# digit} other {# digits}} after the decimal sign', {
      count: scale,
    });
  const before = precision - scale;
  if (excess === 'precision' && before === 0) return translate('must be less than 1 and more than -1');
  const units = toUnits(plain, scale);
  if (excess === 'precision' || units === undefined)
    return translate('may have at most {count, plural, one {# digit} other {# digits}} before the decimal sign', {
      count: before,
    });
  return findBoundError(units, field, scale);
}

function findBoundError(units: number, field: Field, scale: number): string | undefined {
  const { min, max, step } = readBounds(field, scale);
  const print = (bound: number): string => toLocalDecimal(currentLocaleTag(), fromUnits(bound, scale));
  if (units < min) return `must be at least ${print(min)}`;
  if (units > max) return `must be at most ${print(max)}`;
  const base = Number.isFinite(min) ? min : 0;
  if ((units - base) % step === 0) return undefined;
  if (base % step === 0) return translate('must be a multiple of {number}', { number: print(step) });
  return translate('must be in steps of {step} from {least}', { step: print(step), least: print(base) });
}

/** The currency and the bounds of a field, a sentence each, for the hint of its input. */
export function describeDecimalBounds(field: Field): string[] {
  const { scale } = readDecimalShape(field);
  const { min, max, step } = readBounds(field, scale);
  const print = (bound: number): string => toLocalDecimal(currentLocaleTag(), fromUnits(bound, scale));
  const [least, most] = [Number.isFinite(min) ? print(min) : undefined, Number.isFinite(max) ? print(max) : undefined];
  const sentences = [
    field.currency !== undefined && translate('In {currency}.', { currency: field.currency }),
    least !== undefined && most !== undefined && translate('From {least} to {most}.', { least, most }),
    least !== undefined && most === undefined && translate('At least {least}.', { least }),
    least === undefined && most !== undefined && translate('At most {most}.', { most }),
    step !== 1 && translate('In steps of {step}.', { step: print(step) }),
  ];
  return sentences.filter((sentence) => sentence !== false);
}

function describeUnclear(typed: string, field: Field): string {
  const read = readLocal(field, typed);
  const { scale } = readDecimalShape(field);
  const print = (plain: string): string => toTypedDecimal(field, plain);
  if (read === undefined || 'plain' in read) return describe(field);
  const { whole, part } = read;
  if (toUnits(part, scale) === undefined)
    return translate('can be read in two ways: write {whole}, without a sign between thousands', {
      whole: print(whole),
    });
  return translate('can be read in two ways: write {whole} or {part}', { whole: print(whole), part: print(part) });
}

function describe(field: Field): string {
  const { precision, scale } = readDecimalShape(field);
  const { min, max, step } = readBounds(field, scale);
  const print = (units: number): string => toLocalDecimal(currentLocaleTag(), fromUnits(units, scale));
  const rules = [
    scale === 0
      ? translate('must be a whole number of at most {count, plural, one {# digit} other {# digits}}', {
          count: precision,
        })
      : translate('must be a decimal number of at most {before} digits before the point and {after} after it', {
          before: precision - scale,
          after: scale,
        }),
    Number.isFinite(min) && translate('at least {least}', { least: print(min) }),
    Number.isFinite(max) && translate('at most {most}', { most: print(max) }),
    step !== 1 && translate('in steps of {step}', { step: print(step) }),
  ];
  return rules.filter((rule) => rule !== false).join(', ');
}

/** Texts that JSON carries. */
function createPattern(field: Field): string {
  const { precision, scale } = readDecimalShape(field);
  const whole = precision > scale ? `(0|[1-9]\\d{0,${precision - scale - 1}})` : '0';
  return `^-?${whole}${scale === 0 ? '' : `(\\.\\d{1,${scale}})?`}$`;
}

/** A number of a fixed count of digits, exact in both databases: JSON carries it as text. */
export const decimalKinds: Readonly<Record<'decimal', FieldKind>> = {
  decimal: createKind({
    type: 'decimal',
    group: 'number',
    description:
      'An exact decimal number, such as an amount of money: `precision` digits in all, `scale` of them after the point. JSON carries it as text.',
    sql: { sqlite: 'integer', postgres: 'numeric' },
    coerce: coerceDecimal,
    shape: (field) => z.string().refine((text) => findDecimalError(text, field) === undefined),
    expects: describe,
    findError: findDecimalError,
    jsonSchema: (field) => ({ type: 'string', format: 'decimal', pattern: createPattern(field) }),
    control: { element: 'input', inputType: 'text', attributes: { inputmode: 'decimal' } },
    flags: { ...ALL_FLAGS, searchable: false },
    defaultFormat: 'decimal',
    // The text with all of its digits after the point. What the database stores is made of it where rows are written.
    prepare: (value, _tools, field) => {
      const plain = coerceDecimal(value);
      if (typeof plain !== 'string' || field === undefined) return plain;
      return padZeros(plain, readDecimalShape(field).scale);
    },
  }),
};
