import { isTimeText } from './date-text.ts';
import { alignNumbers, FLAG, type Item, isNumeric, isTime, make, NULL, WHOLE } from './make.ts';
import { ExpressionError } from './token.ts';
import { type Expression, printType, type ValueType } from './tree.ts';

const list = (items: readonly Item[]): string =>
  [...new Set(items.map(({ node }) => printType(node.type)))].join(' and ');

/** A text that is written in the expression, as a date or a moment. */
function readTime({ node, at }: Item, type: ValueType): Item {
  if (node.type.name !== 'text' || node.op !== 'literal') return { node, at };
  const text = String(node.value);
  const { name } = type;
  if ((name === 'date' || name === 'moment') && isTimeText(name, text)) return { node: { ...node, type }, at };
  const form = type.name === 'date' ? "'2026-01-31'" : "'2026-01-31 12:00:00'";
  throw new ExpressionError(at, `'${text.slice(0, 40)}' is not a ${type.name}`, `Write it as ${form}.`);
}

function readTimes(items: readonly Item[]): readonly Item[] {
  const time = items.find(({ node }) => isTime(node.type));
  return time === undefined ? items : items.map((item) => readTime(item, time.node.type));
}

const withType = ({ node }: Item, type: ValueType): Expression =>
  node.type.name === 'null' ? { ...node, type } : node;

/**
 * Values of one type. `null` takes the type of the others, a text that is written in the expression that of a date.
 *
 * @param op How exact numbers get the same number of digits after the point.
 * @throws ExpressionError if they have no common type
 */
export function unify(
  items: readonly Item[],
  what: string,
  op: 'scale' | 'rescale' = 'rescale',
): readonly Expression[] {
  const read = readTimes(items);
  const typed = read.filter(({ node }) => node.type.name !== 'null');
  const [first] = typed;
  if (first === undefined) {
    throw new ExpressionError(
      read[0]?.at ?? 1,
      `${what} of nothing but null is always empty`,
      'Write a value besides null.',
    );
  }
  const { type } = first.node;
  if (typed.every(({ node }) => isNumeric(node.type))) {
    const numbers = new Map(alignNumbers(typed, op).map((node, index) => [typed[index], node]));
    const [common = NULL] = [...numbers.values()].map((node) => node.type);
    return read.map((item) => numbers.get(item) ?? withType(item, common));
  }
  const other = typed.find(({ node }) => node.type.name !== type.name);
  if (other !== undefined) {
    const hint = 'Give values of one type: year(…), length(…) and if(…) make numbers, concat(…) makes texts.';
    throw new ExpressionError(other.at, `${what} takes values of one type, not ${list(typed)}`, hint);
  }
  return read.map((item) => withType(item, type));
}

/** The two sides of a comparison. A flag compares with numbers as 1 or 0. */
export function unifyCompared(items: readonly Item[]): readonly Expression[] {
  const isMixed = items.some(({ node }) => node.type === FLAG) && items.some(({ node }) => isNumeric(node.type));
  const sides = isMixed
    ? items.map(({ node, at }) => ({ node: node.type === FLAG ? make(at, 'units', WHOLE, [node]) : node, at }))
    : items;
  return unify(sides, 'A comparison', 'scale');
}
