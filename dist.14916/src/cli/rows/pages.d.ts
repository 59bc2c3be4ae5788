import type { Database } from '../../database/database.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
type Row = Record<string, unknown>;
export interface Wanted {
    /** Conditions `column=value` or `column[op]=value`. */
    readonly filters: readonly string[];
    readonly q: string | undefined;
    readonly sort: string | undefined;
    /** Columns; without any, all except passwords. */
    readonly fields: readonly string[];
    readonly hasRemoved: boolean;
}
/** The search that selects the exported rows, without its page. */
export declare function toSearch(schema: SchemaModel, wanted: Wanted): Row;
/** A relation's ids in a file. */
export interface ListColumn {
    readonly key: string;
    readonly relation: RelationModel;
}
export declare const listLists: (schema: SchemaModel) => ListColumn[];
export interface PageInput {
    readonly model: Model;
    readonly database: Database;
    readonly schema: SchemaModel;
    readonly search: Row;
    readonly columns: readonly string[];
    readonly lists: readonly ListColumn[];
    readonly hasRemoved: boolean;
}
export declare function countRows({ model, database, schema, search }: PageInput): Promise<number>;
/** Reads all rows of a search, page by page with its cursor, so that memory does not grow with their number. */
export declare function readPages(input: PageInput): AsyncGenerator<readonly Row[]>;
export {};
