import type { SchemaModel } from './model.ts';
import type { Field } from './shape.ts';
type Row = Readonly<Record<string, unknown>>;
/** A computed value of a row, defined by the format of a field. */
export interface Computed {
    /** The field's own name, without the schema's. */
    readonly name: string;
    readonly format: 'formula' | 'custom';
    readonly field: Field;
    compute(row: Row): number | string | null;
}
/**
 * The computed values of a schema's rows, in the order of its fields. A column or relation of the same name
 * wins.
 */
export declare const listComputed: (key: SchemaModel) => readonly Computed[];
/** A whole row with its computed values; an incomplete row stays as it is. */
export declare function withComputed(schema: SchemaModel, row: Row): Row;
export {};
