import type { Emitted } from '../../core/bus/bus.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import type { TreadleEvents } from '../generated/event-types.ts';
import type { Sorted } from './typed-filter.ts';

/**
 * The project's schemas by name. Empty here: the file written by `treadle types` extends it, and then {@link
 * Emit} knows the columns. Without that file everything compiles untyped.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the project's own file extends it; a type cannot be extended.
export interface Schemas {}

/**
 * The events that the project's code declares by `app.event`, with their stages and results. Empty here: the file written by `treadle
 * types` extends it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the project's own file extends it; a type cannot be extended.
export interface Events {}

/** The keys of `custom` in the project's settings. Empty here: the file written by `treadle types` extends it. */
// biome-ignore lint/suspicious/noEmptyInterface: the project's own file extends it; a type cannot be extended.
export interface CustomSettings {}

/** The project's own settings, typed once `treadle types` has written its file. */
export type Custom = [keyof CustomSettings] extends [never]
  ? Readonly<Record<string, unknown>>
  : Readonly<CustomSettings>;

/** Names of the project's schemas; never until `treadle types` has written its file. */
export type SchemaName = Extract<keyof Schemas, string>;

/** Events with a stage and results that depend on a schema. */
export type ModelEvent =
  | 'system-model-search'
  | 'system-model-detail'
  | 'system-model-create'
  | 'system-model-update'
  | 'system-model-remove'
  | 'system-model-restore';

/** A value that is only read: its lists may be those of somebody else. */
export type ReadOnly<T> = unknown extends T
  ? T
  : T extends readonly unknown[] | { readonly [key: string]: unknown }
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T;

type UntypedStage = Readonly<Record<string, unknown>>;
/** The stage or the results of an event that the project declares, or of Treadle's own. */
type EventPart<E, P extends 'stage' | 'results', Other> = E extends keyof Events
  ? Events[E] extends Readonly<Record<P, infer V>>
    ? V
    : Other
  : E extends keyof TreadleEvents
    ? TreadleEvents[E][P]
    : Other;
type Part<S, P extends string> =
  (S extends SchemaName ? Schemas[S] : S) extends Readonly<Record<P, infer V>> ? V : never;
type Name<S extends SchemaName, P extends string> = Extract<keyof Part<S, P>, string>;

type TableName<S extends SchemaName> = Part<S, 'table'> extends { readonly name: infer N extends string } ? N : never;

/** The tables of the project's schemas with their stored columns, for `app.query`. Untyped without the file of `treadle types`. */
export type Tables = [SchemaName] extends [never]
  ? Record<string, Record<string, unknown>>
  : { [S in SchemaName as TableName<S>]: Part<S, 'table'> extends { readonly row: infer R } ? R : never };

/** A row as a search returns it: own columns, keys, and the columns of 1:1 relations. */
export type RowOf<S extends SchemaName> = Part<S, 'row'>;
/** A row with its relations. */
export type DetailOf<S extends SchemaName> = Part<S, 'row'> & Part<S, 'relations'>;

interface Stages<S extends SchemaName> {
  readonly 'system-model-search': Part<S, 'search'>;
  readonly 'system-model-detail': Part<S, 'key'> & ShownInput<S>;
  readonly 'system-model-create': Part<S, 'create'>;
  readonly 'system-model-update': Part<S, 'key'> & Part<S, 'update'>;
  readonly 'system-model-remove': Part<S, 'key'>;
  readonly 'system-model-restore': Part<S, 'key'>;
}

interface ShownInput<S extends SchemaName> {
  readonly fields?: readonly (Name<S, 'row'> | Name<S, 'relations'> | `${Name<S, 'relations'>}.${string}`)[];
  readonly expand?: Part<S, 'search'> extends { readonly expand?: infer X } ? X : never;
  /** `any` in the `active` column returns a removed row too. */
  readonly filter?: Part<S, 'search'> extends { readonly filter?: infer F } ? F : never;
}

type GroupName<S extends SchemaName, P extends 'by' | 'times' | 'sums' | 'ends'> = Extract<
  Part<Part<S, 'groups'>, P>,
  string
>;
type Grouping<S extends SchemaName> =
  | GroupName<S, 'by'>
  | `${GroupName<S, 'times'>}:${'hour' | 'day' | 'week' | 'month' | 'year'}`;

/** A search that groups rows: it has no page of rows, and sorts by columns of the groups. */
type GroupStage<S extends SchemaName> = Omit<Part<S, 'search'>, 'sort' | 'fields' | 'expand' | 'after' | 'before'> & {
  readonly group?: Grouping<S> | readonly Grouping<S>[];
  readonly sum?: GroupName<S, 'sums'>;
  readonly average?: GroupName<S, 'sums'>;
  readonly count?: 1 | true | Name<S, 'row'>;
  readonly least?: GroupName<S, 'ends'>;
  readonly greatest?: GroupName<S, 'ends'>;
  readonly sort?: Sorted<GroupName<S, 'by'> | 'count' | 'total' | 'average' | 'least' | 'greatest'>;
  readonly fields?: never;
  readonly expand?: never;
};

