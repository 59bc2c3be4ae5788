import type { RowPredicate } from '../core/access.ts';
import type { RelationModel } from '../model/model.ts';
import { type Aggregate } from './aggregate.ts';
import type { Condition } from './condition.ts';
import { type Order } from './cursor.ts';
import { type ActiveWanted, type DraftOptions } from './draft.ts';
import { type RowTest, type SeeRelated, type Sight } from './predicate.ts';
import type { Source, SourceColumn } from './source.ts';
import { type Words } from './words.ts';
/** Limits on the size of a page. */
export interface Limits {
    /** Default of `limit`. */
    readonly pageRows: number;
    readonly maxPageRows: number;
    /** Maximum related rows that `expand` may return. */
    readonly expandRows: number;
}
export interface ParseOptions extends DraftOptions {
    readonly limits: Limits;
    /** The rows that may be found. Default all. */
    readonly rows?: RowPredicate | undefined;
    /** The related rows that may be seen. Default all. */
    readonly see?: SeeRelated | undefined;
    /** Gives the source of a related schema. */
    readonly toSource: (schema: string) => Source;
}
/** A parsed search: its shape (`key`), separate from the values to bind. */
export interface Search {
    readonly source: Source;
    /** Searches with the same key share one statement. */
    readonly key: string;
    /** The part of the key that the count depends on. */
    readonly countKey: string;
    readonly conditions: readonly Condition[];
    /** The rows that may be found; undefined for all. */
    readonly rows: RowTest | undefined;
    /** The related rows that may be seen. */
    readonly sight: Sight;
    /** Active rows only, removed rows only, or both. */
    readonly active: ActiveWanted;
    /** Undefined without `q`. */
    readonly words: Words | undefined;
    readonly order: readonly Order[];
    readonly cursor: Cursor | undefined;
    /** Requested columns; undefined for all. */
    readonly fields: readonly SourceColumn[] | undefined;
    readonly expand: readonly RelationModel[];
    /** Undefined if rows are not grouped. */
    readonly aggregate: Aggregate | undefined;
    readonly hasTotal: boolean;
    readonly limit: number;
    readonly offset: number;
    /** Index of the row limit; then the offset, then the sum of both. */
    readonly limitSlot: number;
    readonly values: readonly unknown[];
}
/** The position where a page starts. */
export interface Cursor {
    readonly direction: 'after' | 'before';
    /** Index of its first value; one value per column of the order. */
    readonly slot: number;
    /** Which of its values are null; they need another condition. */
    readonly nulls: readonly boolean[];
}
type Input = Readonly<Record<string, unknown>>;
/**
 * Parses a search from a stage or a query string.
 *
 * @returns the search, or its faults by parameter: an unknown column (with "did you mean"), a `limit` out of
 * bounds.
 */
export declare function parseSearch(source: Source, input: Input, options: ParseOptions): {
    readonly search: Search;
} | {
    readonly faults: Readonly<Record<string, string>>;
};
export {};
