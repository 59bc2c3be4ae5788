import { type Access, type Who } from '../core/access.ts';
import type { Context } from './feature.ts';
import type { Person } from './person.ts';
/** The caller, before its roles are applied. */
export interface Asking {
    readonly who: Who;
    /** Undefined for visitors and apps. */
    readonly person?: Person | undefined;
    /** Id of the profile that a user call is held to. */
    readonly ownerId?: number | undefined;
}
/** The caller's access by the rules of its roles. Schemas without rules are reached completely, or by owner. */
export declare function createRoleAccess({ plan, services }: Pick<Context, 'plan' | 'services'>, asking: Asking): Access;
