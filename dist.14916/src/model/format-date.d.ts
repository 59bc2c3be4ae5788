/**
 * A stored time relative to now: `Now` under 5 s, `3 minutes ago`, `2 days from now`, `Yesterday`,
 * `Tomorrow`. A date if it is a century away; '' if it is no time.
 *
 * @param pattern Pattern of that date. Default `F d, Y`.
 */
export declare function toRelative(stamp: unknown, nowMilliseconds: number, pattern?: string): string;
/**
 * A stored time by a date pattern, `F d, Y` by default; a backslash escapes a letter. '' if it is no time.
 */
export declare function toDateText(stamp: unknown, pattern?: string): string;
