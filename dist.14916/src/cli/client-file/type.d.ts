import type { Json } from '../../model/value-schema.ts';
/** TypeScript names of a document's schema components, by their own names. */
export type ComponentNames = ReadonlyMap<string, string>;
/** The last part of a reference to a schema component; undefined for anything else. */
export declare const findComponent: (schema: unknown) => string | undefined;
/** A JSON Schema as a TypeScript type; `unknown` if it cannot be expressed. */
export declare function printType(given: unknown, names: ComponentNames): string;
/** The members of an object type, one text each. */
export declare function listMembers(schema: Json, names: ComponentNames): string[];
