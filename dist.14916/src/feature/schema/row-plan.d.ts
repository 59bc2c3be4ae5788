import { type Clock } from '../../core/clock.ts';
import type { Messages } from '../../core/response.ts';
import { type PrepareTools } from '../../model/field-kind.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { type ValidateMode, type Values } from '../../model/validate.ts';
import { type Stage } from './stage.ts';
/** A foreign key in the schema's own table. */
export interface ForeignKey {
    readonly column: string;
    /** The schema that it refers to. */
    readonly target: SchemaModel;
    /** `one`: 1:1, required. `maybe`: 1:0. `parent`: the child's key of a 1:N. */
    readonly kind: 'one' | 'maybe' | 'parent';
    readonly label: string;
    /** For a value that is no id. */
    readonly message: string;
}
/** A relation by which a create can link the new row, with an id in its stage. */
export interface ChildLink {
    readonly relation: RelationModel;
    readonly target: SchemaModel;
    /** Stage key of the id. */
    readonly key: string;
}
/** How rows of a schema are validated and prepared; compiled once per plan. */
export interface RowPlan {
    readonly schema: SchemaModel;
    readonly foreign: readonly ForeignKey[];
    readonly links: readonly ChildLink[];
    readonly unique: readonly ColumnModel[];
    validate(stage: Stage, mode: ValidateMode, stored?: Stage): Messages;
}
/** Values of a row to store, and the messages of those that were refused. */
export interface Prepared {
    readonly values: Values;
    readonly messages: Messages;
}
export declare function compileRowPlan(model: Model, schema: SchemaModel, clock: Clock): RowPlan;
/** The stage's values of the schema's own columns, with defaults on create. Ignores everything else. */
export declare function toRowValues({ schema }: RowPlan, stage: Stage, mode: ValidateMode, now: number): Values;
/** The stage's foreign keys: ids, or null to clear one, and a message for each invalid id. */
export declare function toForeignValues(plan: RowPlan, stage: Stage, mode: ValidateMode, isPatch?: boolean): Prepared;
/** Ids of the rows to link with a new row. */
export declare function listChildIds(plan: RowPlan, stage: Stage): {
    readonly link: ChildLink;
    readonly id: number;
}[];
/** Adds the values that Treadle sets: times, `active`, uuid and IP address. */
export declare function addSystemValues({ schema }: RowPlan, mode: ValidateMode, tools: PrepareTools, values: Values): void;
/**
 * Prepares valid values for storage: hashes passwords, cleans HTML, stores files, encodes JSON. May be slow, so
 * call it before the transaction.
 */
export declare function prepareRow(plan: RowPlan, values: Values, mode: ValidateMode, tools: PrepareTools): Promise<Prepared>;
