import type { Model } from '../model/model.ts';
import { type RolePermission } from '../model/role.ts';
/** True if roles cannot guard a path, whatever they name. */
export declare const isNeverGuarded: (path: string) => boolean;
/** The decision about a request to a guarded path. */
export interface PathVerdict {
    /** The permission that allows it; undefined if it is refused. */
    readonly by: RolePermission | undefined;
    /** The permissions that guard the path. */
    readonly guards: readonly RolePermission[];
}
export interface PathGuard {
    guards(path: string): boolean;
    /** Judges a guarded path; undefined if the path is not guarded. */
    judge(path: string, method: string, roles: readonly string[]): PathVerdict | undefined;
}
/** All roles of a person: the given ones and the implicit ones. */
export declare const toHeld: (roles: readonly string[], isLoggedIn: boolean) => readonly string[];
/** Compiles the permissions of all roles. A path named by any of them is guarded for every method. */
export declare function compilePathGuard(model: Pick<Model, 'roles'>): PathGuard;
/** What the roles' files guard, as texts such as `all:/staff/** (staff)`. */
export declare const listGuarded: (model: Pick<Model, 'roles'>) => string[];
