import { toDidYouMean } from '../../core/text/suggest.ts';
import {
  alignNumbers,
  FLAG,
  type Item,
  isExact,
  isNumeric,
  isTime,
  make,
  NUMBER,
  TEXT,
  toExact,
  toScale,
  WHOLE,
} from './make.ts';
import { ExpressionError } from './token.ts';
import { type Expression, MOST_DIGITS, type Operation, printType } from './tree.ts';
import { unify } from './unify.ts';

/** A function of the language. */
interface FunctionRule {
  readonly least: number;
  readonly most: number;
  /** How it is written, for messages and docs. */
  readonly form: string;
  apply(parts: Items, at: number): Expression;
}

/** Values of a call: no function takes none. */
type Items = readonly [Item, ...Item[]];

/** Parts of a list at most. */
const MANY = 20;

function expect(item: Item, isIn: boolean, what: string, hint: string): void {
  if (!isIn) throw new ExpressionError(item.at, `${what}, and this is a ${printType(item.node.type)}`, hint);
}

const NUMBERS_HINT = 'length(…), year(…) and if(…) make numbers.';

export function expectNumber(item: Item, what: string): void {
  expect(item, isNumeric(item.node.type), `${what} takes numbers`, NUMBERS_HINT);
}

export function expectFlag(item: Item, what: string): void {
  expect(item, item.node.type === FLAG, `${what} takes a test`, 'Write a comparison, such as x > 0, or a checkbox.');
}

function expectTime(item: Item, what: string): void {
  expect(
    item,
    isTime(item.node.type),
    `${what} takes a date`,
    'Name a field of type date, datetime, created or updated.',
  );
}

const numeric = (op: 'floor' | 'ceil'): FunctionRule => ({
  least: 1,
  most: 1,
  form: `${op}(x)`,
  apply([item], at) {
    expectNumber(item, op);
    const { node } = item;
    return node.type === WHOLE ? node : make(at, op, WHOLE, [node]);
  },
});

const extreme = (name: 'min' | 'max', op: Operation): FunctionRule => ({
  least: 2,
  most: MANY,
  form: `${name}(a, b, …)`,
  apply(items, at) {
    const nodes = unify(items, name, 'scale');
    const type = nodes[0]?.type ?? WHOLE;
    expect(items[0], isNumeric(type) || isTime(type), `${name} takes numbers, dates or moments`, NUMBERS_HINT);
    return make(at, op, type, nodes);
  },
});

const part = (op: 'year' | 'month' | 'day'): FunctionRule => ({
  least: 1,
  most: 1,
  form: `${op}(date)`,
  apply([item], at) {
    expectTime(item, op);
    return make(at, op, WHOLE, [item.node]);
  },
});

function round([item, digits]: Items, at: number): Expression {
  const { node } = item;
  expectNumber(item, 'round');
  const { op, value, type } = digits?.node ?? { op: 'literal', value: 0n, type: WHOLE };
  const isFixed = op === 'literal' && type === WHOLE && typeof value === 'bigint' && value <= BigInt(MOST_DIGITS);
  if (!isFixed) {
    const message = 'The second value of round says how many digits stay, and must be a number that is written there';
    throw new ExpressionError(digits?.at ?? at, message, `Write a whole number of 0 to ${MOST_DIGITS}: round(x, 2).`);
  }
  const scale = Number(value);
  if (isExact(node.type) && node.type.scale <= scale) return toScale({ node, at }, scale, 'rescale');
  return make(at, 'round', toExact(scale), [node]);
}

function concat(items: readonly Item[], at: number): Expression {
  for (const item of items) {
    const { type } = item.node;
    const hint = type.name === 'number' ? 'Round it: round(x, 2).' : 'Write if(test, a, b) for a flag.';
    expect(
      item,
      type === TEXT || isExact(type) || isTime(type),
      'concat takes texts, dates, whole numbers and decimals',
      hint,
    );
  }
  return make(
    at,
    'concat',
    TEXT,
    items.map(({ node }) => node),
  );
}

