import { toUnits } from '../../model/decimal/decimal.ts';
import type { OperatorName } from '../../model/filter/operator.ts';
import type { SourceColumn } from '../../store/read/source/source.ts';

type Test = (value: unknown) => boolean;

const isNothing = (value: unknown): boolean => value === null || value === undefined;

/** Like SQL: a missing value is neither less nor greater. */
function testOrder(operator: OperatorName, compare: (value: unknown) => number | undefined): Test | undefined {
  const passes: Partial<Record<OperatorName, (order: number) => boolean>> = {
    eq: (order) => order === 0,
    lt: (order) => order < 0,
    lte: (order) => order <= 0,
    gt: (order) => order > 0,
    gte: (order) => order >= 0,
  };
  const pass = passes[operator];
  if (!pass) return undefined;
  return (value) => {
    const order = isNothing(value) ? undefined : compare(value);
    return order !== undefined && !Number.isNaN(order) && pass(order);
  };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Ignores the case of ASCII letters, like LIKE in the databases. */
function testPart(operator: OperatorName, raw: unknown): Test | undefined {
  const part = String(raw).toLowerCase();
  const tests: Partial<Record<OperatorName, (text: string) => boolean>> = {
    contains: (text) => text.includes(part),
    starts: (text) => text.startsWith(part),
    ends: (text) => text.endsWith(part),
  };
  const test = tests[operator];
  return test && ((value) => typeof value === 'string' && test(value.toLowerCase()));
}

const NUMBERS: ReadonlySet<SourceColumn['type']> = new Set(['integer', 'number', 'decimal', 'flag']);

/** Compares a column's value; `operand` has the form that a search parses: of a decimal its smallest unit. */
export function testValue(
  { type, scale }: Pick<SourceColumn, 'type' | 'scale'>,
  operator: OperatorName,
  operand: unknown,
  raw: unknown,
): Test {
  const isNumber = NUMBERS.has(type);
  const toNumber = (value: unknown): number =>
    scale === undefined ? Number(value) : (toUnits(String(value), scale) ?? Number.NaN);
  const toKey = (value: unknown): unknown => (isNumber ? toNumber(value) : String(value));
  const compare = (value: unknown): number =>
    isNumber ? toNumber(value) - Number(operand) : compareTexts(String(value), String(operand));
  if (operator === 'null') return (value) => isNothing(value) === (operand === 1);
  if (operator === 'ne') return (value) => isNothing(value) || compare(value) !== 0;
  if (operator === 'in' || operator === 'nin') {
    const list = new Set((JSON.parse(String(operand)) as unknown[]).map(toKey));
    return (value) => (!isNothing(value) && list.has(toKey(value))) === (operator === 'in');
  }
  return testPeriod(operator, operand) ?? testOrder(operator, compare) ?? testPart(operator, raw) ?? (() => false);
}

/** Tests whether a time is in a year, month or day, or in one of several. */
function testPeriod(operator: OperatorName, operand: unknown): Test | undefined {
  const isMany = operator === 'duringAny' || operator === 'outsideAll';
  if (!isMany && operator !== 'during' && operator !== 'outside') return undefined;
  const periods = isMany ? (JSON.parse(String(operand)) as string[]) : [String(operand)];
  const isIn = operator === 'during' || operator === 'duringAny';
  return (value) => (!isNothing(value) && periods.some((period) => String(value).startsWith(period))) === isIn;
}

/** The operand for a value within JSON: as text, and as a number if it is one. */
export interface JsonWanted {
  readonly text: unknown;
  readonly number: unknown;
  readonly raw: unknown;
}

const parseList = (list: unknown): readonly unknown[] => (typeof list === 'string' ? JSON.parse(list) : []);

/** Whether a JSON value is in the list: a number among the numbers, anything else among the texts. */
function isAmong(value: unknown, texts: readonly unknown[], numbers: readonly unknown[]): boolean {
  if (typeof value === 'number') return numbers.includes(value);
  return (typeof value === 'string' || typeof value === 'boolean') && texts.map(String).includes(String(value));
}

/** Compares a value within JSON. */
export function testJson(operator: OperatorName, wanted: JsonWanted): Test {
  const { text, number, raw } = wanted;
  if (operator === 'null') return (value) => isNothing(value) === (text === 1);
  if (operator === 'in' || operator === 'nin') {
    const [texts, numbers] = [parseList(text), parseList(number)];
    return (value) => isAmong(value, texts, numbers) === (operator === 'in');
  }
  if (operator === 'has') return testList(operator, wanted);
  if (operator === 'ne') return (value) => !isAmong(value, [text], [number]);
  const compare = (value: unknown): number | undefined => {
    if (typeof value === 'number') return typeof number === 'number' ? value - number : undefined;
    return typeof value === 'object' ? undefined : compareTexts(String(value), String(text));
  };
  return testOrder(operator, compare) ?? testPart(operator, raw) ?? (() => false);
}

/** Compares the items of a list: `eq` and `has` need one match. */
export function testList(operator: OperatorName, { text, number }: JsonWanted): Test {
  if (operator === 'null') return (value) => isNothing(value) === (text === 1);
  const isMany = operator === 'in' || operator === 'nin';
  const [texts, numbers] = isMany ? [parseList(text), parseList(number)] : [[text], [number]];
  const isWithout = operator === 'ne' || operator === 'nin';
  if (!isMany && operator !== 'eq' && operator !== 'has' && operator !== 'ne') return () => false;
  return (value) => (Array.isArray(value) && value.some((item) => isAmong(item, texts, numbers))) === !isWithout;
}
