import { translate } from '../../core/text/translate.ts';
import { toPlain } from '../../model/filter/plain.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { Field } from '../../model/shape.ts';
import type { SourceColumn } from '../../store/read/source/source.ts';
import { findTypedError, readDecimals, showDecimals } from './decimal-filter.ts';

/** One comparison of a list's filter, as the URL has it. */
export interface Condition {
  /** A column, `column.key` in JSON, the id of related rows, or `relation.column`. */
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

type ValueType = SourceColumn['type'] | 'link' | 'relation' | 'option' | 'tree';

/** Something that a list can be filtered by. */
export interface FilterChoice {
  readonly name: string;
  readonly label: string;
  readonly type: ValueType;
  /** Values and their labels; empty if any value is possible. */
  readonly options: readonly { readonly key: string; readonly value: string }[];
  /** True if no other value is possible. Default false. */
  readonly isClosed?: boolean;
  /** Default: those of the type. */
  readonly operators?: readonly string[];
  /** The field of decimals, whose values are typed in the style of the language. */
  readonly decimal?: Field;
}

const ORDER = ['lt', 'lte', 'gt', 'gte', 'between'] as const;
const PARTS = ['contains', 'starts', 'ends'] as const;
const SAME = ['eq', 'ne', 'in', 'nin'] as const;
const EMPTY = ['empty', 'filled'] as const;

/** The operators of each type of value, the most used first. */
const OPERATORS: Readonly<Record<ValueType, readonly string[]>> = {
  text: [...PARTS, ...SAME, ...ORDER, ...EMPTY],
  option: [...SAME, ...PARTS, ...EMPTY],
  integer: [...SAME, ...ORDER, ...EMPTY],
  tree: ['below', 'above', ...SAME, ...EMPTY],
  number: [...SAME, ...ORDER, ...EMPTY],
  decimal: [...SAME, ...ORDER, ...EMPTY],
  date: ['gte', 'lte', 'between', 'eq', 'ne', 'lt', 'gt', 'in', 'nin', 'starts', ...EMPTY],
  moment: ['gte', 'lte', 'between', 'eq', 'ne', 'lt', 'gt', 'in', 'nin', 'starts', ...EMPTY],
  flag: ['eq', 'ne', ...EMPTY],
  json: ['has', ...SAME, ...PARTS, ...ORDER, ...EMPTY],
  link: ['eq', 'in'],
  relation: [...EMPTY],
};

/** What people read for an operator. */
const listOperatorLabels = (): Readonly<Record<string, string>> => ({
  eq: translate('is'),
  ne: translate('is not'),
  lt: translate('is less than'),
  lte: translate('is at most'),
  gt: translate('is more than'),
  gte: translate('is at least'),
  between: translate('is between'),
  in: translate('is one of'),
  nin: translate('is not one of'),
  contains: translate('contains'),
  starts: translate('starts with'),
  ends: translate('ends with'),
  has: translate('has the entry'),
  below: translate('is anywhere below'),
  above: translate('is anywhere above'),
  empty: translate('is empty'),
  filled: translate('is not empty'),
});

/** What people read for an operator on times. */
const listTimeLabels = (): Readonly<Record<string, string>> => ({
  lt: translate('is before'),
  lte: translate('is until'),
  gt: translate('is after'),
  gte: translate('is from'),
});

/** One row of the filter form. */
export interface FilterRow {
  readonly index: number;
  readonly name: string;
  readonly label: string;
  readonly isJson: boolean;
  /** Key within JSON. */
  readonly key: string;
  readonly operators: readonly { readonly name: string; readonly label: string; readonly isChosen: boolean }[];
  readonly value: string;
  readonly isFlag: boolean;
  readonly isWithoutValue: boolean;
  readonly hint: string;
  readonly options: readonly { readonly key: string; readonly value: string; readonly isChosen: boolean }[];
  /** Whether one of the options is the value, or with {@link isMany} some of them. */
  readonly isClosed: boolean;
  readonly isMany: boolean;
  readonly fault: string | undefined;
  /** The condition in words. */
  readonly words: string;
  /** Query string of the list without this condition. */
  readonly without: string;
}

const isTime = (type: ValueType): boolean => type === 'date' || type === 'moment';

function toHint(type: ValueType): string {
  if (type === 'date') return translate('2026-01-31; two dates with a comma between');
  if (type === 'moment') return translate('2026-01-31 or 2026-01-31 09:30:00');
  if (type === 'decimal') return translate('Numbers, separated by semicolons');
  if (type === 'integer' || type === 'link' || type === 'tree') return translate('Numbers, separated by commas');
  return '';
}

/** The choice of a condition's name, and the key within JSON. */
function findChoice(name: string, choices: readonly FilterChoice[]): { choice: FilterChoice; key: string } {
  const exact = choices.find((choice) => choice.name === name);
  if (exact) return { choice: exact, key: '' };
  const json = choices.find((choice) => choice.type === 'json' && name.startsWith(`${choice.name}.`));
  if (json) return { choice: json, key: name.slice(json.name.length + 1) };
  // The search says what is wrong with it; here it stays, so that it can be corrected.
  return { choice: { name, label: name, type: 'text', options: [] }, key: '' };
}

/** The operator of the form: `null` is two of them there. */
const toFormOperator = ({ operator, value }: Condition): string =>
  operator !== 'null' ? operator : value === '0' || value === 'false' ? 'filled' : 'empty';

export interface FilterFormInput {
  readonly conditions: readonly Condition[];
  readonly choices: readonly FilterChoice[];
  readonly faults: Readonly<Record<string, unknown>>;
  /** Prints the list's query string without the condition at an index. */
  readonly without: (index: number) => string;
}

/** The rows of the filter form. */
export function toFilterRows({ conditions, choices, faults, without }: FilterFormInput): FilterRow[] {
  const labels = listOperatorLabels();
  const times = { ...labels, ...listTimeLabels() };
  return conditions.map((condition, index) => {
    const { choice, key } = findChoice(condition.name, choices);
    const operator = toFormOperator(condition);
    const known = isTime(choice.type) ? times : labels;
    const names = choice.operators ?? OPERATORS[choice.type];
    const operators = (names.includes(operator) || operator === '' ? names : [...names, operator]).map((name) => ({
      name,
      label: known[name] ?? name,
      isChosen: name === operator,
    }));
    const { decimal, options, isClosed = false } = choice;
    const chosen = condition.value.split(',');
    const isWithoutValue = operator === 'empty' || operator === 'filled';
    const shown = isWithoutValue ? '' : toValueWords(condition, choice);
    return {
      index,
      name: choice.name,
      label: choice.label,
      isJson: choice.type === 'json',
      key,
      operators,
      value: isWithoutValue ? '' : decimal === undefined ? condition.value : shown,
      isFlag: choice.type === 'flag',
      isWithoutValue: choice.type === 'relation',
      hint: toHint(choice.type),
      options: options.map((option) => ({ ...option, isChosen: chosen.includes(option.key) })),
      isClosed,
      isMany: isClosed && names.includes('in'),
      fault: findFilterError(condition, choice, faults),
      words: [choice.label, key, known[operator] ?? operator, shown].filter((word) => word !== '').join(' '),
      without: without(index),
    };
  });
}

function toValueWords({ value, operator }: Condition, { type, options, decimal }: FilterChoice): string {
  if (decimal !== undefined) return showDecimals(decimal, operator, value);
  if (type === 'flag') return value === '1' || value === 'true' ? translate('Yes') : translate('No');
  return value
    .split(',')
    .map((part) => options.find(({ key }) => key === part)?.value ?? part)
    .join(', ');
}

/** The search's error of a condition, with the label in place of the parameter. */
function findFilterError(
  { name, operator, value }: Condition,
  { label, decimal }: FilterChoice,
  errors: Readonly<Record<string, unknown>>,
): string | undefined {
  const parameter = `filter[${name}][${operator}]`;
  const error = errors[parameter] ?? errors[`filter[${name}]`];
  if (typeof error !== 'string') return undefined;
  const typed = decimal && findTypedError(decimal, value);
  return typed !== undefined ? `${label} ${typed}` : error.replace(`"${parameter}"`, label);
}

/** Reads the conditions of the filter form, in the language of the page: one without a value is left out. */
export function readFilterForm(where: unknown, choices: readonly FilterChoice[]): Condition[] {
  const rows = Array.isArray(where) ? where : isRecord(where) ? Object.values(where) : [];
  return rows.flatMap((row: unknown) => {
    if (!isRecord(row)) return [];
    const [head, key, operator] = [toPlain(row.name), toPlain(row.key).trim(), toPlain(row.op)];
    const value = (Array.isArray(row.value) ? row.value.map(toPlain).join(',') : toPlain(row.value)).trim();
    if (head === '' || operator === '') return [];
    const name = key === '' ? head : `${head}.${key}`;
    if (operator === 'empty' || operator === 'filled')
      return [{ name, operator: 'null', value: operator === 'empty' ? '1' : '0' }];
    if (value === '') return [];
    const { decimal } = findChoice(name, choices).choice;
    return [{ name, operator, value: decimal === undefined ? value : readDecimals(decimal, operator, value) }];
  });
}
