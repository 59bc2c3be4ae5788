/** The most common passwords of eight characters or more, in lower case: attackers try them first. */
export declare const COMMON_PASSWORDS: ReadonlySet<string>;
