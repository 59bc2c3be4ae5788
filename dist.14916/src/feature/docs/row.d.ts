import type { Model, SchemaModel } from '../../model/model.ts';
import { type Json } from '../../model/value-schema.ts';
/** One key of a row in an answer. */
export interface RowKey {
    readonly name: string;
    readonly schema: Json;
    readonly sample: unknown;
    readonly description: string;
    /** True if only search and detail compute it: answers to writes and nested rows do not have it. */
    readonly isComputed?: boolean;
}
/** A list or an object under a relation's name, in a detail. */
export interface RowBranch {
    readonly name: string;
    readonly target: SchemaModel;
    readonly isList: boolean;
}
/** The keys of a row: its own columns, its foreign keys, and the columns of its 1:1 relations. */
export declare function listRowKeys(schema: SchemaModel, model: Model): RowKey[];
/** The relations in a detail: 1:0 as an object or null, 1:N and N:N as lists. */
export declare function listBranches(schema: SchemaModel, model: Model): RowBranch[];
/** An example row of the schema. */
export declare function toSampleRow(schema: SchemaModel, model: Model): Json;
/** An example detail of the schema. */
export declare function toSampleDetail(schema: SchemaModel, model: Model): Json;
