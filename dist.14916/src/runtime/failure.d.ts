import type { Response } from '../core/response.ts';
/** Why a request failed, in terms that may be shown. */
export interface Failure {
    readonly status: number;
    readonly code: string | undefined;
    readonly message: string;
    readonly hint: string | undefined;
    readonly validation: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, string>>;
    /** In development only. */
    readonly trace: Trace | undefined;
    /** Additional members of the body for this kind of error, such as `type`. */
    readonly more?: Readonly<Record<string, unknown>>;
}
interface Trace {
    readonly message: string;
    /** `file:line:column` in the project's own code, if the stack names it. */
    readonly place: string | undefined;
    readonly stack: string;
}
export declare const toTitle: (status: number) => string;
/** A failure made by the runtime itself. */
export declare function createFailure(status: number, message?: string, headers?: Failure['headers']): Failure;
/**
 * The failure that a handler set on its response: its own status, otherwise 422 with validation messages and 400
 * without.
 */
export declare function toResponseFailure(response: Response): Failure;
/** The failure for any thrown value. Only a TreadleError under 500 shows its message. */
export declare function toFailure(error: unknown, developmentRoot: string | undefined): Failure;
/** Members of an error body that come from the request. */
export interface ProblemPlace {
    /** Requested path. */
    readonly instance?: string | undefined;
}
/**
 * The error body for programs: it serves clients that know problem details, and clients that read `error`, `message`
 * and
 * `validation`.
 *
 * @see RFC 9457
 */
export declare function toProblem(failure: Failure, { instance }?: ProblemPlace): Record<string, unknown>;
/** Error body of the endpoints in RFC 6749 section 5.2, whose clients expect a code in `error`. */
export declare function toOAuthError({ status, message }: Failure): Record<string, unknown>;
export {};
