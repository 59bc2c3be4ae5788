import { type Problem } from '../core/errors.ts';
import type { Definitions } from './definitions.ts';
import { type FieldRules } from './field-rules.ts';
import type { Model } from './model.ts';
export type { Definitions } from './definitions.ts';
export interface Linked {
    /** Undefined if there is an error, unless the options ask for a partial model. */
    readonly model: Model | undefined;
    /** True if no definition is invalid. */
    readonly isWhole: boolean;
    readonly problems: readonly Problem[];
    /**
     * With `leavesCalls`: calls in scopes that no file defines, each with the problem to report if the code
     * does not define it either.
     */
    readonly unknownCalls: readonly UnknownCall[];
    /** With `leavesCalls`: the same for web hooks in apps. */
    readonly unknownHooks: readonly UnknownCall[];
}
export interface UnknownCall {
    readonly name: string;
    readonly problem: Problem;
}
export interface LinkOptions {
    /** What fields may have. Default: the built-in tables. */
    readonly rules?: FieldRules;
    /**
     * True to leave unknown calls of scopes, and unknown hooks of apps, to a caller that knows the project's
     * code. Default false.
     */
    readonly leavesCalls?: boolean;
    /** True to give a model of the valid definitions even if others are invalid, to check further. Default false. */
    readonly isPartial?: boolean;
}
/**
 * Links all definitions: names, columns, relations from both ends, calls with their scopes. Reports all
 * problems together, with file, path, line and remedy.
 */
export declare function linkModel(definitions: Definitions, options?: LinkOptions): Linked;
