import { type NumberRange } from '../../model/field-bounds.ts';
import type { Field } from '../../model/shape.ts';
/** The limits that a field's rules and attributes set. */
export interface Limits {
    readonly characters: {
        readonly least: number;
        readonly most: number;
    };
    readonly words: {
        readonly least: number;
        readonly most: number;
    };
    readonly range: NumberRange;
    /** The values that `one` lists. */
    readonly choices: readonly (string | number)[] | undefined;
    readonly pattern: string | undefined;
    readonly has: (method: string) => boolean;
}
export declare function readLimits(field: Field): Limits;
