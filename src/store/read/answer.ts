import { TreadleError } from '../../core/errors.ts';
import type { Row } from '../../database/row-statement.ts';
import { createNoGroup } from './parse/aggregate.ts';
import type { Search } from './search-shape.ts';

/** A page of rows. */
export interface SearchResult {
  readonly rows: readonly Row[];
  /** Number of rows on all pages; undefined with `total=0`. */
  readonly total?: number;
  /** True if the count stopped at the number that `total` asked for, and there are more rows. */
  readonly total_more?: true;
  /** Cursor for `after`, if there is a next page. */
  readonly next?: string;
  /** Cursor for `before`, if there may be a previous page. */
  readonly previous?: string;
}

/** A count reads one row more than it tells, to see whether there are more. */
export function toTotal({ mostTotal }: Search, total: number | undefined): Pick<SearchResult, 'total' | 'total_more'> {
  if (total === undefined) return {};
  return mostTotal !== undefined && total > mostTotal ? { total: mostTotal, total_more: true } : { total };
}

/** The result if no row is found. What is made of all rows, such as a sum, still gives one row. */
export function createEmptyResult({ aggregate, counting }: Search): SearchResult {
  const rows = aggregate?.groups.length === 0 ? [createNoGroup(aggregate)] : [];
  return counting ? { rows, total: rows.length } : { rows };
}

/** The errors of a search: `validation` by parameter; the message is the first error. */
export class SearchError extends TreadleError {
  readonly validation: Readonly<Record<string, string>>;

  constructor(validation: Readonly<Record<string, string>>) {
    const errors = Object.values(validation);
    super('SEARCH_INVALID', errors[0] ?? 'The search is not valid.', { status: 400, detail: validation });
    this.validation = validation;
  }
}
