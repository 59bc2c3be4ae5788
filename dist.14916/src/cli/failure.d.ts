import { TreadleError } from '../core/errors.ts';
import type { Terminal } from './terminal.ts';
/** Exit codes of the process. */
export declare const EXIT: {
    readonly done: 0;
    readonly failed: 1;
    readonly differs: 2;
    readonly dataLoss: 3;
    readonly definitionInvalid: 5;
    readonly usage: 64;
    readonly interrupted: 130;
};
/** Wrong use of a command: names the argument or flag, the rule and the remedy. */
export declare function createUsageError(message: string, hint?: string): TreadleError;
/** Ctrl-C, or a closed prompt. */
export declare const createInterruption: () => TreadleError;
/** The exit code of an error; 3 for every error code about data loss. */
export declare function toExitCode(error: unknown): number;
/** A failure in a form that another process can print. */
export interface Failure {
    /** Exit code. */
    readonly code: number;
    /** The data for `--json`. */
    readonly data: Readonly<Record<string, unknown>>;
    /** The text, one entry per line. */
    readonly lines: readonly string[];
}
export declare const toFailure: (error: unknown) => Failure;
/** Prints a failure and returns its exit code. */
export declare function printFailure({ code, data, lines }: Failure, terminal: Terminal): number;
