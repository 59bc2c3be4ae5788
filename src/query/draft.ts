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

export interface DraftOptions {
  readonly dialect: Dialect;
  /** Own code asks, not a request: relations that lead here may be asked through. */
  readonly isTrusted: boolean;
}

/** A search on its way: conditions and, apart from them, the values that they compare with. */
export class Draft {
  readonly source: Source;
  readonly faults: Faults;
  readonly dialect: Dialect;
  readonly isTrusted: boolean;
  readonly conditions: Condition[] = [];
  readonly values: unknown[] = [];
  /** Columns and operators, in order: what of the conditions a statement depends on. */
  key = '';

  #described = 0;

  constructor(source: Source, faults: Faults, { dialect, isTrusted }: DraftOptions) {
    this.source = source;
    this.faults = faults;
    this.dialect = dialect;
    this.isTrusted = isTrusted;
  }

  /** Whether one more unknown name is described: a posted filter may have thousands, each compared with every column. */
  isDescribing(): boolean {
    this.#described += 1;
    return this.#described <= MOST_DESCRIBED;
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