/**
 * The stage of an event on a schema. A schema that is known only at run time (`string`) accepts any stage.
 *
 * @template Grouped True if the search groups rows.
 */
export type StageOf<E extends string, S, Grouped extends boolean = false> = E extends ModelEvent
  ? string extends S
    ? UntypedStage
    : [SchemaName] extends [never]
      ? UntypedStage
      : S extends SchemaName
        ? { readonly schema: S } & (E extends 'system-model-search'
            ? Grouped extends true
              ? GroupStage<S>
              : Stages<S>[E]
            : Stages<S>[E])
        : { readonly schema: SchemaName }
  : ReadOnly<EventPart<E, 'stage', UntypedStage>>;

/** The results of a search. */
export interface Found<Row> {
  /** The rows of this page. */
  readonly rows: Row[];
  /** Number of rows on all pages; absent with `total: 0`. */
  readonly total?: number;
  /** True if the count stopped at the number that `total` asked for, and there are more rows. */
  readonly total_more?: true;
  /** Cursor for `after`, if there is a next page. */
  readonly next?: string;
  /** Cursor for `before`, if there may be a previous page. */
  readonly previous?: string;
}

type Keys<S extends SchemaName, F extends string> = Extract<F | Part<S, 'primary'>, keyof DetailOf<S>>;
/** The key of what a name in `expand` adds: `below` for `below:3`, `parent_below` for `parent.below`, `comment` for `comment.profile`. */
type ExpandKey<X extends string> = X extends `${infer R}.${infer D}`
  ? PlainName<D> extends 'above' | 'below'
    ? `${R}_${PlainName<D>}`
    : R
  : PlainName<X>;
type Relations<S extends SchemaName, X extends string> = Pick<
  Part<S, 'relations'>,
  Extract<ExpandKey<X>, keyof Part<S, 'relations'>>
>;
type SearchRow<S extends SchemaName, F extends string, X extends string> = ([F] extends [never]
  ? RowOf<S>
  : Pick<RowOf<S>, Extract<Keys<S, F>, keyof RowOf<S>>>) &
  Relations<S, X>;
type DetailRow<S extends SchemaName, F extends string, X extends string> = [F] extends [never]
  ? [X] extends [never]
    ? DetailOf<S>
    : RowOf<S> & Relations<S, X>
  : Pick<DetailOf<S>, Keys<S, F | ExpandKey<X>>>;

/**
 * The results of an event on a schema. For the form with request and response:
 * `response.getResults<ResultsOf<'system-model-search', 'article'>>()`.
 *
 * @template F Names in `fields`, if only some columns are selected.
 * @template X Names in `expand`.
 */
export type ResultsOf<
  E extends string,
  S extends string = string,
  F extends string = never,
  X extends string = never,
> = E extends ModelEvent
  ? S extends SchemaName
    ? E extends 'system-model-search'
      ? Found<SearchRow<S, F, X>>
      : E extends 'system-model-detail'
        ? DetailRow<S, F, X>
        : RowOf<S>
    : unknown
  : EventPart<E, 'results', unknown>;

interface TypedResults<R> {
  getResults(): R | undefined;
  getResults<K extends keyof R>(key: K): R[K] | undefined;
  /** A key that these results never have. */
  getResults(key: string): undefined;
}

/** A response with typed results; undefined if the event set an error. */
export type ResponseOf<R> = unknown extends R ? Response : TypedResults<R> & Response;

/** The parts of a stage that determine the columns of its rows, kept as literal types. */
interface StageParts<S, F, X, G, M, C, A, L, H> {
  readonly schema?: S;
  readonly fields?: F;
  readonly expand?: X;
  readonly group?: G;
  readonly sum?: M;
  readonly average?: A;
  readonly count?: C;
  readonly least?: L;
  readonly greatest?: H;
}

type ListedName<T> = T extends readonly (infer N)[] ? Extract<N, string> : Extract<T, string>;
type HasNoGroups<G, M, C, A, L, H> = [G | M | C | A | L | H] extends [never] ? true : false;
/** What a column adds up to: text of decimals. */
type Total<S extends SchemaName, M> = M extends keyof RowOf<S>
  ? [NonNullable<RowOf<S>[M]>] extends [string]
    ? string
    : number
  : number;
type PlainName<T> = T extends `${infer N}:${string}` ? N : T;
/** The least or the greatest value of a column. */
type End<S extends SchemaName, N> = N extends keyof RowOf<S> ? RowOf<S>[N] | null : unknown;
type GroupRow<S extends SchemaName, G, M, A, L, H> = Pick<
  RowOf<S>,
  Extract<PlainName<ListedName<G>>, keyof RowOf<S>>
