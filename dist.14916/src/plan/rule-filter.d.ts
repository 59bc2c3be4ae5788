import type { RowFilter } from '../core/access.ts';
/** Values of the caller and the clock for a rule. */
export interface RuleValues {
    /** `profile_id`, `roles`, or a column of the account or its profile. */
    me(name: string): unknown;
    /** `YYYY-MM-DD HH:MM:SS`. */
    now(): string;
}
/** A filter of a role's file. */
export interface RuleFilter {
    /** Names after `$me.` in it. */
    readonly names: readonly string[];
    readonly usesNow: boolean;
    /** The filter with the values; undefined if one is missing. Then no row matches, with any operator. */
    resolve(values: RuleValues): RowFilter | undefined;
}
/** Compiles a filter. Without `$me` and `$now` it is the same for everybody. */
export declare function compileRuleFilter(filter: RowFilter): RuleFilter;
/** Texts in a filter that look like `$me` or `$now` values but are not, such as `$mee.profile_id`. */
export declare const listOddValues: (filter: RowFilter) => string[];
