import type { Definitions } from '../definitions.ts';
import { type NameChange, type Renamed } from './apply.ts';
export interface SchemaRenameOptions {
    /** True to rename paths and names of REST calls too; clients of the API must be told. Default false. */
    readonly isWithPaths?: boolean;
}
/** Renames a schema, and everything that names it, its columns or its lists. */
export declare function renameSchema(definitions: Definitions, from: string, to: string, options?: SchemaRenameOptions): Renamed;
/** Renames a field of a schema, and everything that names it or its column. */
export declare function renameField(definitions: Definitions, schemaName: string, from: string, to: string): Renamed;
/** Renames a field of a fieldset. Stored groups keep the former name in their JSON. */
export declare function renameGroupField(definitions: Definitions, fieldset: string, from: string, to: string): Renamed;
/** Renames a relation of a schema, and everything that names it or its key. */
export declare function renameRelation(definitions: Definitions, schemaName: string, from: string, to: string): Renamed;
/** Renames a definition other than a schema, and the entries of lists that name it. */
export declare function renameDefinition(definitions: Definitions, { kind, from, to }: NameChange): Renamed;
