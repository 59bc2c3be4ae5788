import { suggest } from '../../core/text/suggest.ts';
import { isDay, toMoment } from '../field/field-kind-date.ts';
import { toFlag } from '../field/field-kind-option.ts';
import { coerceNumber } from '../field/field-kind-row.ts';
import type { ComparedColumn } from './compared-column.ts';
import { compareUnits, toWantedUnits } from './decimal-operand.ts';
import { toExactItem } from './exact-item.ts';
import { escapeLike, type OperatorName, operators } from './operator.ts';
import { hasNul, toPlain } from './plain.ts';
import type { KindReader } from './read-kind.ts';

const FLAG = { type: 'flag' } as const;

/** A value as the statement binds it, with the operator to use if it changed; or the rule that it breaks. */
export type Operand = { readonly value: unknown; readonly operator?: OperatorName } | { readonly error: string };

const LIST_ITEMS = 1000;
const VALUE_CHARACTERS = 1000;

const isScalar = (raw: unknown): raw is string | number | boolean =>
  typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';

const isUpper = (operator: OperatorName): boolean => operator === 'lte' || operator === 'gt';

/** The year, month or day that a text names; undefined if it names one value of the column, or none. */
function findPeriod(text: string, { type, reader }: ComparedColumn): string | undefined {
  const period = text.trim();
  if (type !== 'date' && type !== 'moment') return reader?.hasYears && /^\d{4}$/.test(period) ? period : undefined;
  if (/^\d{4}$/.test(period)) return period;
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(period)) return period;
  return type === 'moment' && isDay(period) ? period : undefined;
}

const PERIODS: Readonly<Partial<Record<OperatorName, OperatorName>>> = {
  ...{ eq: 'during', ne: 'outside', in: 'duringAny', nin: 'outsideAll' },
};

/** A period means all of its times, whatever the operator. */
function parsePeriod(period: string, operator: OperatorName): Operand {
  const during = PERIODS[operator];
  if (during !== undefined) return { value: period, operator: during };
  return { value: isUpper(operator) ? `${period}~` : period };
}

function parseTime(text: string, type: 'date' | 'moment'): Operand {
  const stamp = toMoment(text);
  if (stamp === undefined) return { error: 'must be a date such as 2026-01-31, or a time such as 2026-01-31 09:30:00' };
  // A day has no time zone: the day that is written.
  return { value: type === 'date' ? text.trim().slice(0, 10) : stamp };
}

const RANGES: ReadonlySet<OperatorName> = new Set(['lt', 'lte', 'gt', 'gte']);

/** A text in the form that the column stores. */
function parseKind(text: string, reader: KindReader, operator: OperatorName): Operand {
  const value = reader.read(text);
  if (value !== undefined) return { value };
  // Forms send an empty text for "any".
  if (text === '' || (reader.takesParts && RANGES.has(operator))) return { value: text };
  return { error: reader.expects };
}

function parseText(raw: unknown): Operand {
  if (!isScalar(raw)) return { error: 'must be one value' };
  const text = String(raw);
  if (text.length > VALUE_CHARACTERS) return { error: `must have at most ${VALUE_CHARACTERS} characters` };
  return hasNul(text) ? { error: 'must not hold the character U+0000' } : { value: text };
}

function parseOne(raw: unknown, column: ComparedColumn, operator: OperatorName): Operand {
  const read = parseText(raw);
  if ('error' in read) return read;
  const text = String(read.value);
  const { type, reader } = column;
  const period = findPeriod(text, column);
  if (period !== undefined) return parsePeriod(period, operator);
  if (type === 'integer') {
    return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { error: 'must be a whole number' };
  }
  if (type === 'number') {
    const number = coerceNumber(raw);
    return typeof number === 'number' && Number.isFinite(number) ? { value: number } : { error: 'must be a number' };
  }
  if (type === 'flag') {
    const flag = toFlag(raw);
    return flag === 0 || flag === 1 ? { value: flag } : { error: 'must be 1 or 0' };
  }
  if (type === 'date' || type === 'moment') return parseTime(text, type);
  return reader === undefined ? read : parseKind(text, reader, operator);
}

/** A list: an array as it is, or comma-separated text. */
export function toRawList(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') return raw === '' ? [] : raw.split(',').map((item) => item.trim());
  if (typeof raw === 'object' && raw !== null) return Object.values(raw);
  return raw === undefined || raw === null ? [] : [raw];
}

/** Names of columns or relations: a list, comma-separated text, or a list of such texts, as of a parameter that is there twice. */
export const listNames = (raw: unknown): string[] =>
  toRawList(raw).flatMap((item) =>
    toPlain(item)
      .split(',')
      .map((name) => name.trim()),
  );

