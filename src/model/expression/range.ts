import {
  type Expression,
  MOST_DIGITS,
  NUMBER_FACTORS,
  type NumberRange,
  type Operation,
  type ValueType,
} from './tree.ts';

/** Powers of ten of {@link NUMBER_FACTORS}. */
const MOST = 22 * NUMBER_FACTORS;
/** Digits of a double and one: a difference that is not 0 is at most so much smaller than its parts. */
const DOUBLE_DIGITS = 17;
const WIDE: NumberRange = { low: -MOST, high: MOST };

const isInside = ({ low, high }: NumberRange): boolean => low >= -MOST && high <= MOST;

function findWide(op: Operation, [a = WIDE, b = a]: readonly NumberRange[]): NumberRange {
  switch (op) {
    case 'multiply':
      return { low: a.low + b.low, high: a.high + b.high };
    case 'divide':
      return { low: a.low - b.high, high: a.high - b.low };
    case 'add':
    case 'subtract':
      return { low: Math.min(a.low, b.low) - DOUBLE_DIGITS, high: Math.max(a.high, b.high) + 1 };
    default:
      return WIDE;
  }
}

const ARITHMETIC: ReadonlySet<Operation> = new Set(['add', 'subtract', 'multiply', 'divide', 'column']);

/** The range of a part that is a double, and whether its value must be tested to stay in it. */
export function findRange(
  op: Operation,
  type: ValueType,
  parts: readonly Expression[],
): { readonly range?: NumberRange; readonly isLimited?: boolean } {
  if (type.name !== 'number') return {};
  if (op === 'number') {
    const scale = parts[0]?.type.scale ?? 0;
    return { range: { low: -scale, high: MOST_DIGITS - scale } };
  }
  const ranges = parts.flatMap(({ range }) => (range === undefined ? [] : [range]));
  if (!ARITHMETIC.has(op)) {
    const low = Math.min(0, ...ranges.map((range) => range.low));
    return { range: { low, high: Math.max(0, ...ranges.map((range) => range.high)) } };
  }
  const wide = findWide(op, ranges);
  if (op !== 'column' && isInside(wide)) return { range: wide };
  return { range: { low: Math.max(wide.low, -MOST), high: Math.min(wide.high, MOST) }, isLimited: true };
}

/** How often the SQL of a part repeats that of its own parts. SQLite has no names for values. */
export function countCopies(op: Operation, isLimited: boolean, part: Expression): number {
  if (isLimited) return 2;
  if (part.type.name === 'number' && (op === 'floor' || op === 'ceil')) return 3;
  if (op === 'concat' && part.type.name === 'decimal') return 4;
  return op === 'days' ? 3 : 1;
}
