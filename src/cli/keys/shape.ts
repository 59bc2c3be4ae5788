import * as z from 'zod';
import { findShapeError } from '../../model/parse.ts';
import { isArrayShape, isObjectShape, readDescription, unwrapShape } from '../../model/shape/walk.ts';
import { createUsageError } from '../failure.ts';
import { isJsonText, parseFlagJson } from './json.ts';
import type { KeySpec } from './key.ts';

/** What a flag has that its key's shape does not say; `isRequired: false` where the command can fill the key in. */
export type FlagSpec = Partial<Omit<KeySpec, 'key'>>;

const toFlag = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** A repeated flag sets one entry of `redirectUris`: `redirect-uri`. */
const toEntryFlag = (key: string): string => toFlag(key).replace(/s$/, '');
const toLastWord = (flag: string): string => flag.slice(flag.lastIndexOf('-') + 1);

/** A stage's value: JSON where it reads as a list or an object, else the text. */
const parseStageValue = (given: string): unknown => (isJsonText(given) ? parseFlagJson(given) : given);

function toNumber(flag: string, least: number) {
  return (given: string): number => {
    if (/^\d{1,9}$/.test(given) && Number(given) >= least) return Number(given);
    throw createUsageError(`--${flag} can't be "${given}".`, `It is a whole number from ${least}.`);
  };
}

type Form = FlagSpec & Pick<KeySpec, 'flag' | 'form'>;

const readChoices = (shape: z.core.$ZodType): FlagSpec =>
  shape instanceof z.ZodEnum ? { choices: shape.options.map(String) } : {};

function readForm(key: string, shape: z.core.$ZodType): Form {
  const flag = toFlag(key);
  const entry = { flag: toEntryFlag(key), value: toLastWord(toEntryFlag(key)) };
  if (isArrayShape(shape)) return { ...entry, form: 'list', isSplit: true, ...readChoices(shape.element) };
  if (shape instanceof z.ZodRecord) return { ...entry, form: 'map', value: 'key[.key]=value', parse: parseStageValue };
  if (shape instanceof z.ZodBoolean) return { flag, form: 'switch' };
  if (shape instanceof z.ZodNumber)
    return { flag, form: 'one', value: 'number', parse: toNumber(flag, shape.minValue ?? 0) };
  const value = shape instanceof z.ZodISODate ? 'day' : toLastWord(flag);
  return { flag, form: 'one', value, ...readChoices(shape) };
}

/** Whether a flag's text can say it without a parser of its own. */
const isPlain = (shape: z.core.$ZodType): boolean =>
  !isObjectShape(shape) && !(isArrayShape(shape) && isObjectShape(shape.element));

/** The flags of a shape's keys, but for `others`, and for objects that no flag is given for here. */
export function toKeys(
  { shape }: z.ZodObject,
  others: ReadonlySet<string>,
  flags: Readonly<Record<string, FlagSpec>>,
): readonly KeySpec[] {
  return Object.entries(shape).flatMap(([key, outer]): KeySpec[] => {
    const [inner, more] = [unwrapShape(outer), flags[key]];
    if (others.has(key) || (more === undefined && !isPlain(inner))) return [];
    const isKept = !(outer instanceof z.ZodOptional);
    const description = readDescription(outer) ?? '';
    const { choices, ...form } = readForm(key, inner);
    const of = isArrayShape(inner) ? inner.element : inner;
    const isJudged = form.form === 'list' || form.form === 'one';
    const judge = isJudged ? { judge: (value: unknown) => findShapeError(of, value) } : {};
    // A parser knows what it takes.
    const named = choices === undefined || more?.parse !== undefined ? {} : { choices };
    return [{ key, description, isKept, isRequired: isKept, ...form, ...judge, ...named, ...more }];
  });
}
