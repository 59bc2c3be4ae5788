import { toMoment } from '../model/field-kind-date.ts';
import { toFlag } from '../model/field-kind-number.ts';
import { toNumber } from '../model/field-kind-row.ts';
import { escapeLike, type OperatorName, operators } from './operator.ts';
import type { SourceColumn } from './source.ts';

type ColumnType = SourceColumn['type'];

/** A value as a statement takes it, or the rule that it breaks. */
export type Operand = { readonly value: unknown } | { readonly fault: string };

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

function toOne(raw: unknown, type: ColumnType, operator: OperatorName): Operand {
  if (!isScalar(raw)) return { fault: 'takes one value' };
  const text = String(raw);
  if (text.length > VALUE_CHARACTERS) return { fault: `takes at most ${VALUE_CHARACTERS} characters` };
  if (type === 'integer') {
    return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { fault: 'takes a whole number' };
  }
  if (type === 'number') {
    const number = toNumber(raw);
    return typeof number === 'number' ? { value: number } : { fault: 'takes a number' };
  }
  if (type === 'flag') {
    const flag = toFlag(raw);
    return flag === 0 || flag === 1 ? { value: flag } : { fault: 'takes 1 or 0' };
  }
  return type === 'date' || type === 'moment' ? toTime(text, type, operator) : { value: text };
}

/** A list: as it is, or text parted by commas. */
export function toRawList(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') return raw === '' ? [] : raw.split(',').map((item) => item.trim());
  if (typeof raw === 'object' && raw !== null) return Object.values(raw);
  return raw === undefined || raw === null ? [] : [raw];
}

function toListOperand(raw: unknown, type: ColumnType, operator: OperatorName): Operand {
  const items = toRawList(raw);
  if (items.length > LIST_ITEMS) return { fault: `takes at most ${LIST_ITEMS} values` };
  const values: unknown[] = [];
  for (const item of items) {
    const operand = toOne(item, type, operator);
    if ('fault' in operand) return operand;
    values.push(operand.value);
  }
  return { value: JSON.stringify(values) };
}

/** Reads what a request compares a column with. */
export function toOperand(raw: unknown, { type }: Pick<SourceColumn, 'type'>, operator: OperatorName): Operand {
  const { takes } = operators[operator];
  if (takes === 'list') return toListOperand(raw, type, operator);
  if (takes === 'flag') return toOne(raw === '' ? '1' : raw, 'flag', operator);
  if (operator === 'has') return type === 'json' ? toOne(raw, 'text', operator) : { fault: 'is for lists only' };
  if (takes !== 'part') return toOne(raw, type, operator);
  if (type !== 'text' && type !== 'date' && type !== 'moment') return { fault: 'is for text only' };
  const operand = toOne(raw, 'text', operator);
  if ('fault' in operand) return operand;
  const text = escapeLike(String(operand.value));
  return { value: `${operator === 'starts' ? '' : '%'}${text}${operator === 'ends' ? '' : '%'}` };
}
