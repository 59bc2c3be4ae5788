import type { Field } from './shape.ts';
/**
 * The value of a field in a new row (or group of a fieldset) if none is sent; undefined if there is no
 * default.
 */
export declare function toDefault({ default: value, type }: Field, now: number): unknown;
