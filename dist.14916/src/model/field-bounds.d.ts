import type { Field } from './shape.ts';
/** Maximum characters of a single-line text. */
export declare const LINE_CHARACTERS = 255;
/** The allowed numbers of a field; `any` if every number is allowed. */
export interface NumberRange {
    readonly min: number | undefined;
    readonly max: number | undefined;
    /** Distance between allowed numbers, counted from `base`. */
    readonly step: number | 'any';
    /** Start of the steps: the attribute `min`. Default 0. */
    readonly base?: number | undefined;
}
export declare const ANY_NUMBER: NumberRange;
/** A type's range, narrowed by the attributes `min`, `max` and `step`. They cannot widen it. */
export declare function readRange(field: Field, own: NumberRange): NumberRange;
export declare function isInRange(value: number, range: NumberRange): boolean;
/** A range in words, to follow "must be". */
export declare function describeRange(range: NumberRange): string;
/**
 * A range as JSON Schema. Decimal steps are omitted: a validator that divides doubles would reject valid
 * numbers.
 */
export declare function toRangeSchema(range: NumberRange): Record<string, unknown>;
/** Allowed length of a field's text, in characters (code points). */
export interface TextLength {
    readonly least: number;
    readonly most: number;
}
/** A type's maximum length, narrowed by the attributes `minlength` and `maxlength`. */
export declare function readLength(field: Field, most: number): TextLength;
export declare function isInLength(text: string, { least, most }: TextLength): boolean;
export declare function describeLength({ least, most }: TextLength): string;
export declare const toLengthSchema: ({ least, most }: TextLength) => Record<string, unknown>;