/** Parses each item of a list; gives the first error. */
function readItems(
  raw: unknown,
  read: (item: unknown) => Operand,
): { readonly items: readonly unknown[]; readonly operator?: OperatorName } | { readonly error: string } {
  const given = toRawList(raw);
  if (given.length > LIST_ITEMS) return { error: `must have at most ${LIST_ITEMS} values` };
  const items: unknown[] = [];
  let operator: OperatorName | undefined;
  for (const item of given) {
    const operand = read(item);
    if ('error' in operand) return operand;
    operator ??= operand.operator;
    items.push(operand.value);
  }
  return operator === undefined ? { items } : { items, operator };
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
  if ('error' in operand) return operand;
  const text = escapeLike(String(operand.value));
  return { value: `${operator === 'starts' ? '' : '%'}${text}${operator === 'ends' ? '' : '%'}` };
}

/** The value of a column of decimals, as a whole number of its smallest unit. */
function toDecimalOperand(raw: unknown, scale: number, operator: OperatorName): Operand {
  const error = { error: 'must be a number' };
  const readOne = <T>(item: unknown, read: (text: string) => T | undefined): { readonly value: T } | typeof error => {
    const text = parseText(item);
    if ('error' in text) return text;
    const value = read(String(text.value));
    return value === undefined ? error : { value };
  };
  if (operators[operator] === 'list') {
    const list = readItems(raw, (item) => readOne(item, (text) => toWantedUnits(text, scale)));
    return 'error' in list ? list : { value: JSON.stringify(list.items.filter((units) => units !== null)) };
  }
  const found = readOne(raw, (text) => compareUnits(text, scale, operator));
  return 'error' in found ? found : found.value;
}

const toItem = (item: unknown): unknown => (typeof item === 'number' ? toExactItem(item) : item);

/** Parses the value that a request compares a column with. A decimal becomes a whole number of its smallest unit. */
export function toOperand(raw: unknown, column: ComparedColumn, operator: OperatorName): Operand {
  const { type, isWhole } = column;
  const takes = operators[operator];
  if (takes === 'flag') return parseOne(raw === '' ? '1' : raw, FLAG, operator);
  if (operator === 'has') return { error: 'is for lists only' };
  if (type === 'decimal' && takes !== 'part') return toDecimalOperand(raw, column.scale ?? 0, operator);
  if (takes === 'list') {
    const list = readItems(raw, (item) => parseOne(item, column, operator));
    if ('error' in list) return list;
    const value = JSON.stringify(isWhole ? list.items.filter(Number.isSafeInteger) : list.items.map(toItem));
    return list.operator === undefined ? { value } : { value, operator: list.operator };
  }
  if (takes === 'part') {
    const isText = type === 'text' || type === 'date' || type === 'moment';
    return isText ? parsePart(raw, operator) : { error: 'is for text only' };
  }
  const operand = parseOne(raw, column, operator);
  return isWhole && 'value' in operand ? parseInteger(Number(operand.value), operator) : operand;
}

/** The value to compare with JSON: as text, and as number if it is one. */
export type JsonOperand = { readonly text: unknown; readonly number: unknown } | { readonly error: string };

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
    const flag = parseOne(raw === '' ? '1' : raw, FLAG, operator);
    return 'error' in flag ? flag : { text: flag.value, number: null };
  }
  if (!hasPath && (takes === 'part' || /^[lg]te?$/.test(operator))) {
    return { error: 'is a list: use has, in, nin or null, or add a key after a dot' };
  }
  if (takes === 'list') {
    const list = readItems(raw, parseText);
    if ('error' in list) return list;
    const numbers = list.items.map(readNumber).filter((number) => number !== null);
    return { text: JSON.stringify(list.items), number: JSON.stringify(numbers.map(toExactItem)) };
  }
  const operand = takes === 'part' ? parsePart(raw, operator) : parseText(raw);
  return 'error' in operand ? operand : { text: operand.value, number: takes === 'part' ? null : readNumber(raw) };
}

const MANY: ReadonlySet<OperatorName> = new Set(['in', 'nin']);
const ONE: ReadonlySet<OperatorName> = new Set(['eq', 'ne', 'has']);
/** Options that a message lists. */
const MOST_LISTED = 12;

/**
 * Why a column with options can never have a value; undefined if it can. An empty value passes: forms send it for
 * "any".
 */
export function findOptionError(
  { options, reader }: Pick<ComparedColumn, 'options' | 'reader'>,
  operator: OperatorName,
  raw: unknown,
): string | undefined {
  if (options === undefined || !(MANY.has(operator) || ONE.has(operator))) return undefined;
  const wanted = (MANY.has(operator) ? toRawList(raw) : [raw]).map(toPlain);
  const isOption = (value: string): boolean => options.has(value) || options.has(reader?.read(value) ?? value);
  const unknown = wanted.find((value) => value !== '' && !isOption(value));
  if (unknown === undefined) return undefined;
  const near = suggest(unknown, options);
  const all = [...options];
  const more = all.length > MOST_LISTED ? ` and ${all.length - MOST_LISTED} more` : '';
  const listed = `There are ${all.slice(0, MOST_LISTED).join(', ')}${more}.`;
  return `has no option "${unknown.slice(0, 64)}". ${near === undefined ? listed : `Did you mean "${near}"?`}`;
}
