import type { Field, Fieldset } from '../../model/shape.ts';
import type { Limits } from './limits.ts';
import type { Chance } from './random.ts';
export declare const DAY = 86400000;
export interface ValueInput {
    readonly field: Field;
    readonly limits: Limits;
    readonly chance: Chance;
    /** Number of the row in the table, used to make unique values. */
    readonly ordinal: number;
    readonly isUnique: boolean;
    /** Midnight of the day that times are near, in milliseconds since 1970. */
    readonly base: number;
    /** Midnight of the current day, for rules such as `futuredate`. */
    readonly today: number;
    readonly fieldsets: ReadonlyMap<string, Fieldset>;
    /** Generates a value of another field, for a fieldset. */
    readonly make: (field: Field) => unknown;
}
/** A value within the rules of a field; undefined for a type without a generator. */
export declare function makeValue(input: ValueInput): unknown;
