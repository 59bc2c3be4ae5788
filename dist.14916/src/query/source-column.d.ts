import type { FlatColumn, SchemaModel } from '../model/model.ts';
/** A column that a search can read. */
export interface SourceColumn {
    /** Name in rows. */
    readonly name: string;
    /**
     * Alias of its table: `t` for the searched table, `j0`, `j1`… for 1:1 relations, `r` for related rows in a
     * filter.
     */
    readonly alias: string;
    /** Name in its table. */
    readonly column: string;
    /** How values are parsed and compared. */
    readonly type: 'integer' | 'number' | 'text' | 'date' | 'moment' | 'flag' | 'json';
    readonly isNullable: boolean;
    /** True if values are integers: no row equals a fraction. */
    readonly isWhole?: boolean;
    /** The keys that its values can have; undefined if any value is possible. */
    readonly options?: ReadonlySet<string>;
    /** True for the column that marks removed rows. */
    readonly isActive?: boolean;
    /** The value at a path within a JSON column, as one of the two kinds that sort; the path is in a slot. */
    readonly part?: {
        readonly slot: number;
        readonly kind: 'text' | 'number';
    };
}
export declare const toKey: (name: string, alias: string, isNullable: boolean) => SourceColumn;
/** The columns of a schema's own table by name, without passwords: primary key, fields, foreign keys. */
export declare function listOwnColumns({ row }: SchemaModel, alias: string): Map<string, SourceColumn>;
/** A column of a 1:1 relation, as a column of the searched schema. */
export declare function toFlatColumn({ name, column, model }: FlatColumn, alias: string): SourceColumn;
/** A schema's own columns that `filter` accepts: keys, `active`, and filterable fields. */
export declare function listFilterable(schema: SchemaModel, alias: string): Map<string, SourceColumn>;
