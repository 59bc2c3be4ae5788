import { toDidYouMean } from '../core/suggest.ts';
import type { Dialect } from '../database/database.ts';
import type { Condition } from './condition.ts';
import type { Source } from './source.ts';

/** What is wrong with a search, by parameter. */
export type Faults = Record<string, string>;

/** Whether removed rows are left out, the only ones, or among the others. */
export type ActiveWanted = 'only' | 'removed' | 'any';

const MOST_DESCRIBED = 20;

/** Why a column cannot be used so, with the remedy. */
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

/** Text that no database takes: PostgreSQL has no U+0000. */
export const hasNul = (text: string): boolean => text.includes('\u0000');

/** A scalar as text; nothing for what is none, whose own `toString` a request could have replaced. */
export function toPlain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether the value at a path of a search's input came with a request, such as `filter`, `article_active`, `eq`. */
export type IsBrought = (...path: [string, ...string[]]) => boolean;

export interface DraftOptions {
  readonly dialect: Dialect;
  /** What a request brings reaches no removed row and no relation that only leads here. Default: code brought all of it. */
  readonly isBrought?: IsBrought | undefined;
  /** What a request brings may ask for removed rows. */
  readonly isRemovedOpen?: boolean | undefined;
  /** A rule asks: any column may be named, the `active` one like the others. Default false. */
  readonly isRule?: boolean;
}

const broughtByCode: IsBrought = () => false;

/** A search on its way: conditions and, apart from them, the values that they compare with. */
export class Draft {
  readonly source: Source;
  readonly faults: Faults;
  readonly dialect: Dialect;
  readonly isBrought: IsBrought;
  readonly isRule: boolean;
  readonly conditions: Condition[] = [];
  readonly values: unknown[];
  /** Columns and operators, in order: what of the conditions a statement depends on. */
  key = '';

  readonly #isRemovedOpen: boolean;
  #described = 0;

  /** @param values Those of the statement that the draft is a part of. Default none yet. */
  constructor(source: Source, faults: Faults, options: DraftOptions, values: unknown[] = []) {
    this.source = source;
    this.faults = faults;
    this.dialect = options.dialect;
    this.isBrought = options.isBrought ?? broughtByCode;
    this.isRule = options.isRule === true;
    this.values = values;
    this.#isRemovedOpen = options.isRemovedOpen === true;
  }

  /** Whether one more unknown name is described: a posted filter may have thousands, each compared with every column. */
  isDescribing(): boolean {
    this.#described += 1;
    return this.#described <= MOST_DESCRIBED;
  }

  /** Tells of a condition by which a request asks for removed rows, where they are closed to it. */
  refusesRemoved(parameter: string, path: [string, ...string[]]): boolean {
    if (this.#isRemovedOpen || !this.isBrought(...path)) return false;
    this.faults[parameter] =
      `"${parameter}" asks for removed rows, which are closed to requests: only 1 is allowed. A call opens them by "removed": true in its definition.`;
    return true;
  }

  /** Keeps a value and tells its place. */
  hold(value: unknown): number {
    return this.values.push(value) - 1;
  }

  add(condition: Omit<Condition, 'slot'>, ...values: readonly unknown[]): void {
    const slot = this.values.length;
    this.values.push(...values);
    this.conditions.push({ ...condition, slot });
    const { column, operator, isOn, hasPath, within } = condition;
    this.key += `${within?.name ?? ''}>${column?.name ?? ''}${hasPath ? '.' : ''} ${operator}${isOn ?? ''};`;
  }
}
