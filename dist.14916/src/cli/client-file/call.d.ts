import type { Json } from '../../model/value-schema.ts';
import type { TypeBook } from './row.ts';
/** An operation of the document, with references resolved. */
export interface Operation {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly tag: string;
    readonly definition: Json;
    readonly parameters: readonly Json[];
}
/** Every operation, in the document's order. */
export declare function listOperations(document: Json): Operation[];
declare const toCamel: (name: string) => string;
export declare const toPropertyName: typeof toCamel;
/**
 * Method names of a group: the call's name without the group's (`public-article-search` of `article`:
 * `publicSearch`).
 */
export declare function toMethodNames(operations: readonly Operation[]): Map<Operation, string>;
/** The text of a method, its types, and the method that yields all rows of a search. */
export declare function printMethod(operation: Operation, name: string, book: TypeBook): {
    types: string;
    text: string;
};
export {};
