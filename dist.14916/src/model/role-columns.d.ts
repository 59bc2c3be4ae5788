import type { RowShape, SchemaModel } from './model.ts';
/** What of a schema a role's lists of columns are about. */
export type Listed = Pick<SchemaModel, 'byName' | 'relations' | 'primary'> & {
    readonly row: RowShape;
};
/** A name in a role's list without its `-`. */
export declare const toBareName: (name: string) => string;
/** Every column of a schema, or with `write` every key that a write may have. */
export declare const listRoleColumns: (schema: Listed, list: 'read' | 'write') => ReadonlySet<string>;
/** The column, or the key of linked rows, that a role's list means by a name; undefined where nothing has it. */
export declare const findRoleColumn: (schema: Listed, all: ReadonlySet<string>, name: string) => string | undefined;
/** What a role's list of columns means; undefined: all of them. A list of exceptions starts from all. */
export declare function resolveColumns(schema: Listed, list: 'read' | 'write', names: readonly string[] | undefined): ReadonlySet<string> | undefined;
