import type { Model, RelationModel, SchemaModel } from '../model/model.ts';
import { type SourceColumn } from './source-column.ts';
import { type SourceRelated } from './source-related.ts';
export type { SourceColumn } from './source-column.ts';
/** A search index: of the searched table, or of a table joined 1:1. */
export interface SourceWords {
    /** Table of the index. */
    readonly table: string;
    /** Foreign key in the searched table; undefined for its own index. */
    readonly foreign: string | undefined;
    /** Schema of the indexed rows. */
    readonly schema: string;
    /** The indexed columns. */
    readonly columns: readonly string[];
}
interface SourceJoin {
    readonly schema: string;
    readonly alias: string;
    readonly table: string;
    /** Foreign key in the searched table, and the primary key that it refers to. */
    readonly foreign: string;
    readonly primary: string;
}
/** A filterable column of a 1:1 relation: the filter finds rows by the keys of the joined table. */
interface SourceFlat {
    readonly column: SourceColumn;
    readonly within: SourceRelated;
}
/** What a search can use of a schema, computed once per model: a request only looks up names. */
export interface Source {
    readonly schema: SchemaModel;
    /** The schema's name; for a view also its number. First part of each statement's key. */
    readonly key: string;
    /** For a view that hides columns: the source with all columns. Undefined if nothing is hidden. */
    readonly whole: Source | undefined;
    /** Own columns, then those of the 1:1 relations, without passwords. */
    readonly columns: ReadonlyMap<string, SourceColumn>;
    /** Those of the columns that every row shows, so that groups and sums may be made of them. */
    readonly sure: ReadonlyMap<string, SourceColumn>;
    readonly filterable: ReadonlyMap<string, SourceColumn>;
    /** Filterable columns of the 1:1 relations. */
    readonly flat: ReadonlyMap<string, SourceFlat>;
    readonly sortable: ReadonlyMap<string, SourceColumn>;
    /** Columns that `q` searches: own, then those of the 1:1 relations. */
    readonly searchable: readonly SourceColumn[];
    /** The indexes that `q` uses; empty if nothing is searchable. */
    readonly words: readonly SourceWords[];
    /** True if `q` is refused, because its index contains columns that the view hides. */
    readonly hidesWords: boolean;
    /** Relations that can be filtered by id: `filter[topic_id]` on articles linked with topics. */
    readonly links: ReadonlyMap<string, SourceRelated>;
    /** Relations in both directions that can be filtered by a column: `filter[comment.comment_detail]`. */
    readonly related: ReadonlyMap<string, SourceRelated>;
    readonly joins: readonly SourceJoin[];
    /** Relations that detail and `expand` add, by name: all but 1:1, which rows already contain. */
    readonly relations: ReadonlyMap<string, RelationModel>;
    /** Names of JSON columns. Most schemas have none; then rows need no decoding. */
    readonly json: readonly string[];
    readonly primary: SourceColumn;
    readonly active: SourceColumn | undefined;
    /** Column with the owner's profile; undefined if rows have no owner. */
    readonly owner: SourceColumn | undefined;
}
/**
 * The column with the profile that a row belongs to: the profile's own key, else the schema's 1:1 (preferred) or
 * 1:0 to `profile`. Undefined if rows have no owner.
 */
export declare function findOwnerColumn(schema: SchemaModel): string | undefined;
/** Computes what a search can use of a schema. */
export declare function compileSource(model: Model, schema: SchemaModel): Source;
