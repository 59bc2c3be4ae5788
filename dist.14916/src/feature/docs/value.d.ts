import type { ColumnModel } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
/** An example value of the column. */
export declare function toSample(column: ColumnModel): unknown;
/** A schema's type in a word or two, for a table. */
export declare function describeType(schema: Json): string;
/** The rules of a column in words: those of its type, then those of its definition. */
export declare function listRules(column: ColumnModel): string[];
