import type { Definitions } from '../definitions.ts';
import type { RelationModel, SchemaModel } from '../model.ts';
import type { Source } from '../parse.ts';
import type { Schema } from '../shape.ts';
import type { Report } from './report.ts';
/** A schema being linked: relations are added once all schemas are known. */
export interface SchemaDraft extends Omit<SchemaModel, 'relations' | 'reverse' | 'row' | 'unique'> {
    readonly relations: RelationModel[];
    readonly reverse: RelationModel[];
    readonly source: Source<Schema>;
}
/** Drafts of all schemas by name, without relations. */
export declare function draftSchemas(definitions: Definitions, report: Report): Map<string, SchemaDraft>;
