import { currentLocaleTag, translate } from '../../core/text/translate.ts';
import { formatNumber } from '../../model/format/format-intl.ts';

/** How a database reads the searched table. */
export interface ReadPlan {
  /** `all`: the whole table. `index`: a part, by an index. `key`: by the primary key. */
  readonly way: 'all' | 'index' | 'key';
  /** Name of the index; it may also be read as a whole, for its order. */
  readonly index: string | undefined;
  /** About how many rows are read; undefined if the database has no statistics. */
  readonly rows: number | undefined;
  /** About how many rows the table has. */
  readonly all: number | undefined;
  /** Whether what was read is sorted before the first row is known. */
  readonly isSorted: boolean;
}

const toCount = (count: number): string => formatNumber(currentLocaleTag(), Math.round(count), {});

function toReading({ way, index, rows, all }: ReadPlan, isPage: boolean, table: string): string {
  const count = all === undefined ? '' : toCount(all);
  if (way === 'key') return translate('finds rows of {table} by their key', { table });
  if (way === 'all' && index === undefined)
    return count === ''
      ? translate('reads all rows of {table}', { table })
      : translate('reads all {count} rows of {table}', { table, count });
  const most = toCount(rows ?? all ?? 0);
  // In the order of the index it ends with the page.
  if (isPage) return translate('reads up to {most} rows of {table} in the order of {index}', { table, most, index });
  if (rows === undefined) return translate('reads rows of {table} by {index}', { table, index });
  return translate('reads about {most} rows of {table} by {index}', { table, most, index });
}

/**
 * A plan in words: `reads all 100,000 rows of article and sorts them`.
 *
 * @param isPage True for a search that ends when its page is full.
 */
export function describePlan(plan: ReadPlan, table: string, isPage: boolean): string {
  const { isSorted } = plan;
  const reading = toReading(plan, isPage && !isSorted, table);
  return isSorted ? translate('{reading} and sorts them', { reading }) : reading;
}
