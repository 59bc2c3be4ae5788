import { type NumberRange, readLength, readRange } from '../../model/field/field-bounds.ts';
import { readDecimalShape } from '../../model/field/field-kind-decimal.ts';
import type { Field, Validation } from '../../model/shape.ts';

/** The limits that a field's rules and attributes set. */
export interface Limits {
  readonly characters: { readonly least: number; readonly most: number };
  readonly words: { readonly least: number; readonly most: number };
  readonly range: NumberRange;
  /** The values that `one` lists. */
  readonly choices: readonly (string | number)[] | undefined;
  readonly pattern: string | undefined;
  readonly has: (method: string) => boolean;
}

/** Ranges of types that have one without attributes. */
const OWN: Readonly<Record<string, NumberRange>> = {
  range: { min: 0, max: 100, step: 1 },
  small: { min: 0, max: 255, step: 1 },
  stars: { min: 0, max: 5, step: 0.5 },
  float: { min: 0, max: 1000, step: 'any' },
  price: { min: 0, max: 1000, step: 0.01 },
};
/** Decimals of the field's digits, up to a thousand if it has as many. */
function toDecimals(field: Field): NumberRange {
  const { precision, scale } = readDecimalShape(field);
  const step = 10 ** -scale;
  return { min: 0, max: Math.min(1000, 10 ** (precision - scale) - step), step };
}

const NUMBER: NumberRange = { min: 0, max: 1000, step: 1 };

const toList = ({ parameters }: Validation): (string | number)[] =>
  parameters === undefined ? [] : Array.isArray(parameters) ? parameters : [parameters];

/** The tightest bounds of comparing rules with a prefix (`char_`, `word_` or none). */
function narrow(rules: readonly Validation[], prefix: string, start: { least: number; most: number }, gap: number) {
  let { least, most } = start;
  for (const rule of rules) {
    const value = Number(toList(rule)[0]);
    if (rule.method === `${prefix}gte`) least = Math.max(least, value);
    else if (rule.method === `${prefix}gt`) least = Math.max(least, value + gap);
    else if (rule.method === `${prefix}lte`) most = Math.min(most, value);
    else if (rule.method === `${prefix}lt`) most = Math.min(most, value - gap);
  }
  return { least, most };
}

function toNumbers(field: Field, rules: readonly Validation[]): NumberRange {
  // If only a minimum is set, the default maximum moves up with it, so that the range is not empty.
  const own = field.type === 'decimal' ? toDecimals(field) : (OWN[field.type] ?? NUMBER);
  const given = readRange(field, { min: undefined, max: undefined, step: own.step });
  const gap = given.step === 'any' ? 0.01 : given.step;
  const bounds = narrow(rules, '', { least: given.min ?? Number.NEGATIVE_INFINITY, most: given.max ?? Infinity }, gap);
  const room = (own.max ?? 1000) - (own.min ?? 0);
  const min = Number.isFinite(bounds.least) ? bounds.least : Math.min(own.min ?? 0, bounds.most - room);
  const max = Number.isFinite(bounds.most)
    ? bounds.most
    : Math.max(own.max ?? 1000, min + (min > (own.max ?? 1000) ? room : 0));
  return { min, max, step: given.step };
}

/** Maximum length of a text without its own limit. */
const MOST_CHARACTERS = 255;

export function readLimits(field: Field): Limits {
  const rules = field.validation ?? [];
  const length = readLength(field, MOST_CHARACTERS);
  const find = (method: string): Validation | undefined => rules.find((rule) => rule.method === method);
  const pattern = find('regexp');
  const one = find('one');
  return {
    characters: narrow(rules, 'char_', length, 1),
    words: narrow(rules, 'word_', { least: 0, most: Number.POSITIVE_INFINITY }, 1),
    range: toNumbers(field, rules),
    choices: one && toList(one),
    pattern: pattern && String(toList(pattern)[0]),
    has: (method) => find(method) !== undefined,
  };
}
