import type { ColumnModel, Model, RelationModel, SchemaModel } from '../model/model.ts';
/** Conditions for a former name: the name that each of these tables must still have, by its wanted name. */
type Circumstance = Readonly<Record<string, string>>;
/** Names that something may still have, the likeliest first, with the conditions of each. */
export interface Former {
    readonly was?: readonly string[];
    readonly wasUnder?: Readonly<Record<string, readonly Circumstance[]>>;
}
/** Former names of a schema's table. */
export declare function toFormerTable({ was, table }: SchemaModel): Pick<Former, 'was'>;
export declare function toFormerPrimary(schema: SchemaModel): Former;
/**
 * Former names of a field's column. The schema and the field may have been renamed together, or one after the
 * other, with only the first rename done in this database.
 */
export declare function toFormerColumn(schema: SchemaModel, { name, field }: ColumnModel): Former;
/** Former names of a relation's storage: its table (for N:N), and its column at either end. */
export interface FormerStorage {
    readonly table: Former;
    readonly source: Former;
    readonly target: Former;
}
export declare function toFormerStorage(relation: RelationModel, model: Model): FormerStorage;
export {};