> & {
  readonly count: number;
} & ([M] extends [never]
    ? unknown
    : {
        /** The exact sum, of decimals as text. Beyond what a number holds it is a text of digits: `Number(total)` rounds it. */
        readonly total: Total<S, M>;
      }) &
  ([A] extends [never]
    ? unknown
    : {
        /** The average of the values that are there, with four digits more than the column: of decimals as text. */
        readonly average: Total<S, A> | null;
      }) &
  ([L] extends [never] ? unknown : { readonly least: End<S, L> }) &
  ([H] extends [never] ? unknown : { readonly greatest: End<S, H> });

type Answer<E extends string, S, F, X, G, M, C, A, L, H> = S extends SchemaName
  ? [E, HasNoGroups<G, M, C, A, L, H>] extends ['system-model-search', false]
    ? Pick<Found<GroupRow<S, G, M, A, L, H>>, 'rows' | 'total' | 'total_more'>
    : ResultsOf<E, S, ListedName<F>, ListedName<X>>
  : E extends ModelEvent
    ? unknown
    : EventPart<E, 'results', unknown>;

/** Emits with a new stage and returns the response. */
export type EmitStage<Options extends readonly unknown[] = []> = <
  E extends string,
  const S = string,
  const F = never,
  const X = never,
  const G = never,
  const M = never,
  const C = never,
  const A = never,
  const L = never,
  const H = never,
>(
  event: E,
  stage: StageParts<S, F, X, G, M, C, A, L, H> &
    StageOf<E, S, HasNoGroups<G, M, C, A, L, H> extends true ? false : true>,
  ...options: Options
) => Promise<ResponseOf<Answer<E, S, F, X, G, M, C, A, L, H>>>;

/**
 * Emits an event.
 *
 * With a request and a response, the listeners receive these. With an object, they receive a new pair with
 * that stage, and the response is returned. Both act for the user or app of the current request.
 */
export type Emit = EmitStage &
  // The form with a stage is the first: TypeScript takes the first form for a call that fits none, and so tells the
  // wrong value alone, without further errors on the response.
  ((event: string, request: Request, response: Response) => Promise<Emitted>);

type RowsParts<S, F, X> = Pick<StageParts<S, F, X, never, never, never, never, never, never>, 'fields' | 'expand'>;
/** A search of every row: without a page. */
type WholeSearch<S> = S extends SchemaName
  ? Omit<Part<S, 'search'>, 'limit' | 'offset' | 'after' | 'before' | 'total'>
  : UntypedStage;
type RowsSearch<S> = WholeSearch<S> & { readonly limit?: number };

/** Reads every row of a search, one page after the other. */
export type ReadRows = <const S extends string, const F = never, const X = never>(
  schema: S,
  search?: RowsParts<S, F, X> & RowsSearch<S>,
) => AsyncGenerator<
  S extends SchemaName ? SearchRow<S, ListedName<F>, ListedName<X>> : Record<string, unknown>,
  void,
  undefined
>;

/** Reads one value of all rows of a search. */
export type ReadValue<V> = <const S extends string, const F = never, const X = never>(
  schema: S,
  search?: RowsParts<S, F, X> & WholeSearch<S>,
) => Promise<V>;

/** What names one row of a schema: its primary key, a unique column, or the columns of a unique rule. */
type UniqueOf<S> = S extends SchemaName
  ? [Part<S, 'unique'>] extends [never]
    ? Part<S, 'key'>
    : Part<S, 'unique'>
  : UntypedStage;
type ColumnOf<P, C> = C extends keyof P ? P[C] : never;
type WithIncrements<P, U> = {
  readonly [C in keyof P]: P[C] | Extract<ColumnOf<U, C>, { readonly increment: unknown }>;
};
/** The values of a new row besides its key; a number may be an increment. */
type UpsertValues<S, K> = S extends SchemaName
  ? WithIncrements<
      Pick<Part<S, 'create'>, Exclude<keyof Part<S, 'create'> & keyof Part<S, 'update'>, keyof K>>,
      Part<S, 'update'>
    >
  : UntypedStage;

/** The result of `app.upsert`. */
export interface UpsertResult<Row> {
  /** The row as the caller may see it. */
  readonly row: Row;
  /** True if it was created, false if it was there. */
  readonly isNew: boolean;
}

/** Creates a row, or changes the one that has the key. */
export type Upsert = <const S extends string, K extends UniqueOf<S>>(
  schema: S,
  key: K,
  values: UpsertValues<S, K>,
) => Promise<UpsertResult<S extends SchemaName ? RowOf<S> : Record<string, unknown>>>;
