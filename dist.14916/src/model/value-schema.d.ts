import type { ColumnModel } from './model.ts';
export type Json = Readonly<Record<string, unknown>>;
/** JSON Schema (draft 2020-12) of a column's value in requests and results, cached per column. */
export declare const toValueSchema: (key: ColumnModel) => Readonly<Record<string, unknown>>;
/** The same schema, also allowing null. */
export declare function toNullable(schema: Json): Json;
