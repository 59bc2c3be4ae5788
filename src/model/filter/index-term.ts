import { toDidYouMean } from '../../core/text/suggest.ts';
import { isBlank, isRecord } from '../json/json-value.ts';
import type { IndexTerm, TermOperator } from '../model.ts';
import type { ComparedColumn } from './compared-column.ts';
import { findOptionError, toOperand, toRawList } from './operand.ts';
import { isTreeOperator, OPERATOR_NAMES } from './operator.ts';

/** Operators that a partial index may have: both databases prove them from the text of a statement. */
const TERM_OPERATORS: readonly TermOperator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'null'];

type TermValue = IndexTerm['value'];

/** A rule that a condition breaks. */
export interface TermError {
  /** Keys from the condition's column on. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

interface TermInput {
  readonly name: string;
  readonly column: ComparedColumn;
  readonly add: (term: Omit<IndexTerm, 'column'>) => void;
  readonly fail: (path: readonly string[], message: string, hint: string) => void;
}

const isTermOperator = (operator: string): operator is TermOperator => TERM_OPERATORS.some((each) => each === operator);

/** Values of a role's filter that are another with each request. */
const isPlaceholder = (raw: unknown): boolean => typeof raw === 'string' && /^\s*(?:\$|now\(\)\s*$)/i.test(raw);

const FIXED =
  'An index holds the same rows whoever asks and whenever: write a fixed value, or leave the condition out.';

function addTerm(operator: string, raw: unknown, input: TermInput): void {
  const { name, column, add, fail } = input;
  if (operator === 'between') {
    for (const [end, value] of readEnds(raw, input)) addTerm(end, value, input);
    return;
  }
  if (!isTermOperator(operator)) {
    failOperator(operator, input);
    return;
  }
  const path = operator === 'eq' ? [name] : [name, operator];
  const items = operator === 'in' ? toRawList(raw) : [raw];
  const placeholder = items.find(isPlaceholder);
  if (placeholder !== undefined) {
    fail(path, `"${String(placeholder).slice(0, 64)}" is another value with each search.`, FIXED);
    return;
  }
  const found = operator === 'in' ? readList(items, column) : readOne(operator, raw, column);
  const { scale } = column;
  if ('rule' in found) fail(path, `"${name}" ${found.rule}.`, found.hint);
  else if (scale === undefined || operator === 'null') add({ operator, value: found.value });
  else add({ operator, value: found.value, scale });
}

function failOperator(operator: string, { name, fail }: TermInput): void {
  const shown = operator.slice(0, 64);
  if (OPERATOR_NAMES.includes(operator) || isTreeOperator(operator)) {
    const hint = `Use ${TERM_OPERATORS.join(', ')} or between.`;
    fail([name, operator], `The condition of an index cannot have the operator "${shown}".`, hint);
  } else fail([name, operator], `"${shown}" is not an operator.`, toDidYouMean(operator, TERM_OPERATORS));
}

/** Either end may be missing. */
function readEnds(raw: unknown, { name, fail }: TermInput): (readonly [TermOperator, unknown])[] {
  const [least, most, ...more] = toRawList(raw);
  const ends = [['gte', least] as const, ['lte', most] as const].filter(([, end]) => !isBlank(end));
  if (more.length === 0 && ends.length > 0) return ends;
  fail([name, 'between'], `"${name}" must be between two values; one may be empty.`, 'Such as "1,9".');
  return [];
}

type Reading = { readonly value: TermValue } | { readonly rule: string; readonly hint: string };

function readList(items: readonly unknown[], column: ComparedColumn): Reading {
  if (items.length === 0) return { rule: 'has an empty list', hint: 'Name the values, or leave the condition out.' };
  const values: (string | number)[] = [];
  for (const item of items) {
    const found = readOne('eq', item, column);
    if ('rule' in found) return found;
    if (typeof found.value === 'string' || typeof found.value === 'number') values.push(found.value);
  }
  return { value: [...new Set(values)].sort() };
}

function readOne(operator: TermOperator, raw: unknown, column: ComparedColumn): Reading {
  const options = findOptionError(column, operator, raw);
  if (options !== undefined) return { rule: options.replace(/\.$/, ''), hint: 'Write the key of an option.' };
  const operand = toOperand(raw, column, operator);
  if ('error' in operand) return { rule: operand.error, hint: 'Write the value as a search would.' };
  if (operator === 'null') return { value: operand.value === 1 };
  const isPeriod = operand.operator === 'during' || operand.operator === 'outside';
  if (isPeriod) return { rule: 'has a period', hint: 'Say where it starts and ends, by gte and lte.' };
  const { value } = operand;
  // SQLite reads some fractions in a statement's text as the number beside them.
  if (operand.operator === undefined) {
    if (typeof value === 'string') return { value };
    if (typeof value === 'number' && Number.isSafeInteger(value)) return { value };
  }
  if (column.scale === undefined)
    return { rule: 'must be a whole number', hint: 'No index can have a fraction in its condition.' };
  const hint = `Write at most ${column.scale} after the point: no row has another.`;
  return { rule: 'has more digits than its column', hint };
}

/**
 * Reads what a partial index demands of one column: `true`, `{"gte": 5}`, `["a", "b"]`, or `null`.
 *
 * @param name The column as the definition has it, for messages.
 */
export function readTerms(
  name: string,
  wanted: unknown,
  column: ComparedColumn,
): { readonly terms: readonly Omit<IndexTerm, 'column'>[]; readonly errors: readonly TermError[] } {
  const terms: Omit<IndexTerm, 'column'>[] = [];
  const errors: TermError[] = [];
  const input: TermInput = {
    name,
    column,
    add: (term) => terms.push(term),
    fail: (path, message, hint) => errors.push({ path, message, hint }),
  };
  if (wanted === null) addTerm('null', true, input);
  else if (Array.isArray(wanted)) addTerm('in', wanted, input);
  else if (!isRecord(wanted)) addTerm('eq', wanted, input);
  else for (const [operator, raw] of Object.entries(wanted)) addTerm(operator, raw, input);
  if (terms.length === 0 && errors.length === 0) {
    input.fail([name], `"${name}" has no operator.`, `Such as {"eq": 1}: one of ${TERM_OPERATORS.join(', ')}.`);
  }
  return { terms, errors };
}
