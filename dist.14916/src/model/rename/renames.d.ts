import type { Definitions } from '../definitions.ts';
/** Current names by former ones. */
export type Names = ReadonlyMap<string, string>;
/** The current keys of one schema's rows. */
export interface RowRenames {
    readonly columns: Names;
    readonly relations: Names;
    readonly computed: Names;
}
/** Everything that a rename of a schema, field or relation changes: columns, keys and lists of rows. */
export interface Renames {
    /** By the schema's former name. */
    readonly bySchema: ReadonlyMap<string, RowRenames>;
    /** Names that can be replaced anywhere. */
    readonly columns: Names;
    readonly relations: Names;
    /** Former names that something else still has: only a place with a known schema distinguishes them. */
    readonly unsure: ReadonlySet<string>;
}
/**
 * Compares the rows of two sets of definitions.
 *
 * @param toFormer Maps a schema's name in `after` to its name in `before`.
 */
export declare function compareRowKeys(before: Definitions, after: Definitions, toFormer: (schema: string) => string): Renames;
/** No renames: for definitions other than schemas, fields and relations. */
export declare const noRenames: Renames;
/** The current name of a word in a place about rows of these schemas; else its current name anywhere. */
export declare function toPresent(renames: Renames, word: string, place: RowPlace): string;
/** The rows that a text is about. */
export interface RowPlace {
    /** Former names. */
    readonly schemas: readonly string[];
    /** True if relations and computed values count too. */
    readonly isExpression: boolean;
}
