import type { Model, SchemaModel } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
export declare const schemaRef: (name: string) => Json;
export declare const responseRef: (name: string) => Json;
export declare const parameterRef: (name: string) => Json;
export declare const headerRef: (name: string, isNeeded?: boolean) => Json;
/** Component names of a schema: its whole row, some of a row's columns, and a row with its relations. */
export declare const rowName: (schema: SchemaModel) => string;
export declare const columnsName: (schema: SchemaModel) => string;
export declare const detailName: (schema: SchemaModel, model: Model) => string;
/** JSON Schemas of a schema's row: some columns, all columns, and with its relations if it has any. */
export declare function toRowSchemas(schema: SchemaModel, model: Model): Record<string, Json>;
/** Schemas that a call or hook shows, and the schemas that they refer to. Others stay private. */
export declare function listShownSchemas(model: Model, names: Iterable<string | undefined>): SchemaModel[];
