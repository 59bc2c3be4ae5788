import { isSafeKey } from '../../core/request/registry.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { findOptionError, toJsonOperand, toOperand, toRawList } from '../../model/filter/operand.ts';
import { OPERATOR_NAMES, type OperatorName } from '../../model/filter/operator.ts';
import { CHANGED, ORIGINAL } from '../../model/hook-event.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { SourceColumn } from '../../store/read/source/source.ts';
import { testJson, testList, testValue } from './filter-test.ts';

/** Columns of the rows by name; undefined if the event's results are unknown. */
export type KnownColumns = ReadonlyMap<string, SourceColumn> | undefined;

/** An error in part of a definition. */
export interface HookError {
  /** Such as `filter.article_words.gte`. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
  /** Default: an error. */
  readonly severity?: 'warning';
}

interface Condition {
  readonly path: readonly string[];
  test(value: unknown): boolean;
}

/** A compiled filter: a test for data, and the errors of the definition. */
export interface Filter {
  isPassed(data: unknown): boolean;
  readonly errors: readonly HookError[];
}

const MOST_CONDITIONS = 30;
/** How the values of a column are compared. */
type ComparedPart = Pick<SourceColumn, 'type' | 'isWhole' | 'scale' | 'reader'>;
const LIST: ComparedPart = { type: 'json' };

/** Own properties only, so that a filter cannot read inherited ones such as `constructor`. */
function readPath(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !isSafeKey(key) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** One comparison of the definition. */
interface FilterComparison {
  readonly at: string;
  readonly path: readonly string[];
  readonly operator: string;
  readonly raw: unknown;
}

class Reader {
  readonly conditions: Condition[] = [];
  readonly errors: HookError[] = [];
  readonly #columns: KnownColumns;

  constructor(columns: KnownColumns) {
    this.#columns = columns;
  }

  /** The column at the start of a path, and the number of steps within it. */
  #find(path: readonly string[]): { column: ComparedPart | undefined; within: number } {
    const [head = ''] = path;
    if (head === CHANGED) return { column: LIST, within: path.length - 1 };
    const from = head === ORIGINAL ? 1 : 0;
    return { column: this.#columns?.get(path[from] ?? ''), within: path.length - from - 1 };
  }

  /** Why a comparison is invalid; the operand itself is checked later. */
  #findError({ at, path, operator }: FilterComparison): HookError | undefined {
    const { column, within } = this.#find(path);
    if (this.conditions.length >= MOST_CONDITIONS)
      return { path: 'filter', message: `"filter" takes at most ${MOST_CONDITIONS} conditions.` };
    if (!OPERATOR_NAMES.includes(operator)) {
      const hint = toDidYouMean(operator, OPERATOR_NAMES);
      return { path: at, message: `"${operator}" is not an operator.`, hint };
    }
    if (this.#columns !== undefined && !column) {
      const name = path[path[0] === ORIGINAL ? 1 : 0] ?? '';
      const hint = toDidYouMean(name, this.#columns.keys());
      return { path: at, message: `"${name}" is not a column that is sent.`, hint };
    }
    if (column === undefined || column.type === 'json' || within === 0) return undefined;
    return { path: at, message: `"${path.join('.')}" does not exist: ${path.at(-within - 1)} is not JSON.` };
  }

  add(comparison: FilterComparison): void {
    const { at, path, operator, raw } = comparison;
    const error = this.#findError(comparison);
    if (error) {
      this.errors.push(error);
    } else if (operator === 'between') {
      this.#addRange(comparison);
    } else {
      const { column, within } = this.#find(path);
      const test = this.#toTest(column, within, operator as OperatorName, raw);
      if ('error' in test) this.errors.push({ path: at, message: `"${at}" ${test.error}.` });
      else this.conditions.push({ path, test: test.test });
      this.#findOptionError(comparison);
    }
  }

  /** Reports an option that the column does not have: the hook then sends nothing. */
  #findOptionError({ at, path, operator, raw }: FilterComparison): void {
    const column = this.#columns?.get(path[path[0] === ORIGINAL ? 1 : 0] ?? '');
    const error = column && findOptionError(column, operator as OperatorName, raw);
    if (error === undefined) return;
    const [, message = error, hint = ''] = /^(.*?[.]) (.+)$/.exec(error) ?? [];
    this.errors.push({ path: at, message: `"${at}" ${message}`, hint, severity: 'warning' });
  }

  #addRange({ at, path, raw }: FilterComparison): void {
    const [least, most, ...more] = toRawList(raw);
    const isOpen = (end: unknown): boolean => end === undefined || end === null || end === '';
    if (more.length > 0 || (isOpen(least) && isOpen(most))) {
      this.errors.push({ path: at, message: `"${at}" takes two ends such as [1, 9]; one may be left out.` });
      return;
    }
    if (!isOpen(least)) this.add({ at, path, operator: 'gte', raw: least });
    if (!isOpen(most)) this.add({ at, path, operator: 'lte', raw: most });
  }

  #toTest(
    column: ComparedPart | undefined,
    within: number,
    operator: OperatorName,
    raw: unknown,
  ): { test: Condition['test'] } | { error: string } {
    if (column && column.type !== 'json') {
      const operand = toOperand(raw, column, operator);
      if ('error' in operand) return operand;
      return { test: testValue(column, operand.operator ?? operator, operand.value, raw) };
    }
    // For unknown columns only the value itself shows whether it is a list.
    const isList = column !== undefined && within === 0;
    const operand = toJsonOperand(raw, operator, !isList);
    if ('error' in operand) return operand;
    const wanted = { text: operand.text, number: operand.number, raw };
    const list = testList(operator, wanted);
    const plain = testJson(operator, wanted);
    return { test: (value) => (isList || Array.isArray(value) ? list(value) : plain(value)) };
  }

  read(path: readonly string[], wanted: unknown, at: string): void {
    if (wanted === null) this.add({ at, path, operator: 'null', raw: 1 });
    else if (Array.isArray(wanted)) this.add({ at, path, operator: 'in', raw: wanted });
    else if (!isRecord(wanted)) this.add({ at, path, operator: 'eq', raw: wanted });
    else
      for (const [key, inner] of Object.entries(wanted)) {
        if (OPERATOR_NAMES.includes(key) || !this.#isOpen(path))
          this.add({ at: `${at}.${key}`, path, operator: key, raw: inner });
        else this.read([...path, ...key.split('.')], inner, `${at}.${key}`);
      }
  }

  /** Whether more keys may follow: after `original`, within JSON, and in unknown data. */
  #isOpen(path: readonly string[]): boolean {
    if (path.length === 1 && path[0] === ORIGINAL) return true;
    const { column } = this.#find(path);
    return column === undefined ? this.#columns === undefined : column.type === 'json' && path[0] !== CHANGED;
  }
}

/** Compiles a definition's filter: the grammar of a search, applied to an event's data. */
export function compileFilter(filter: Readonly<Record<string, unknown>> | undefined, columns: KnownColumns): Filter {
  const reader = new Reader(columns);
  for (const [name, wanted] of Object.entries(filter ?? {})) reader.read(name.split('.'), wanted, `filter.${name}`);
  const { conditions, errors } = reader;
  return { errors, isPassed: (data) => conditions.every(({ path, test }) => test(readPath(data, path))) };
}
