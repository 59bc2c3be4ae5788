import { toStamp } from '../../core/clock.ts';
import { listKeys } from '../../core/record.ts';
import { translate } from '../../core/text/translate.ts';
import { isDay, isMoment, isTime } from './field-kind-date.ts';
import { coerceNumber } from './field-kind-row.ts';
import { compilePatternTest, type Patience } from './text-pattern.ts';
import { countCharacters, countWords, isCardNumber, isEmail, isHexColor, isUrl } from './validate-test.ts';

/** Parameters of a rule. */
export interface RuleInput {
  /** The rule's parameter in the definition; for a rule with one parameter, the first item of a list. */
  readonly parameter: string | number | undefined;
  readonly list: readonly (string | number)[];
}

/** What a rule may use in addition to the value. */
export interface RuleContext {
  /** The row's values by full column name, stored ones included. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Time left for the regular expressions of this row. */
  readonly patience?: Patience;
}

export type RuleTest = (value: unknown, context: RuleContext) => boolean;

const RULE_PARAMETERS = ['none', 'number', 'text', 'list', 'column', 'pattern'] as const;

/** A validation method. */
export interface Validator {
  /** One line for the docs. */
  readonly description: string;
  readonly parameters: (typeof RULE_PARAMETERS)[number];
  /** The rule in words, after the label; used if the definition has no message. */
  words(input: RuleInput): string;
  /** Compiled once per plan. Only `required` and `empty` are tested on null. */
  test(input: RuleInput): RuleTest;
}

const toLength = (value: unknown, count: (text: string) => number): number => count(String(value));
const isNumeric = (value: unknown): value is number => typeof coerceNumber(value) === 'number';

const COMPARISONS = {
  lt: { words: 'less than', holds: (a: number, b: number) => a < b },
  lte: { words: 'at most', holds: (a: number, b: number) => a <= b },
  gt: { words: 'more than', holds: (a: number, b: number) => a > b },
  gte: { words: 'at least', holds: (a: number, b: number) => a >= b },
} as const;
type Comparison = keyof typeof COMPARISONS;
const NAMES = listKeys(COMPARISONS);

/**
 * Compares as numbers if both are, else as text, which is chronological for stored times. A missing side
 * passes.
 */
function compareColumns(a: unknown, b: unknown, holds: (a: number, b: number) => boolean): boolean {
  if (b === undefined || b === null || b === '') return true;
  if (isNumeric(a) && isNumeric(b)) return holds(Number(a), Number(b));
  const [left, right] = [String(a), String(b)];
  return holds(left < right ? -1 : left > right ? 1 : 0, 0);
}

function plain(description: string, words: string, holds: (text: string) => boolean): Validator {
  return {
    description,
    parameters: 'none',
    words: () => words,
    test: () => (value) => holds(String(value)),
  };
}

function counting(noun: string, count: (text: string) => number, name: Comparison): Validator {
  const { words, holds } = COMPARISONS[name];
  return {
    description: `The number of ${noun} is ${words} the parameter.`,
    parameters: 'number',
    words: ({ parameter }) => `must have ${words} ${parameter} ${noun}`,
    test:
      ({ parameter }) =>
      (value) =>
        holds(toLength(value, count), Number(parameter)),
  };
}

function comparing(name: Comparison): Validator {
  const { words, holds } = COMPARISONS[name];
  return {
    description: `The number is ${words} the parameter.`,
    parameters: 'number',
    words: ({ parameter }) => `must be ${words} ${parameter}`,
    test:
      ({ parameter }) =>
      (value) =>
        isNumeric(value) && holds(Number(value), Number(parameter)),
  };
}

function comparingColumn(name: Comparison): Validator {
  const { words, holds } = COMPARISONS[name];
  return {
    description: `The value is ${words} the value of the column that the parameter names, where that has one.`,
    parameters: 'column',
    words: ({ parameter }) => translate(`must be ${words} {column}`, { column: parameter }),
    test:
      ({ parameter }) =>
      (value, { row }) =>
        compareColumns(value, row[String(parameter)], holds),
  };
}

function today(description: string, words: string, holds: (order: number) => boolean): Validator {
  return {
    description,
    parameters: 'none',
    words: () => words,
    test:
      () =>
      (value, { now }) => {
        const day = String(value).slice(0, 10);
        const present = toStamp(now).slice(0, 10);
        return isDay(day) && holds(day < present ? -1 : day > present ? 1 : 0);
      },
  };
}

