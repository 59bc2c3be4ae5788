import type { Model, SchemaModel } from '../model/model.ts';
import { type SourceColumn } from './source-column.ts';
/** Related rows that a filter can use, as a set of keys: `t.<side> in (select <key> from …)`. */
export interface SourceRelated {
    readonly name: string;
    /** Column of the searched table. */
    readonly side: string;
    /** Table and column of the set. The table's alias is `l` if it is a join table that joins `r`, else `r`. */
    readonly table: string;
    readonly key: string;
    /** The related table, if a join table refers to it by this column. */
    readonly through: {
        readonly table: string;
        readonly column: string;
        readonly primary: string;
    } | undefined;
    /** The `active` column of the related rows; removed ones match nothing. */
    readonly active: string | undefined;
    /** True if the relation only points back here and is not shown on this side: only code may filter by it. */
    readonly isBack: boolean;
    /** Schema of the related rows, and the column under the alias `r` that holds their key. */
    readonly target: string;
    readonly targetKey: string;
    /** The filterable columns of the related rows. */
    readonly columns: ReadonlyMap<string, SourceColumn>;
}
/** Relations of a schema in both directions, by the name in `filter[name.column]`. */
export declare function listRelated(model: Model, schema: SchemaModel): Map<string, SourceRelated>;
/**
 * Ids of related rows that are not columns of the searched table, by name: lists, and relations that point here.
 */
export declare function listLinks(model: Model, schema: SchemaModel): Map<string, SourceRelated>;
