import type { Aggregate } from './parse/aggregate.ts';
import type { ActiveOption } from './parse/draft.ts';
import type { RowContent } from './parse/expansion.ts';
import type { Condition } from './parse/json-path.ts';
import type { Order } from './parse/order.ts';
import type { RowTest, RowVisibility } from './parse/predicate.ts';
import type { Words } from './parse/words.ts';
import type { Source } from './source/source.ts';
import type { Values } from './values.ts';
/** The shape of a parsed search: what `question.ts` makes and `sql/` compiles. */

/** What the count of a search binds: no order, no cursor and no page. */
export interface CountQuery {
  readonly values: Values;
  /** Index of the row limit of a count that stops. */
  readonly mostSlot: number | undefined;
}

/** A parsed search, with the values to bind. */
export interface Search extends RowContent {
  readonly source: Source;
  readonly conditions: readonly Condition[];
  /** A row must also meet all conditions of at least one of these lists; undefined without `filter[or]`. */
  readonly alternatives: readonly (readonly Condition[])[] | undefined;
  /** The rows that may be found; undefined for all. */
  readonly rows: RowTest | undefined;
  /** The related rows that may be seen. */
  readonly sight: RowVisibility;
  /** Active rows only, removed rows only, or both. */
  readonly active: ActiveOption;
  /** Undefined without `q`. */
  readonly words: Words | undefined;
  readonly order: readonly Order[];
  readonly cursor: Cursor | undefined;
  /** Undefined if rows are not grouped. */
  readonly aggregate: Aggregate | undefined;
  /** Undefined without a total. */
  readonly counting: CountQuery | undefined;
  /** The count stops at this number of rows; undefined if all are counted. */
  readonly mostTotal: number | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Index of the row limit; then the offset, then the sum of both. */
  readonly limitSlot: number;
  /** The values of its rows, or of its groups. */
  readonly values: Values;
}

/** The position where a page starts. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  /** Index of its first value; one value per column of the order. */
  readonly slot: number;
  /** Which of its values are null; they need another condition. */
  readonly nulls: readonly boolean[];
}
