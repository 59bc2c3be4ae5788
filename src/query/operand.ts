import { toMoment } from '../model/field-kind-date.ts';
import { toFlag } from '../model/field-kind-option.ts';
import { coerceNumber } from '../model/field-kind-row.ts';
import { hasNul } from './draft.ts';
import { escapeLike, type OperatorName, operators } from './operator.ts';
import type { SourceColumn } from './source-column.ts';

type ColumnType = SourceColumn['type'];

/** A value as the statement binds it, with the operator to use if it changed; or the rule that it breaks. */
export type Operand = { readonly value: unknown; readonly operator?: OperatorName } | { readonly fault: string };

const LIST_ITEMS = 1000;
const VALUE_CHARACTERS = 1000;

const isScalar = (raw: unknown): raw is string | number | boolean =>
  typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';

/** A bound given as a day without a time means the day's end for `lte` and `gt`. */
const END = ' 23:59:59';
const isUpper = (operator: OperatorName): boolean => operator === 'lte' || operator === 'gt';

function parseTimeBound(text: string, type: 'date' | 'moment', operator: OperatorName): Operand {
  if (/^\d{4}(-\d{2})?$/.test(text)) return { value: isUpper(operator) ? `${text}~` : text };
  const stamp = toMoment(text);
  if (stamp === undefined) return { fault: 'must be a date such as 2026-01-31, or a time such as 2026-01-31 09:30:00' };
  if (type === 'date') return { value: stamp.slice(0, 10) };
  return { value: isUpper(operator) && text.trim().length === 10 ? stamp.slice(0, 10) + END : stamp };
}

function parseText(raw: unknown): Operand {
  if (!isScalar(raw)) return { fault: 'must be one value' };
  const text = String(raw);
  if (text.length > VALUE_CHARACTERS) return { fault: `must have at most ${VALUE_CHARACTERS} characters` };
  return hasNul(text) ? { fault: 'must not hold the character U+0000' } : { value: text };
}

function parseOne(raw: unknown, type: ColumnType, operator: OperatorName): Operand {
  const read = parseText(raw);
  if ('fault' in read) return read;
  const text = String(read.value);
  if (type === 'integer') {
    return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { fault: 'must be a whole number' };
  }
  if (type === 'number') {
    const number = coerceNumber(raw);
    return typeof number === 'number' && Number.isFinite(number) ? { value: number } : { fault: 'must be a number' };
  }
  if (type === 'flag') {
    const flag = toFlag(raw);
    return flag === 0 || flag === 1 ? { value: flag } : { fault: 'must be 1 or 0' };
  }
  return type === 'date' || type === 'moment' ? parseTimeBound(text, type, operator) : read;
}

/** A list: an array as it is, or comma-separated text. */
export function toRawList(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') return raw === '' ? [] : raw.split(',').map((item) => item.trim());
  if (typeof raw === 'object' && raw !== null) return Object.values(raw);
  return raw === undefined || raw === null ? [] : [raw];
}

/** Parses each item of a list; gives the first fault. */
function readItems(
  raw: unknown,
  read: (item: unknown) => Operand,
): { readonly items: readonly unknown[] } | { readonly fault: string } {
  const given = toRawList(raw);
  if (given.length > LIST_ITEMS) return { fault: `must have at most ${LIST_ITEMS} values` };
  const items: unknown[] = [];
  for (const item of given) {
    const operand = read(item);
    if ('fault' in operand) return operand;
    items.push(operand.value);
  }
  return { items };
}

/** Adapts a comparison of an integer column with a fraction, or with a number beyond the safe integers. */
function parseInteger(number: number, operator: OperatorName): Operand {
  if (Number.isSafeInteger(number)) return { value: number };
  if (operator === 'eq') return { value: '[]', operator: 'in' };
  if (operator === 'ne') return { value: '[]', operator: 'nin' };
  const whole = operator === 'lt' || operator === 'gte' ? Math.ceil(number) : Math.floor(number);
  return { value: Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, whole)) };
}

function parsePart(raw: unknown, operator: OperatorName): Operand {
  const operand = parseText(raw);
  if ('fault' in operand) return operand;
  const text = escapeLike(String(operand.value));
  return { value: `${operator === 'starts' ? '' : '%'}${text}${operator === 'ends' ? '' : '%'}` };
}

/** Parses the value that a request compares a column with. */
export function toOperand(
  raw: unknown,
  { type, isWhole }: Pick<SourceColumn, 'type' | 'isWhole'>,
  operator: OperatorName,
): Operand {
  const takes = operators[operator];
  if (takes === 'flag') return parseOne(raw === '' ? '1' : raw, 'flag', operator);
  if (operator === 'has') return { fault: 'is for lists only' };
  if (takes === 'list') {
    const list = readItems(raw, (item) => parseOne(item, type, operator));
    if ('fault' in list) return list;
    return { value: JSON.stringify(isWhole ? list.items.filter(Number.isSafeInteger) : list.items) };
  }
  if (takes === 'part') {
    const isText = type === 'text' || type === 'date' || type === 'moment';
    return isText ? parsePart(raw, operator) : { fault: 'is for text only' };
  }
  const operand = parseOne(raw, type, operator);
  return isWhole && 'value' in operand ? parseInteger(Number(operand.value), operator) : operand;
}

/** The value to compare with JSON: as text, and as number if it is one. */
export type JsonOperand = { readonly text: unknown; readonly number: unknown } | { readonly fault: string };

const readNumber = (raw: unknown): number | null => {
  const number = typeof raw === 'boolean' ? undefined : coerceNumber(raw);
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

/**
 * Parses the value that a request compares a JSON value with; if `hasPath` is false, the items of the column's
 * list.
 */
export function toJsonOperand(raw: unknown, operator: OperatorName, hasPath: boolean): JsonOperand {
  const takes = operators[operator];
  if (takes === 'flag') {
    const flag = parseOne(raw === '' ? '1' : raw, 'flag', operator);
    return 'fault' in flag ? flag : { text: flag.value, number: null };
  }
  if (!hasPath && (takes === 'part' || /^[lg]te?$/.test(operator))) {
    return { fault: 'is a list: use has, in, nin or null, or add a key after a dot' };
  }
  if (takes === 'list') {
    const list = readItems(raw, parseText);
    if ('fault' in list) return list;
    const numbers = list.items.map(readNumber).filter((number) => number !== null);
    return { text: JSON.stringify(list.items), number: JSON.stringify(numbers) };
  }
  const operand = takes === 'part' ? parsePart(raw, operator) : parseText(raw);
  return 'fault' in operand ? operand : { text: operand.value, number: takes === 'part' ? null : readNumber(raw) };
}
