/**
 * An error caused by the environment or the caller, with a code that is never reused.
 * `message` may be shown to the client if `status` is below 500; `detail` and `cause` go only to the log.
 */
export declare class TreadleError extends Error {
    readonly name: string;
    readonly code: string;
    /** HTTP status of the response. */
    readonly status: number;
    /** How to fix it, if known. */
    readonly hint: string | undefined;
    /** For the log only. */
    readonly detail: unknown;
    /** Extra response headers, such as `retry-after`. */
    readonly headers: Readonly<Record<string, string>>;
    /** May occur thousands of times under load: the thrower logs a count, instead of one log line per error. */
    readonly isCounted: boolean;
    constructor(code: string, message: string, options?: TreadleErrorOptions);
    /** Whether the message may be shown to a client. */
    get isExposed(): boolean;
}
export interface TreadleErrorOptions {
    readonly status?: number;
    readonly hint?: string;
    readonly detail?: unknown;
    readonly cause?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly isCounted?: boolean;
}
/** A problem of a definition, a template or the user's code: data, collected and reported together. */
export interface Problem {
    /** Never reused: `<AREA>_<NOUN>_<FAULT>`. */
    readonly code: string;
    /** Path from the project's root, with forward slashes. */
    readonly file: string;
    /** Path within the file, such as `fields[2].type`, or empty. */
    readonly path: string;
    readonly line?: number;
    readonly column?: number;
    /** The violated rule, naming the thing. */
    readonly message: string;
    /** The remedy. */
    readonly hint?: string;
    readonly severity?: Severity;
}
/**
 * An error keeps the old plan in place, and nothing starts with it. A warning is a mistake that the rest of the project
 * works with: `check` fails, a server logs it and serves. Advice fails nothing. Default `error`.
 */
export type Severity = 'error' | 'warning' | 'advice';
/** True if nothing starts with the problem. */
export declare const isError: ({ severity }: Pick<Problem, 'severity'>) => boolean;
/** Sorts by file, then position. */
export declare function sortProblems(problems: readonly Problem[]): Problem[];
/** One line: `file:line path  message. hint [code]`. */
export declare function printProblem(problem: Problem): string;
/** All problems of a set of definitions; the old plan keeps serving. */
export declare class ProblemsError extends TreadleError {
    readonly name: string;
    readonly problems: readonly Problem[];
    constructor(problems: readonly Problem[]);
}
