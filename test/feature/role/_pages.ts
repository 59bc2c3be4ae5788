import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Random } from './_world.ts';

/** How the pages of a search are read. */
export interface Paging {
  readonly limit: number;
  /** `total` for each page in turn; undefined: it is not sent. */
  readonly totals: readonly (string | undefined)[];
  /** True if the page before the last one is read at the end. */
  readonly isBack: boolean;
}

/** A page that was read, and where it begins among all rows. */
export interface Paged {
  readonly from: number;
  readonly limit: number;
  readonly total: string | undefined;
  readonly results: Row;
}

const MOST_PAGES = 6;
const TOTALS = [undefined, undefined, '0', '1', '2', '4', '20'];

export const drawPaging = (random: Random): Paging => ({
  limit: 1 + random.below(6),
  totals: Array.from({ length: MOST_PAGES + 1 }, () => random.pick(TOTALS)),
  isBack: random.chance(0.5),
});

/** What a search says of the number of rows. */
export function toTotal(count: number, total: unknown): Row {
  if (total === '0') return {};
  const most = total === undefined || total === '1' ? Number.POSITIVE_INFINITY : Number(total);
  return count > most ? { total: most, total_more: true } : { total: count };
}

type Ask<Answer> = (page: Row) => Promise<Answer>;

/** Reads page after page by the cursors of the answers. The answer is that of the first page. */
export async function walk<Answer extends { readonly status: number; readonly results: Row | undefined }>(
  { limit, totals, isBack }: Paging,
  ask: Ask<Answer>,
): Promise<Answer & { readonly pages?: readonly Paged[]; readonly wrong?: string }> {
  const pages: Paged[] = [];
  const read = async (cursor: Row, from: number): Promise<Answer> => {
    const total = totals[pages.length % totals.length];
    const answer = await ask({ limit: String(limit), ...(total === undefined ? {} : { total }), ...cursor });
    if (answer.status === 200) pages.push({ from, limit, total, results: answer.results as Row });
    return answer;
  };
  const first = await read({}, 0);
  if (first.status !== 200) return first;
  let last = first;
  for (let from = limit; last.results?.next !== undefined && pages.length < MOST_PAGES; from += limit) {
    last = await read({ after: last.results.next }, from);
    if (last.status !== 200) return { ...first, wrong: `page at ${from}: ${last.status}` };
  }
  const previous = last.results?.previous;
  if (isBack && pages.length > 1 && previous !== undefined) {
    const back = await read({ before: previous }, (pages.length - 2) * limit);
    if (back.status !== 200) return { ...first, wrong: `page before: ${back.status}` };
  }
  return { ...first, pages };
}

/** Differences between pages and all rows in their order, as text. */
export function comparePages(pages: readonly Paged[], rows: readonly Row[], order: (value: unknown) => unknown) {
  for (const [index, { from, limit, total, results }] of pages.entries()) {
    const { rows: found, total: count, total_more } = results as { rows: Row[]; total?: number; total_more?: boolean };
    const wanted = { rows: rows.slice(from, from + limit), ...toTotal(rows.length, total) };
    const more = total_more === undefined ? {} : { total_more };
    const got = { rows: found, ...(count === undefined ? {} : { total: count }), ...more };
    if (!isDeepStrictEqual(order(got), order(wanted)))
      return `page ${index} at ${from} of ${total}: ${JSON.stringify(order(got))}\n  not ${JSON.stringify(order(wanted))}`;
    const isMore = index + 1 === pages.length || from + limit < rows.length;
    if (!isMore && results.next !== undefined) return `page ${index} has a next page`;
  }
  return undefined;
}
