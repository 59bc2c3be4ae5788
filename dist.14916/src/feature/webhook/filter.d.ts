import type { SourceColumn } from '../../query/source.ts';
/** Columns of the rows by name; undefined if the event's results are unknown. */
export type KnownColumns = ReadonlyMap<string, SourceColumn> | undefined;
/** A fault in part of a definition. */
export interface HookFault {
    /** Such as `filter.article_words.gte`. */
    readonly path: string;
    readonly message: string;
    readonly hint?: string;
}
/** A compiled filter: a test for data, and the faults of the definition. */
export interface Filter {
    isPassed(data: unknown): boolean;
    readonly faults: readonly HookFault[];
}
/** Compiles a definition's filter: the grammar of a search, applied to an event's data. */
export declare function compileFilter(filter: Readonly<Record<string, unknown>> | undefined, columns: KnownColumns): Filter;
