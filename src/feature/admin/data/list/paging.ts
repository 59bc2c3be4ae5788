import type { Found } from './find-rows.ts';
import { type ListQuery, printListQuery } from './query.ts';

/** Links to other pages of a list, and where this one lies. */
export interface Paging {
  /** Numbers of the first and the last row shown; undefined after a cursor that does not tell. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly total: number | undefined;
  /** Query strings. */
  readonly start: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly end: string | undefined;
}

/** The search refuses a greater offset. */
const MOST_OFFSET = 10_000_000;

function toFirst({ from, after, before, offset }: ListQuery): number | undefined {
  if (from > 0) return from;
  return after === '' && before === '' ? Number(offset) + 1 : undefined;
}

/** Computes the links. They use cursors, which are stable and fast on any page; only the last page uses an offset. */
export function toPaging(query: ListQuery, found: Found, limit: number, active: string | undefined): Paging {
  const { rows, total, next, previous } = found;
  const first = rows.length === 0 ? undefined : toFirst(query);
  const last = first === undefined ? undefined : first + rows.length - 1;
  const print = (start: Parameters<typeof printListQuery>[2]): string => printListQuery(query, active, start);
  const isSecond = first !== undefined && first <= limit + 1;
  const back = isSecond ? print({}) : print({ before: previous ?? '', from: first === undefined ? 0 : first - limit });
  const lastStart = total === undefined ? 0 : Math.floor(Math.max(total - 1, 0) / limit) * limit;
  const isEndFar = next !== undefined && lastStart > 0 && lastStart <= MOST_OFFSET;
  return {
    first,
    last,
    total,
    start: previous === undefined ? undefined : print({}),
    previous: previous === undefined ? undefined : back,
    next: next === undefined ? undefined : print({ after: next, from: last === undefined ? 0 : last + 1 }),
    end: isEndFar ? print({ offset: String(lastStart) }) : undefined,
  };
}
