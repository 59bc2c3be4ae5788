import { type Problem } from '../core/errors.ts';
/** Carries a problem out of nested imports. */
export declare class ModuleFault extends Error {
    readonly problem: Problem;
    constructor(problem: Problem);
}
/** Path from the project's root, with forward slashes. */
export declare const toProjectFile: (root: string, path: string) => string;
/** The problem of a file that does not parse as TypeScript or JavaScript. */
export declare function toSyntaxProblem(root: string, path: string, error: unknown): Problem;
/** `file:line` of the project's own code that is running; undefined if no such code runs. */
export declare function findPlace(root: string): string | undefined;
/** `file:line` in the project's own code where an error was thrown; undefined if its stack names none. */
export declare function findErrorPlace(root: string, error: Error): string | undefined;
/** Line of an import statement (or a `require`) for a specifier. */
export declare function findImportLine(path: string, specifier: string): number | undefined;
export interface ThrownContext {
    readonly root: string;
    /** File to name if the stack has no frame in the project. */
    readonly path: string;
    /** Start of the message, such as `Loading it`. */
    readonly doing: string;
    readonly code: string;
}
/**
 * The problem for an error that the project's code threw. Without a column, because removed types shift
 * columns.
 */
export declare function toThrownProblem(error: unknown, context: ThrownContext): Problem;
