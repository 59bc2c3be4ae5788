import type { ColumnModel, FlatColumn, RowShape, SchemaModel } from './model.ts';
/** The parts of a schema that determine its rows; the schema may still be linking. */
type RowSource = Pick<SchemaModel, 'name' | 'table' | 'primary' | 'columns' | 'relations' | 'reverse'>;
/** Finds a schema by its name. */
type FindSource<S extends RowSource = RowSource> = (name: string) => S | undefined;
/** Primary key, fields and foreign keys of a schema's own table. */
export declare const listStored: (schema: RowSource) => string[];
/** A column of a 1:1 relation; without a name if every name is taken. */
type NamedFlat<S extends RowSource> = Omit<FlatColumn, 'name' | 'target'> & {
    readonly name: string | undefined;
    readonly target: S;
};
/**
 * Names the columns of 1:1 relations in a row: their own name, or `<relation>_<field>` if that is taken, so
 * that a row can have two relations to one schema.
 *
 * @param taken Names already in the row; the new names are added.
 */
export declare function nameFlat<S extends RowSource>(schema: S, find: FindSource<S>, taken: Set<string>, isIn?: (column: ColumnModel) => boolean): Generator<NamedFlat<S>>;
/** Computes the structure of a schema's rows. */
export declare function compileRowShape(schema: RowSource, find: FindSource): RowShape;
export {};
