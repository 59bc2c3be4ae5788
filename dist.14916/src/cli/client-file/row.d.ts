import type { Json } from '../../model/value-schema.ts';
import { type ComponentNames } from './type.ts';
/** The types of a schema's rows: whole, and with relations. */
export interface RowTypes {
    readonly name: string;
    /** Primary key. */
    readonly key: string;
    /** Relation names that `expand` takes. */
    readonly relations: readonly string[];
}
/** The types of a document. */
export interface TypeBook {
    readonly names: ComponentNames;
    /** By the component of a search's rows or a detail. */
    readonly rows: ReadonlyMap<string, RowTypes>;
    readonly text: string;
}
/** Types of every row that the API returns. A document without the `-columns` components has none. */
export declare function toTypeBook(document: Json): TypeBook;
