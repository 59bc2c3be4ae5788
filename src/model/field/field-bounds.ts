import type { Field } from '../shape.ts';
import { coerceNumber } from './field-kind-row.ts';
import { countCharacters } from './validate-test.ts';

/** Maximum characters of a single-line text. */
export const LINE_CHARACTERS = 255;

/** The allowed numbers of a field; `any` if every number is allowed. */
export interface NumberRange {
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Distance between allowed numbers, counted from `base`. */
  readonly step: number | 'any';
  /** Start of the steps: the attribute `min`. Default 0. */
  readonly base?: number | undefined;
}

export const ANY_NUMBER: NumberRange = { min: undefined, max: undefined, step: 'any' };

function readAttribute(field: Field, name: string): number | undefined {
  const value = coerceNumber(field.attributes?.[name]);
  return typeof value === 'number' ? value : undefined;
}

const narrower = (pick: (...values: number[]) => number, ...values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : pick(...known);
};

/** A type's range, narrowed by the attributes `min`, `max` and `step`. They cannot widen it. */
export function readRange(field: Field, own: NumberRange): NumberRange {
  const step = readAttribute(field, 'step');
  const base = readAttribute(field, 'min');
  return {
    base,
    min: narrower(Math.max, own.min, base),
    max: narrower(Math.min, own.max, readAttribute(field, 'max')),
    step: field.attributes?.step === 'any' ? 'any' : step !== undefined && step > 0 ? step : own.step,
  };
}

/** True if all numbers of a range are integers. */
const isWholeRange = ({ base = 0, step }: NumberRange): boolean =>
  step !== 'any' && Number.isInteger(step) && Number.isInteger(base);

/** True if a number is on a step, within the rounding error of decimals. */
function isOnStep(value: number, base: number, step: number): boolean {
  const nearest = base + Math.round((value - base) / step) * step;
  return Math.abs(value - nearest) <= 1e-9 * step + 2 ** -49 * Math.abs(value);
}

export function isInRange(value: number, range: NumberRange): boolean {
  const { min, max, step, base = 0 } = range;
  if (!Number.isFinite(value) || (min !== undefined && value < min) || (max !== undefined && value > max)) return false;
  if (step === 'any') return true;
  return isWholeRange(range) ? Number.isSafeInteger(value) && (value - base) % step === 0 : isOnStep(value, base, step);
}

/** A range in words, to follow "must be". */
export function describeRange(range: NumberRange): string {
  const { min, max, step } = range;
  const noun = isWholeRange(range) ? 'a whole number' : 'a number';
  const steps = step === 'any' || step === 1 ? '' : `, in steps of ${step}`;
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}${steps}`;
  if (min !== undefined) return `${noun} of at least ${min}${steps}`;
  if (max !== undefined) return `${noun} of at most ${max}${steps}`;
  return `${noun}${steps}`;
}

/** True for halves, quarters and so on, which doubles divide exactly. */
const isDyadic = (step: number): boolean => Number.isInteger(step * 1024);

/**
 * A range as JSON Schema. Steps such as 0.01 are omitted: a validator that divides doubles would reject valid
 * numbers. A whole number without a bound has that of JSON in JavaScript.
 */
export function createRangeSchema(range: NumberRange): Record<string, unknown> {
  const { step, base = 0 } = range;
  const isWhole = isWholeRange(range);
  const { min = isWhole ? Number.MIN_SAFE_INTEGER : undefined, max = isWhole ? Number.MAX_SAFE_INTEGER : undefined } =
    range;
  const isMultiple = step !== 1 && step !== 'any' && isDyadic(step) && base % step === 0;
  return {
    ...(isWhole ? { type: 'integer' } : { type: 'number', format: 'double' }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(isMultiple ? { multipleOf: step } : {}),
  };
}

/** Allowed length of a field's text, in characters (code points). */
export interface TextLength {
  readonly least: number;
  readonly most: number;
}

/** A type's maximum length, narrowed by the attributes `minlength` and `maxlength`. */
export function readLength(field: Field, most: number): TextLength {
  const least = Math.max(0, Math.trunc(readAttribute(field, 'minlength') ?? 0));
  const own = Math.trunc(readAttribute(field, 'maxlength') ?? most);
  return { least, most: own > 0 ? Math.min(own, most) : most };
}

export function isInLength(text: string, { least, most }: TextLength): boolean {
  if (text.length < least || text.length > most * 2) return false;
  if (text.length <= most && least === 0) return true;
  const count = countCharacters(text);
  return count >= least && count <= most;
}

export function describeLength({ least, most }: TextLength): string {
  return least > 0 ? `text of ${least} to ${most} characters` : `text of at most ${most} characters`;
}

export const createLengthSchema = ({ least, most }: TextLength): Record<string, unknown> => ({
  ...(least > 0 ? { minLength: least } : {}),
  maxLength: most,
});
