import { type Draft } from './draft.ts';
import type { SourceColumn } from './source-column.ts';
import type { SourceRelated } from './source-related.ts';
/** What a filter's name refers to. */
export interface Place {
    /** Undefined if the name is a relation: the condition asks whether a related row exists. */
    readonly column: SourceColumn | undefined;
    readonly within?: SourceRelated;
    /** True for the id of a related row: it supports only `eq` and `in`. */
    readonly isLink?: boolean;
    /** Path within a JSON column, in the databases' syntax. */
    readonly path?: string;
}
type Asking = Pick<Draft, 'source' | 'isRule'>;
/** Resolves a filter's name: a column, `column.key` within JSON, an id of related rows, or `relation.column`. */
export declare function findPlace(name: string, asking: Asking): Place | undefined;
/** As {@link findPlace}, but with the columns that the view hides: for filters set by code. */
export declare function findHidden(name: string, { source, isRule }: Asking): Place | undefined;
/**
 * Why a request cannot filter by this name, with the remedy. `hidesBack` keeps relations that only point back
 * here out of the message.
 */
export declare function describePlace(name: string, draft: Draft, hidesBack: boolean): string;
export {};
