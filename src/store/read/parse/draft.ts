import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Dialect } from '../../../database/database.ts';
import { isBlank } from '../../../model/json/json-value.ts';
import type { Source } from '../source/source.ts';
import { Values } from '../values.ts';
import { toBoundDecimal } from './bound-decimal.ts';
import { type FixedTerm, findFixedTerms } from './fixed-term.ts';
import type { Condition } from './json-path.ts';

/** The rows with given words, in place of those that the index names. */
export interface ExactWords {
  /** Rows not to take from the index; undefined to take none from it. */
  readonly except: readonly number[] | undefined;
  /** The rows to take, for each requested list of words. */
  readonly lists: readonly (readonly number[])[];
}

/** By the table of the index. */
export type ExactByTable = ReadonlyMap<string, ExactWords>;

/** The errors of a search, by parameter. */
export type ErrorsByParameter = Record<string, string>;

/** Active rows only, removed rows only, or both. */
export type ActiveOption = 'only' | 'removed' | 'any';

const MOST_DESCRIBED = 20;
/** Of a condition without a value. */
const NO_SLOT = -1;

/** Why a column cannot be used this way, with the remedy. */
export function describeColumn(
  name: string,
  source: Source,
  usable: { keys(): Iterable<string>; has(name: string): boolean },
  flag: string,
): string {
  const shown = name.slice(0, 64);
  const own = source.schema.byName.get(name);
  if (own && usable.has(own.name)) return `"${shown}" is not a column. Did you mean "${own.name}"?`;
  if (source.columns.has(name)) return `"${shown}" is not ${flag}. ${toDidYouMean(name, usable.keys())}`;
  return `"${shown}" is not a column of ${source.schema.name}. ${toDidYouMean(name, usable.keys())}`;
}

export const isGiven = (value: unknown): boolean => !isBlank(value);

/**
 * True if the client sent the value at a path of the search's input, such as `filter`, `article_active`,
 * `eq`.
 */
export type IsFromClient = (...path: [string, ...string[]]) => boolean;

export interface DraftOptions {
  readonly dialect: Dialect;
  /**
   * Values from the client cannot reach removed rows, or relations that only point back here. Default:
   * code set all values.
   */
  readonly isFromClient?: IsFromClient | undefined;
  /** True if the request may ask for removed rows. Default false. */
  readonly isRemovedOpen?: boolean | undefined;
  /** True for an access rule: it may use any column, and `active` like any other. Default false. */
  readonly isRule?: boolean;
  /** The rows with the words of `q`, where an index does not cover them. */
  readonly exact?: ExactByTable | undefined;
  /** True to refuse unknown options of a select also in values that code set. Default false: rows may still have them. */
  readonly isStrict?: boolean;
}

const neverFromClient: IsFromClient = () => false;

/** A search while it is parsed: its conditions, and separately the values that they compare with. */
export class Draft {
  readonly source: Source;
  readonly errors: ErrorsByParameter;
  readonly dialect: Dialect;
  readonly isFromClient: IsFromClient;
  readonly isRule: boolean;
  readonly isStrict: boolean;
  readonly exact: ExactByTable | undefined;
  /** Those that every row must meet. */
  readonly conditions: Condition[] = [];
  readonly values: Values;

  readonly #isRemovedOpen: boolean;
  #alternatives: Condition[][] | undefined;
  /** Where a condition is added. */
  #adding = this.conditions;
  #described = 0;

  /** @param values The statement's values so far; the draft appends its own. Default none. */
  constructor(source: Source, errors: ErrorsByParameter, options: DraftOptions, values = new Values()) {
    this.source = source;
    this.errors = errors;
    this.dialect = options.dialect;
    this.isFromClient = options.isFromClient ?? neverFromClient;
    this.isRule = options.isRule === true;
    this.isStrict = options.isStrict === true;
    this.exact = options.exact;
    this.values = values;
    this.#isRemovedOpen = options.isRemovedOpen === true;
  }

  /**
   * False once enough unknown names were described: a posted filter may have thousands, and each is compared with
   * every column.
   */
  isDescribing(): boolean {
    this.#described += 1;
    return this.#described <= MOST_DESCRIBED;
  }

  /** Lists of conditions: a row must meet all of at least one list. Undefined without alternatives. */
  get alternatives(): readonly (readonly Condition[])[] | undefined {
    return this.#alternatives;
  }

  /** Conditions of all kinds. */
  countConditions(): number {
    return this.listConditions().length;
  }

  /** What is added next belongs to alternatives. */
  beginAlternatives(): void {
    this.#alternatives = [];
    this.values.mark('or(');
  }

  /** What is added next belongs to one more alternative. @returns its conditions, to which they are added. */
  beginAlternative(): readonly Condition[] {
    this.#adding = [];
    this.#alternatives?.push(this.#adding);
    // Says where it begins: two alternatives of one condition are another statement than one of two.
    this.values.mark('/');
    return this.#adding;
  }

  /** What is added next holds for every row again. */
  endAlternatives(): void {
    this.#adding = this.conditions;
    this.values.mark(')');
  }

  /** Every condition, also of alternatives. */
  listConditions(): readonly Condition[] {
    return this.#alternatives === undefined ? this.conditions : [...this.conditions, ...this.#alternatives.flat()];
  }

  /** Reports a condition that asks for removed rows if the request may not. */
  refusesRemoved(parameter: string, path: [string, ...string[]]): boolean {
    if (this.#isRemovedOpen || !this.isFromClient(...path)) return false;
    this.errors[parameter] =
      `"${parameter}" asks for removed rows, but a request may only send 1 here. A call allows them with "removed": true in its definition.`;
    return true;
  }

  /** Adds a condition with its value; one on JSON has three. The conditions of partial indexes are written with their values. */
  add(condition: Omit<Condition, 'slot'>, value: unknown, ...more: readonly unknown[]): void {
    const { column, operator, isOn, hasPath, within } = condition;
    if (column?.alias === 't' && within === undefined && column.type !== 'json') {
      const { same, implied } = findFixedTerms(this.source.schema, column.column, { operator, value, isOn });
      for (const fixed of implied) this.#addFixed({ column, fixed, isImplied: true });
      if (same !== undefined) {
        this.#addFixed({ column, fixed: same });
        return;
      }
    }
    const name = `${within?.name ?? ''}>${column?.name ?? ''}${hasPath ? '.' : ''} ${operator}${isOn ?? ''}`;
    const bound = column?.scale === undefined ? value : toBoundDecimal(value, column.scale, operator, this.dialect);
    const slot = this.values.add(name, bound);
    for (const other of more) this.values.add('&', other);
    this.#adding.push({ ...condition, slot });
  }

  #addFixed(condition: Pick<Condition, 'column' | 'isImplied'> & { readonly fixed: FixedTerm }): void {
    const { operator, value, key } = condition.fixed;
    this.values.mark(key);
    const isOn = operator === 'null' ? { isOn: value === true } : {};
    this.#adding.push({ ...condition, operator, ...isOn, slot: NO_SLOT });
  }
}
