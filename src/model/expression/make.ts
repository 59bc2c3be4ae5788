import { countCopies, findRange } from './range.ts';
import { ExpressionError } from './token.ts';
import { type Expression, MOST_DIGITS, type Operation, UNIT_BOUND, type ValueType } from './tree.ts';

/** Parts of an expression in all, with those of the computed fields that it names. */
const MOST_PARTS = 500;
/** Levels of parts. SQLite allows a depth of 1000, and most parts take several. */
const MOST_LEVELS = 60;

const plain = (name: ValueType['name']): ValueType => Object.freeze({ name, scale: 0 });
export const WHOLE = plain('whole');
export const NUMBER = plain('number');
export const TEXT = plain('text');
export const FLAG = plain('flag');
export const DATE = plain('date');
export const MOMENT = plain('moment');
export const NULL = plain('null');

export const isExact = ({ name }: ValueType): boolean => name === 'whole' || name === 'decimal';
export const isNumeric = (type: ValueType): boolean => isExact(type) || type.name === 'number';
export const isTime = ({ name }: ValueType): boolean => name === 'date' || name === 'moment';

/** The type of exact values of a scale. */
export const toExact = (scale: number): ValueType => (scale === 0 ? WHOLE : { name: 'decimal', scale });

/** A part of an expression, and where it stands in the text. */
export interface Item {
  readonly node: Expression;
  readonly at: number;
}

type Facts = Pick<Expression, 'value' | 'column' | 'field' | 'sign' | 'related'>;

/** Makes a checked part. @throws ExpressionError if it is too large, or has too many digits after the point */
export function make(
  at: number,
  op: Operation,
  type: ValueType,
  parts: readonly Expression[],
  facts: Facts = {},
): Expression {
  if (type.scale > MOST_DIGITS) {
    const message = `The result would have ${type.scale} digits after the point, and at most ${MOST_DIGITS} are exact`;
    throw new ExpressionError(at, message, 'Round a part of it: round(x, 2).');
  }
  const ranged = findRange(op, type, parts);
  const isLimited = ranged.isLimited === true;
  const size = parts.reduce((sum, part) => sum + part.size * countCopies(op, isLimited, part), 1);
  const depth = 1 + Math.max(0, ...parts.map((part) => part.depth));
  if (size > MOST_PARTS || depth > MOST_LEVELS) {
    const message = 'The expression, with the computed fields that it names, is too large';
    throw new ExpressionError(
      at,
      message,
      `It may have ${MOST_PARTS} parts, at most ${MOST_LEVELS} inside each other: make it simpler.`,
    );
  }
  return { op, type, parts, depth, size, ...ranged, ...facts };
}

/** A literal number, which is exact. */
export function makeNumber(text: string, at: number): Expression {
  const [whole = '', part = ''] = text.split('.');
  const value = BigInt(`${whole}${part}` || '0');
  if (value >= UNIT_BOUND || part.length > MOST_DIGITS) {
    throw new ExpressionError(
      at,
      `The number ${text} has more than ${MOST_DIGITS} digits`,
      'Write a number of fewer digits.',
    );
  }
  return make(at, 'literal', toExact(part.length), [], { value });
}

/** An exact part with more digits after the point. @param op `rescale` if the result must have at most 15 digits. */
export function toScale({ node, at }: Item, scale: number, op: 'scale' | 'rescale'): Expression {
  return node.type.scale === scale ? node : make(at, op, toExact(scale), [node]);
}

/** A number as a double. */
const toDouble = ({ node, at }: Item): Expression =>
  node.type.name === 'number' ? node : make(at, 'number', NUMBER, [node]);

/** Numbers as the type that holds all of them: doubles if one is, else as many digits after the point as the one with most. */
export function alignNumbers(items: readonly Item[], op: 'scale' | 'rescale'): readonly Expression[] {
  if (items.some(({ node }) => node.type.name === 'number')) return items.map(toDouble);
  const scale = Math.max(...items.map(({ node }) => node.type.scale));
  return items.map((item) => toScale(item, scale, op));
}
