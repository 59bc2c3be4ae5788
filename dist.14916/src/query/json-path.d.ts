import type { Dialect } from '../database/database.ts';
import type { Condition } from './condition.ts';
import { type Fragment, Slot } from './operator.ts';
/**
 * A path within a JSON column in the syntax of both databases: `$."colour"`, `$."sizes"[0]`. A number is an index
 * from 0. Undefined if a step is empty, too long or has a refused character, or if there are too many steps.
 */
export declare function toJsonPath(steps: readonly string[]): string | undefined;
/** The value at a path, in forms that both databases compare alike. */
export interface JsonValue {
    /** A text, `true` or `false`; null for anything else. */
    readonly text: Fragment;
    /** A number; null for anything else. */
    readonly number: Fragment;
    readonly isNothing: Fragment;
    /** The items of a list, as rows called `item`. */
    readonly items: Fragment;
}
export declare function toJsonValue(column: Fragment, path: Slot, dialect: Dialect): JsonValue;
export interface JsonOperands {
    readonly path: Slot;
    /** The value as text, and as number if it is one. */
    readonly text: Slot;
    readonly number: Slot;
}
/**
 * A condition on a JSON column: on the value at its path, or without a path on the items of the column's list.
 * Texts compare with texts, numbers with numbers.
 */
export declare function toJsonCondition({ operator, isOn, hasPath }: Pick<Condition, 'operator' | 'isOn' | 'hasPath'>, column: Fragment, slots: JsonOperands, dialect: Dialect): Fragment;
export declare const toPathSlots: (first: number) => JsonOperands;
