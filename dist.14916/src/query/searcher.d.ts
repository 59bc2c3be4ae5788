import type { RowPredicate, WriteRule } from '../core/access.ts';
import { TreadleError } from '../core/errors.ts';
import type { Database, Dialect, Row } from '../database/database.ts';
import type { Model } from '../model/model.ts';
import type { IsBrought } from './draft.ts';
import { type Fragment } from './operator.ts';
import { type Source } from './source.ts';
import { type View } from './view.ts';
type Input = Readonly<Record<string, unknown>>;
/** What the caller may reach: a grant's rows and columns, and what relations show. Default: all. */
export interface Reach extends View {
    readonly rows?: RowPredicate | undefined;
    /** Names of the columns that a request may write. */
    readonly write?: ReadonlySet<string> | undefined;
    /** The rules that add up to it, where they differ in what may be written to which rows. */
    readonly rules?: readonly WriteRule[] | undefined;
    /** What a row must match after a write. Default as `rows`. */
    readonly after?: RowPredicate | undefined;
    /** A rule compares with the time: a total is not remembered. */
    readonly isTimed?: boolean | undefined;
}
export interface SearchOptions extends Reach {
    /**
     * Tells which parameters came with the request: they reach no removed or back-related rows. Default: none.
     */
    readonly isBrought?: IsBrought;
    /** True if a request's parameters may ask for removed rows. Default false. */
    readonly isRemovedOpen?: boolean;
}
interface DetailOptions extends Reach {
    /** True to also return a removed row. Default false. */
    readonly includesRemoved?: boolean;
    /** Names of the relations to load. Default: all. */
    readonly relations?: readonly string[] | undefined;
}
export interface Searched {
    readonly rows: readonly Row[];
    /** Number of rows on all pages; undefined with `total=0`. */
    readonly total?: number;
    /** Cursor for `after`, if there is a next page. */
    readonly next?: string;
    /** Cursor for `before`, if there may be a previous page. */
    readonly previous?: string;
}
/** The faults of a search: `validation` by parameter; the message is the first fault. */
export declare class SearchError extends TreadleError {
    readonly validation: Readonly<Record<string, string>>;
    constructor(validation: Readonly<Record<string, string>>);
}
/** Searches the rows of a model's schemas. */
export interface Searcher {
    /** @throws SEARCH_INVALID (400, a {@link SearchError}). @throws SEARCH_SCHEMA_UNKNOWN (400). */
    search(database: Database, schema: string, input: Input, options?: SearchOptions): Promise<Searched>;
    /** One row by a column's value, with its relations, or undefined. @throws SEARCH_SCHEMA_UNKNOWN (400). */
    detail(database: Database, schema: string, by: {
        readonly column: string;
        readonly value: unknown;
    }, options?: DetailOptions): Promise<Row | undefined>;
    /** The ids for which the predicate holds, removed rows included. Without a predicate, all ids. */
    reached(database: Database, schema: string, ids: readonly number[], rows: RowPredicate | undefined): Promise<ReadonlySet<number>>;
    /** The predicate as a test on the alias `t`, for a write. Undefined if every row matches. */
    held(dialect: Dialect, schema: string, rows: RowPredicate | undefined): HeldRows | undefined;
    /** What a search can use of a schema through a view. @throws SEARCH_SCHEMA_UNKNOWN (400). */
    source(schema: string, view?: View): Source;
}
/** A test with slots as parameters, and the values for the slots. */
export interface HeldRows {
    /** Identifies the test among others of its schema. */
    readonly key: string;
    readonly test: Fragment;
    readonly values: readonly unknown[];
}
/** Creates the searcher of a model. */
export declare function createSearcher(model: Model): Searcher;
/** The searcher of a model, shared since it caches compiled statements; lives as long as the model. */
export declare const getSearcher: (key: Model) => Searcher;
export {};
