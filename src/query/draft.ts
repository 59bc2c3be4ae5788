import { toDidYouMean } from '../core/suggest.ts';
import type { Condition, OperatorName } from './operator.ts';
import type { Source, SourceColumn, SourceLink } from './source.ts';

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

/** A search on its way: conditions and, apart from them, the values that they compare with. */
export class Draft {
  readonly source: Source;
  readonly faults: Faults;
  readonly conditions: Condition[] = [];
  readonly values: unknown[] = [];
  /** Columns and operators, in order: what of the conditions a statement depends on. */
  key = '';

  #described = 0;

  constructor(source: Source, faults: Faults) {
    this.source = source;
    this.faults = faults;
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

  add(column: SourceColumn | SourceLink, operator: OperatorName, value: unknown): void {
    this.conditions.push({ column, operator, slot: this.hold(value) });
    this.key += `${column.name} ${operator};`;
  }
}