const each = <T>(make: (name: Comparison) => T, prefix: string): Record<string, T> =>
  Object.fromEntries(NAMES.map((name) => [`${prefix}${name}`, make(name)]));

const isThere = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && value.trim() === '') &&
  !(Array.isArray(value) && value.length === 0);

/** What a rule was given, by what it means: a limit, a list of values, a column. Undefined for a rule without parameters. */
export function toRuleParams(
  method: string,
  { parameter, list }: RuleInput,
): Readonly<Record<string, unknown>> | undefined {
  if (parameter === undefined) return undefined;
  if (method === 'one') return { values: list };
  if (method === 'regexp') return { pattern: String(parameter) };
  if (method.startsWith('column_')) return { column: String(parameter) };
  const [, bound] = /(?:^|_)([lg])te?$/.exec(method) ?? [];
  if (bound === undefined) return { value: parameter };
  return { [bound === 'l' ? 'max' : 'min']: Number(parameter) };
}

/** The name of a rule in answers: the definition says how a value is, the answer what is wrong with it. */
export const toRuleName = (method: string): string => (method === 'unique' ? 'taken' : method);

/** Every validation method by name. */
export const validators: Readonly<Record<string, Validator>> = Object.freeze({
  required: {
    description: 'Must be there: on create always, on update where it is sent.',
    parameters: 'none',
    words: () => 'is required',
    test: () => isThere,
  },
  empty: {
    description: 'Must not be empty where it is sent.',
    parameters: 'none',
    words: () => 'cannot be empty',
    test: () => isThere,
  },
  ne: {
    description: 'Must not be the parameter.',
    parameters: 'text',
    words: ({ parameter }) => translate('must not be {parameter}', { parameter }),
    test:
      ({ parameter }) =>
      (value) =>
        String(value) !== String(parameter),
  },
  one: {
    description: 'Must be one of the listed values.',
    parameters: 'list',
    words: ({ list }) => translate('must be one of {list}', { list: list.join(', ') }),
    test: ({ list }) => {
      const allowed = new Set(list.map(String));
      return (value) => (Array.isArray(value) ? value : [value]).every((item) => allowed.has(String(item)));
    },
  },
  unique: {
    description: 'No other row may have the value; the database sees to it.',
    parameters: 'none',
    words: () => 'is already taken',
    test: () => () => true,
  },
  ...each((name) => counting('characters', countCharacters, name), 'char_'),
  ...each((name) => counting('words', countWords, name), 'word_'),
  number: {
    description: 'Must be a number.',
    parameters: 'none',
    words: () => 'must be a number',
    test: () => isNumeric,
  },
  float: {
    description: 'Must be a number, with or without decimals.',
    parameters: 'none',
    words: () => 'must be a number',
    test: () => isNumeric,
  },
  price: plain('Must be an amount of at most two decimals.', 'must be an amount such as 9.99', (text) =>
    /^-?\d+(\.\d{1,2})?$/.test(text),
  ),
  ...each(comparing, ''),
  ...each(comparingColumn, 'column_'),
  date: plain('Must be a date, YYYY-MM-DD.', 'must be a date such as 2026-01-31', (text) => isDay(text)),
  time: plain('Must be a time, HH:MM:SS.', 'must be a time such as 09:30:00', (text) => isTime(text)),
  datetime: plain(
    'Must be a date and time, YYYY-MM-DD HH:MM:SS.',
    'must be a date and time such as 2026-01-31 09:30:00',
    (text) => isMoment(text),
  ),
  pastdate: today('Must be a day before today (UTC).', 'must be in the past', (order) => order < 0),
  presentdate: today('Must be today (UTC).', 'must be today', (order) => order === 0),
  futuredate: today('Must be a day after today (UTC).', 'must be in the future', (order) => order > 0),
  email: plain('Must be an e-mail address.', 'must be an e-mail address such as ann@example.org', isEmail),
  url: plain('Must be an http, https or ftp address.', 'must be a web address such as https://example.org/page', isUrl),
  hex: plain('Must be a colour of six hexadecimal digits.', 'must be a colour such as #3366ff', isHexColor),
  cc: plain('Must be a payment card number.', 'must be a card number', isCardNumber),
  regexp: {
    description: 'Must match the regular expression, written with delimiters (`/^[a-z]+$/i`) or without.',
    parameters: 'pattern',
    words: () => 'does not have the right form',
    test: ({ parameter }) => {
      const matches = compilePatternTest(String(parameter));
      return (value, { patience }) => matches(String(value), patience);
    },
  },
});
