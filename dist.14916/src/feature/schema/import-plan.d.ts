import type { ZodType } from 'zod';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../../model/model.ts';
import type { Source } from '../../query/source.ts';
import type { TypedColumn } from './import-sql.ts';
import type { ForeignKey, RowPlan } from './row-plan.ts';
/** An N:N relation in a file: a list of ids under the relation's name. */
export interface LinkColumn {
    readonly relation: RelationModel;
    readonly target: SchemaModel;
    readonly key: string;
}
/** A column that identifies an existing row. */
export interface KeyColumn extends TypedColumn {
    readonly model: ColumnModel | undefined;
}
/** How rows of a schema are imported; computed once per plan. */
export interface ImportPlan {
    readonly rows: RowPlan;
    /** Meaning of each key of a row. `ignored` are columns of 1:1 relations, which searched rows also contain. */
    readonly keys: ReadonlyMap<string, KeyMeaning>;
    /** Every column of the table, in the order of the insert. */
    readonly columns: readonly TypedColumn[];
    /** Columns that take their values from the rows. */
    readonly open: readonly ColumnModel[];
    /** Columns that only Treadle sets, with the shape of their values. */
    readonly system: readonly {
        readonly model: ColumnModel;
        readonly shape: ZodType;
    }[];
    /** Password columns. */
    readonly secret: readonly ColumnModel[];
    /** The primary key, then the unique columns. */
    readonly matches: readonly KeyColumn[];
    readonly links: readonly LinkColumn[];
    /** Foreign keys to the same table, by column. */
    readonly own: ReadonlyMap<string, ForeignKey>;
    /** Columns with stored values that the validation of a change needs. */
    readonly compared: readonly string[];
}
type KeyMeaning = {
    readonly kind: 'column';
    readonly column: string;
} | {
    readonly kind: 'links';
    readonly links: LinkColumn;
} | {
    readonly kind: 'ignored';
};
export declare function compileImportPlan(model: Model, rows: RowPlan, source: Source): ImportPlan;
export {};
