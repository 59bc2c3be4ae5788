import type { Field } from '../../model/shape.ts';
/** Type names of fieldsets, by fieldset. */
export type FieldsetNames = ReadonlyMap<string, string>;
type ToType = (field: Field, fieldsets: FieldsetNames) => string;
/** Keys of a field's options as literals; `string` if it lists none. */
export declare const toChoice: ({ options }: Field) => string;
/** TypeScript of a field's value, without null. */
export declare const toValueType: ToType;
/** TypeScript of a field's input, without null: booleans for yes and no, and lists for rows of a table, are allowed. */
export declare const toInputType: ToType;
export {};
