import type { Definitions } from '../../model/definitions.ts';
import type { HookModel } from '../../model/model.ts';
import type { Hook } from '../../model/shape.ts';
import type { Invocation } from '../spec.ts';
/** A web hook, of a file or of the project's code. */
export interface KnownHook {
    readonly definition: Hook;
    /** The file of the code that registers it; undefined where it is a definition. */
    readonly code: string | undefined;
}
/** The hooks that the project's code registers by `app.webhook`; undefined where the project cannot be compiled. */
export declare function findCodeHooks(invocation: Invocation): Promise<readonly HookModel[] | undefined>;
/** A hook by name; the code is loaded only where no file has it. @throws CLI_USAGE with a "did you mean" where there is none. */
export declare function getHook(invocation: Invocation, definitions: Definitions, name: string): Promise<KnownHook>;
/**
 * What writes files knows the hooks of files: one of the project's code is told where it is.
 *
 * @throws CLI_USAGE
 */
export declare function refuseHookOfCode(invocation: Invocation, definitions: Definitions, name: string): Promise<void>;
/**
 * A file's name that a hook of the project's code has already: both would be one hook to receivers and in the log. Code
 * that does not load keeps no file from being written; that it could not be asked is said.
 *
 * @throws CLI_DEFINITION_EXISTS
 */
export declare function refuseCodeHook(invocation: Invocation, name: string): Promise<void>;
