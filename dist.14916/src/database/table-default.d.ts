import type { Field } from '../model/shape.ts';
import type { FieldNote } from './table.ts';
/**
 * A default that can be the column's own, because all rows get the same value. `NOW()` and lists are set by
 * events.
 */
export declare function toDefault(field: Field): string | number | undefined;
/**
 * Value for existing rows without one in a required column: the default, also one that cannot be the column's
 * own.
 */
export declare function toFill(field: Field): string | number | undefined;
export declare function toNote(field: Field): FieldNote;
