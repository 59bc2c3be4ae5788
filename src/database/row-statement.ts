import type { CompiledQuery, RawBuilder } from 'kysely';

/** A stored row: column to value. Times are text `YYYY-MM-DD HH:MM:SS`, booleans 0 and 1, JSON is text. */
export type Row = Record<string, unknown>;

/** The column with the number of rows, where a statement gives the rows of a page as one text. */
export const PAGE_COUNT = 'treadle_count';

/** How many rows a statement has found. */
export const countRows = (found: readonly Row[]): number => Number(found[0]?.[PAGE_COUNT] ?? found.length);

/** An item for a statement that writes the items of several writes at once, as one JSON array in its only parameter. */
export interface CommitItem {
  readonly text: string;
  readonly item: unknown;
  /** True if nothing in the commit reads it, so that it is written once, right before the commit. Default false. */
  readonly isLast?: boolean;
}

/** The column with the key of a row, where one statement writes the rows of several writes. */
export const MANY_KEY = 'treadle_key';

/** A statement that writes the rows of several writes: a round trip to SQLite's thread costs more than a row. */
export interface ManyRows {
  /** Maximum rows of a statement. */
  readonly most: number;
  /**
   * The statement for so many rows. Its parameters are those of each row, one row after the other, and then how many rows
   * of them count. It gives {@link MANY_KEY} with each row that it wrote.
   */
  toText(rows: number): string;
}

/** A statement that writes one row, with its values. */
export interface RowStatement {
  readonly query: CompiledQuery;
  readonly parameters: readonly unknown[];
  /** SQLite: makes of its rows what a second statement writes in the same commit, for all that share it. */
  readonly collect: (rows: readonly Row[]) => readonly CommitItem[];
  /** The same for several rows, with the same parameters for each. Writes with the same object may share a statement. */
  readonly many?: ManyRows | undefined;
  /** The row's primary key; undefined if it is new, and the database counts it up. */
  readonly key?: number | undefined;
}

/** The row that a statement writes, for the parts of the statement that follow it. */
export interface WrittenRow {
  /** Its primary key. */
  readonly id: RawBuilder<unknown>;
  /** The `from` that has it. */
  readonly from: RawBuilder<unknown>;
}

/**
 * What is written with a row in the same commit: its search words, its entry in the history. SQLite writes the items of all
 * rows of a commit in one statement; on PostgreSQL it is a part of the statement that writes the row.
 */
export interface Companion {
  /** Names the SQL: companions of a name have the same for the rows of a schema. */
  readonly name: string;
  /** The column of the row's id. */
  readonly primary: string;
  /** SQLite: the statement that writes the items of several rows, each `[id, ...values]`. */
  readonly text: string;
  /** As {@link CommitItem.isLast}. */
  readonly isLast: boolean;
  /** The part of the statement that writes the row, with parameters for the values. PostgreSQL only. */
  readonly toSql: (row: WrittenRow) => RawBuilder<unknown>;
  /** The values for a row; undefined if there is nothing to write. @param row As a search gives it. */
  toValues(row: Row): readonly unknown[] | undefined;
}

/** What a companion writes of a row that was written. */
export function createCommitItem(
  { text, primary, isLast }: Companion,
  row: Row,
  values: readonly unknown[],
): CommitItem {
  return { text, item: [Number(row[primary]), ...values], isLast };
}
