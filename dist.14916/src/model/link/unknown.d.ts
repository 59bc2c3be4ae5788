import type { Problem } from '../../core/errors.ts';
import type { UnknownCall } from '../link.ts';
/**
 * Problems of scopes with an unknown call, or of apps with an unknown web hook: defined neither in a file nor
 * in the project's code.
 *
 * @param known The plan's calls, or its hooks.
 */
export declare function findUnknown(unknown: readonly UnknownCall[], known: readonly {
    readonly name: string;
}[]): Problem[];
