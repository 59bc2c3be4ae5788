import type { Model, SchemaModel } from '../../model/model.ts';
import { type FieldsetNames } from './value.ts';
/** Type names of a project. */
export interface TypeNames {
    readonly schemas: ReadonlyMap<string, string>;
    readonly fieldsets: FieldsetNames;
}
/** The types of one schema. */
export declare function printSchema(schema: SchemaModel, model: Model, names: TypeNames): string;
/** The schema's entry in the package's interface of the project's schemas. */
export declare function printEntry(schema: SchemaModel, names: TypeNames): string;