const FUNCTIONS: Readonly<Record<string, FunctionRule>> = {
  if: {
    least: 3,
    most: 3,
    form: 'if(test, a, b)',
    apply([test, ...items], at) {
      expectFlag(test, 'The first value of if');
      const nodes = unify(items, 'if');
      return make(at, 'if', nodes[0]?.type ?? WHOLE, [test.node, ...nodes]);
    },
  },
  coalesce: {
    least: 2,
    most: MANY,
    form: 'coalesce(a, b, …)',
    apply(items, at) {
      const nodes = unify(items, 'coalesce');
      return make(at, 'coalesce', nodes[0]?.type ?? WHOLE, nodes);
    },
  },
  round: { least: 1, most: 2, form: 'round(x, digits)', apply: round },
  floor: numeric('floor'),
  ceil: numeric('ceil'),
  abs: {
    least: 1,
    most: 1,
    form: 'abs(x)',
    apply([item], at) {
      expectNumber(item, 'abs');
      const { node } = item;
      return make(at, 'abs', node.type, [node]);
    },
  },
  min: extreme('min', 'least'),
  max: extreme('max', 'greatest'),
  length: {
    least: 1,
    most: 1,
    form: 'length(text)',
    apply([item], at) {
      const { node } = item;
      expect(item, node.type === TEXT, 'length takes a text', 'concat(…) makes one.');
      return make(at, 'length', WHOLE, [node]);
    },
  },
  concat: { least: 1, most: MANY, form: 'concat(a, b, …)', apply: concat },
  year: part('year'),
  month: part('month'),
  day: part('day'),
  days: {
    least: 2,
    most: 2,
    form: 'days(from, until)',
    apply(items, at) {
      for (const item of items) expectTime(item, 'days');
      return make(
        at,
        'days',
        WHOLE,
        items.map(({ node }) => node),
      );
    },
  },
};

/** How each function is written. */
export const FUNCTION_FORMS: readonly string[] = Object.values(FUNCTIONS).map(({ form }) => form);

/** Checks a call of a function. @throws ExpressionError */
export function applyFunction(name: string, parts: readonly Item[], at: number): Expression {
  const rule = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (rule === undefined) {
    throw new ExpressionError(
      at,
      `There is no function "${name.slice(0, 40)}"`,
      toDidYouMean(name, Object.keys(FUNCTIONS)),
    );
  }
  const { least, most, form } = rule;
  const [first, ...others] = parts;
  if (first === undefined || parts.length < least || parts.length > most) {
    const count = least === most ? String(least) : `${least} to ${most}`;
    throw new ExpressionError(at, `${name} takes ${count} values, not ${parts.length}`, `Write ${form}.`);
  }
  return rule.apply([first, ...others], at);
}

/** Arithmetic of two numbers. @throws ExpressionError */
export function applyArithmetic(sign: '+' | '-' | '*' | '/' | '%', items: readonly Item[], at: number): Expression {
  for (const item of items) expectNumber(item, `"${sign}"`);
  const isDouble = sign === '/' || items.some(({ node }) => node.type === NUMBER);
  if (sign === '%' && isDouble) {
    throw new ExpressionError(at, '"%" takes whole numbers and decimals', 'Round what is a double: round(x, 2).');
  }
  const asDoubles = (): readonly Expression[] =>
    items.map(({ node, at: place }) => (node.type === NUMBER ? node : make(place, 'number', NUMBER, [node])));
  if (sign === '/') return make(at, 'divide', NUMBER, asDoubles());
  if (sign === '*') {
    if (isDouble) return make(at, 'multiply', NUMBER, asDoubles());
    const scale = items.reduce((sum, { node }) => sum + node.type.scale, 0);
    return make(
      at,
      'multiply',
      toExact(scale),
      items.map(({ node }) => node),
    );
  }
  const nodes = alignNumbers(items, sign === '%' ? 'rescale' : 'scale');
  const type = nodes[0]?.type ?? WHOLE;
  return make(at, sign === '%' ? 'remainder' : sign === '+' ? 'add' : 'subtract', type, nodes);
}
