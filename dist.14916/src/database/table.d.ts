import type { Model, RelationModel } from '../model/model.ts';
import type { Field } from '../model/shape.ts';
import type { Dialect, SystemTable } from './database.ts';
import { type Former } from './table-former.ts';
export type OnDelete = 'restrict' | 'cascade' | 'set null';
export interface TableReference {
    readonly table: string;
    readonly column: string;
    readonly onDelete: OnDelete;
}
export interface TableColumn {
    readonly name: string;
    /** In the dialect's syntax: `integer`, `text`, `real`. */
    readonly type: string;
    readonly isRequired: boolean;
    readonly default?: string | number;
    readonly references?: TableReference;
    /** Former names after a rename of a schema, field or relation; the likeliest first. */
    readonly was?: readonly string[];
    /** When each former name applies; names not listed always do. */
    readonly wasUnder?: NonNullable<Former['wasUnder']>;
    /** The parts of the field's definition that determine its values; absent for keys and system tables. */
    readonly field?: FieldNote;
    /** Value for existing rows without one in a required column: in stored form, or `NOW()`. */
    readonly fill?: string | number;
    /** Place in the definition file, for problems. */
    readonly path?: string;
    /** True if no definition names it any more. It stays with its values until a migration may lose them. */
    readonly isLeft?: true;
}
/** The parts of a field's definition that its stored values depend on. */
export type FieldNote = Pick<Field, 'type' | 'attributes' | 'options' | 'columns' | 'multiple' | 'fieldset'>;
export interface TableIndex {
    readonly name: string;
    readonly columns: readonly string[];
    readonly isUnique: boolean;
    /** PostgreSQL: nulls first, except for the last of several columns, which is a key and has no nulls. */
    readonly isNullsFirst?: boolean;
    /** A partial index: of rows with 1 in this column. */
    readonly only?: string | undefined;
}
/** A table as the model or a feature needs it. */
export interface Table {
    readonly name: string;
    readonly columns: readonly TableColumn[];
    readonly primaryKey: readonly string[];
    /** True if the primary key is auto-incremented and never reused. */
    readonly isCounting: boolean;
    readonly indexes: readonly TableIndex[];
    /** Columns that `q` searches; absent if there are none. */
    readonly words?: readonly string[];
    /** Those of {@link words} with HTML or Markdown; tags are not words. */
    readonly markup?: readonly string[];
    /** Former names; the likeliest first. */
    readonly was?: readonly string[];
    /** When each former name applies; names not listed always do. */
    readonly wasUnder?: NonNullable<Former['wasUnder']>;
    /** Definition file, for problems. */
    readonly file?: string;
    /** True if no definition names it any more. It stays with its rows until a migration may lose them. */
    readonly isLeft?: true;
}
/** Column type of a field; undefined if it has none. */
type ColumnTyper = (field: Field, dialect: Dialect) => string | undefined;
export interface TableOptions {
    readonly dialect: Dialect;
    /** Default: the model's own. */
    readonly columnType?: ColumnTyper;
}
/**
 * Every table of a model and of the features.
 *
 * Removing a row: 1:1 restricts, 1:0 and 1:N clear, N:N cascades, unless the relation has `onRemove`.
 */
export declare function toTables(model: Model, system: readonly SystemTable[], options: TableOptions): Table[];
/** Names of the tables with rows of the model, including join tables. */
export declare const listCounted: (tables: readonly Table[]) => string[];
/** What happens to a row when the row that it refers to is removed. */
export declare function toOnDelete(relation: RelationModel): OnDelete;
/** Converts a feature's table. */
export declare function toSystemTable(table: SystemTable, dialect: Dialect): Table;
export {};
