/** The comparisons of a search's `filter`. All that are given must hold. */
export interface Compared<T> {
  /** Equal. */
  readonly eq?: T;
  /** Not equal; rows without a value are not equal to any. */
  readonly ne?: T;
  /** Less. */
  readonly lt?: T;
  /** Less or equal. */
  readonly lte?: T;
  /** Greater. */
  readonly gt?: T;
  /** Greater or equal. */
  readonly gte?: T;
  /** Includes both ends; one may be null. */
  readonly between?: readonly [T | null, T | null];
  /** One of these. */
  readonly in?: readonly T[];
  /** None of these. */
  readonly nin?: readonly T[];
  /** 1: rows without a value. 0: rows with a value. */
  readonly null?: 0 | 1 | boolean;
}

interface TextMatch {
  readonly contains?: string;
  readonly starts?: string;
  readonly ends?: string;
}

/** A number column: a value, one of several, no value, or comparisons. */
export type NumberFilter = number | readonly number[] | null | Compared<number>;
/** A column of exact decimals: a text such as `12.50` or a number, one of several, no value, or comparisons. */
export type DecimalFilter = string | number | readonly (string | number)[] | null | Compared<string | number>;
/** The key of a tree's parent: as {@link NumberFilter}, or the id of a row that is anywhere above or below. */
export type TreeFilter =
  | NumberFilter
  | (Compared<number> & {
      /** Rows anywhere below the row of this id, without it. */
      readonly below?: number;
      /** Rows anywhere above the row of this id, without it. */
      readonly above?: number;
    });
/** A column of yes and no. */
export type FlagFilter = 0 | 1 | boolean | null | Compared<0 | 1 | boolean>;
/**
 * A text column: a value, one of several, no value, comparisons, or `contains`, `starts`, `ends`. Dates are texts: `2026`, `2026-01` and `2026-01-31` mean their first moment, or their last for an inclusive
 * upper bound.
 */
export type TextFilter<T extends string = string> = T | readonly T[] | null | (Compared<T> & TextMatch);
/** A JSON column with a list: one of its items, or no value at all. */
export type ListFilter = null | { readonly has?: string; readonly null?: 0 | 1 | boolean };
/** A key within a JSON column. */
export type PathFilter = string | number | boolean | null | Compared<string | number | boolean>;
/** 1: rows without related rows. 0: rows with related rows. */
export type PresenceFilter = null | { readonly null?: 0 | 1 | boolean };
/** Rows that are linked with this row, by its id. */
export type LinkFilter = number | readonly number[] | { readonly eq?: number; readonly in?: readonly number[] };
/** 1 (default): active rows. 0: removed rows only. `any`: both. */
export type ActiveFilter = 0 | 1 | boolean | 'any';
/** Columns in order; `-` sorts descending. */
export type Sorted<C extends string> =
  | C
  | `-${C}`
  | readonly (C | `-${C}`)[]
  | { readonly [K in C]?: 'ASC' | 'DESC' | 'asc' | 'desc' };

/** Parameters of every search. */
export interface PageInput {
  /** Rows per page. */
  readonly limit?: number;
  /** Rows to skip. */
  readonly offset?: number;
  /** Cursor of the last answer: returns the rows after it. */
  readonly after?: string;
  /** Cursor of the last answer: returns the rows before it. */
  readonly before?: string;
  /** 0 omits the count, 1 counts all rows, and a greater number counts up to there. Default 1. */
  readonly total?: number;
}

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
