import type { Model } from '../../model/model.ts';
import { type RolePermission } from '../../model/role.ts';
import type { Application } from '../application.ts';
import { type Verdict } from './verdict.ts';
/** Who may open a guarded path. */
export interface GuardFacts {
    /** The permissions that guard the path. */
    readonly guards: readonly RolePermission[];
    /** Slugs of the roles that may open it with the method. */
    readonly roles: readonly string[];
}
/** The permissions for a path, in any spelling that they match; undefined if no role guards it. */
export declare function findGuard(model: Model, method: string, path: string): GuardFacts | undefined;
/** Decides a user's request to a guarded path. @throws CLI_USAGE for an unknown user. */
export declare function judgePath(running: Application, { roles }: GuardFacts, email: string): Promise<Verdict>;
/** The guard of a path, one line per permission. */
export declare function toGuardLines({ guards, roles }: GuardFacts, verdict: Verdict | undefined): string[];
