import type { ColumnModel } from './model.ts';
/** One group of a fieldset's values: its sent key (`0`, `1` …; empty for a single group) and its values. */
export interface Group {
    readonly key: string;
    readonly values: Readonly<Record<string, unknown>>;
}
/**
 * The groups in a coerced value of a fieldset column; undefined if the value has the wrong form. A list may
 * be an object of numbered groups, as a form sends it after lines were removed. Empty lines are skipped.
 */
export declare function readGroups({ field }: ColumnModel, value: unknown): readonly Group[] | undefined;
/** Paths of keys in a fieldset column's value that are not its fields, such as `lines`, `0`, `colour`. */
export declare function listUnknownKeys(column: ColumnModel, value: unknown, path?: readonly string[]): string[][];
