import type { Dialect } from '../database/database.ts';
import { type Fragment, type OperatorName } from './operator.ts';
import type { SourceColumn } from './source-column.ts';
import type { SourceRelated } from './source-related.ts';
/** One condition of a search. */
export interface Condition {
    /** Undefined if the condition only asks whether a related row exists. */
    readonly column: SourceColumn | undefined;
    readonly operator: OperatorName;
    /**
     * Index of its value; for a JSON column the first of three: the path, the value as text, the value as number.
     */
    readonly slot: number;
    /** For `null`: true if the value must be missing. */
    readonly isOn?: boolean;
    /** For a JSON column: true for a value at a path, false for the items of its list. */
    readonly hasPath?: boolean;
    /** The relation that the column belongs to. */
    readonly within?: SourceRelated;
}
/** A column in a statement, or the value at a path in a JSON column. */
export declare function toRef({ alias, column, part }: SourceColumn, dialect?: Dialect): Fragment;
/** An extra test on the related rows of a condition; `column` holds their key. */
export type Narrow = (related: SourceRelated, column: Fragment) => Fragment | undefined;
/**
 * A condition as SQL. A condition on related rows becomes a set of keys, which the database evaluates once
 * instead of per row.
 */
export declare function toTest(condition: Condition, dialect: Dialect, narrow?: Narrow): Fragment;
