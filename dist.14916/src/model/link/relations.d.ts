import { type Definitions } from '../definitions.ts';
import type { RelationModel } from '../model.ts';
import type { Relation } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
type Drafts = ReadonlyMap<string, SchemaDraft>;
type Storage = Pick<RelationModel, 'table' | 'sourceColumn' | 'targetColumn'>;
type Place = Pick<SchemaDraft, 'table' | 'primary'>;
/** Table and columns of a relation: see {@link RelationModel}. */
export declare function toStorage(relation: Pick<Relation, 'kind' | 'name'>, source: Place, target: Place): Storage;
/** Computes all relations, adds them to both ends, and reports those that cannot be stored. */
export declare function linkRelations(definitions: Definitions, drafts: Drafts, report: Report): void;
export {};
