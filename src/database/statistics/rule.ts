/** What the planner knows of a table, and how much that is worth. */
export interface TableStatistics {
  readonly table: string;
  /** Rows when they were counted; 0 if never. */
  readonly rows: number;
  /** Unix seconds of the last count; undefined if there was none. */
  readonly at: number | undefined;
  /** Rows that were inserted, changed or removed since. */
  readonly written: number;
}

/**
 * Rows from which a table has statistics on SQLite. Below, any plan takes less than a millisecond, and a plan made for ten
 * rows is wrong for the 100,000 that may follow.
 */
export const LEAST_ROWS = 1000;
/** Share of the rows that must be written before they are counted again. */
const SHARE = 0.1;

/** Whether so much was written that the rows should be counted again. */
export const isOutdated = ({ rows, written }: Pick<TableStatistics, 'rows' | 'written'>): boolean =>
  written >= Math.max(LEAST_ROWS, rows * SHARE);
