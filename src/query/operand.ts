import { toMoment } from '../model/field-kind-date.ts';
import { toFlag } from '../model/field-kind-option.ts';
import { toNumber } from '../model/field-kind-row.ts';
import { hasNul } from './draft.ts';
import { escapeLike, type OperatorName, operators } from './operator.ts';
import type { SourceColumn } from './source-column.ts';

type ColumnType = SourceColumn['type'];

/** A value as a statement takes it with the operator that it is for, or the rule that it breaks. */
export type Operand = { readonly value: unknown; readonly operator?: OperatorName } | { readonly fault: string };

const LIST_ITEMS = 1000;
const VALUE_CHARACTERS = 1000;

const isScalar = (raw: unknown): raw is string | number | boolean =>
  typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';

/** The end of a day, where a bound that includes (or passes) the day names no time. */
const END = ' 23:59:59';
const isUpper = (operator: OperatorName): boolean => operator === 'lte' || operator === 'gt';

function toTime(text: string, type: 'date' | 'moment', operator: OperatorName): Operand {
  if (/^\d{4}(-\d{2})?$/.test(text)) return { value: isUpper(operator) ? `${text}~` : text };
  const stamp = toMoment(text);
  if (stamp === undefined) return { fault: 'takes a date such as 2026-01-31, or with a time 2026-01-31 09:30:00' };
  if (type === 'date') return { value: stamp.slice(0, 10) };
  return { value: isUpper(operator) && text.trim().length === 10 ? stamp.slice(0, 10) + END : stamp };
}

function toText(raw: unknown): Operand {
  if (!isScalar(raw)) return { fault: 'takes one value' };
  const text = String(raw);
  if (text.length > VALUE_CHARACTERS) return { fault: `takes at most ${VALUE_CHARACTERS} characters` };
  return hasNul(text) ? { fault: 'must not hold the character U+0000' } : { value: text };
}

function toOne(raw: unknown, type: ColumnType, operator: OperatorName): Operand {
  const read = toText(raw);
  if ('fault' in read) return read;
  const text = String(read.value);
  if (type === 'integer') {
    return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { fault: 'takes a whole number' };
  }
  if (type === 'number') {
    const number = toNumber(raw);
    return typeof number === 'number' && Number.isFinite(number) ? { value: number } : { fault: 'takes a number' };
  }
  if (type === 'flag') {
    const flag = toFlag(raw);
    return flag === 0 || flag === 1 ? { value: flag } : { fault: 'takes 1 or 0' };
  }
  return type === 'date' || type === 'moment' ? toTime(text, type, operator) : read;
}

/** A list: as it is, or text parted by commas. */
export function toRawList(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') return raw === '' ? [] : raw.split(',').map((item) => item.trim());
  if (typeof raw === 'object' && raw !== null) return Object.values(raw);
  return raw === undefined || raw === null ? [] : [raw];
}

/** Reads each item of a list; the first fault is the list's. */
function readItems(
  raw: unknown,
  read: (item: unknown) => Operand,
): { readonly items: readonly unknown[] } | { readonly fault: string } {
  const given = toRawList(raw);
  if (given.length > LIST_ITEMS) return { fault: `takes at most ${LIST_ITEMS} values` };
  const items: unknown[] = [];
  for (const item of given) {
    const operand = read(item);
    if ('fault' in operand) return operand;
    items.push(operand.value);
  }
  return { items };
}

/** What a column of whole numbers is compared with, where that is a fraction or too large to be there. */
function toWhole(number: number, operator: OperatorName): Operand {
  if (Number.isSafeInteger(number)) return { value: number };
  if (operator === 'eq') return { value: '[]', operator: 'in' };
  if (operator === 'ne') return { value: '[]', operator: 'nin' };
  const whole = operator === 'lt' || operator === 'gte' ? Math.ceil(number) : Math.floor(number);
  return { value: Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, whole)) };
}

function toPart(raw: unknown, operator: OperatorName): Operand {
  const operand = toText(raw);
  if ('fault' in operand) return operand;
  const text = escapeLike(String(operand.value));
  return { value: `${operator === 'starts' ? '' : '%'}${text}${operator === 'ends' ? '' : '%'}` };
}

/** Reads what a request compares a column with. */
export function toOperand(
  raw: unknown,
  { type, isWhole }: Pick<SourceColumn, 'type' | 'isWhole'>,
  operator: OperatorName,
): Operand {
  const takes = operators[operator];
  if (takes === 'flag') return toOne(raw === '' ? '1' : raw, 'flag', operator);
  if (operator === 'has') return { fault: 'is for lists only' };
  if (takes === 'list') {
    const list = readItems(raw, (item) => toOne(item, type, operator));
    if ('fault' in list) return list;
    return { value: JSON.stringify(isWhole ? list.items.filter(Number.isSafeInteger) : list.items) };
  }
  if (takes === 'part') {
    const isText = type === 'text' || type === 'date' || type === 'moment';
    return isText ? toPart(raw, operator) : { fault: 'is for text only' };
  }
  const operand = toOne(raw, type, operator);
  return isWhole && 'value' in operand ? toWhole(Number(operand.value), operator) : operand;
}

/** What a value within JSON is compared with: as a text, and as a number where it is one. */
export type JsonOperand = { readonly text: unknown; readonly number: unknown } | { readonly fault: string };

const readNumber = (raw: unknown): number | null => {
  const number = typeof raw === 'boolean' ? undefined : toNumber(raw);
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

/** Reads what a request compares a value within a JSON column with, or the items of its list where `hasPath` is false. */
export function toJsonOperand(raw: unknown, operator: OperatorName, hasPath: boolean): JsonOperand {
  const takes = operators[operator];
  if (takes === 'flag') {
    const flag = toOne(raw === '' ? '1' : raw, 'flag', operator);
    return 'fault' in flag ? flag : { text: flag.value, number: null };
  }
  if (!hasPath && (takes === 'part' || /^[lg]te?$/.test(operator))) {
    return { fault: 'asks a list: take has, in, nin or null, or name a key after a dot' };
  }
  if (takes === 'list') {
    const list = readItems(raw, toText);
    if ('fault' in list) return list;
    const numbers = list.items.map(readNumber).filter((number) => number !== null);
    return { text: JSON.stringify(list.items), number: JSON.stringify(numbers) };
  }
  const operand = takes === 'part' ? toPart(raw, operator) : toText(raw);
  return 'fault' in operand ? operand : { text: operand.value, number: takes === 'part' ? null : readNumber(raw) };
}
