import type { Access } from '../../core/access.ts';
import type { Access as CallAccess } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';
/** The caller of a REST call; listeners read it as `request.get('actor')`. */
export interface Actor {
    readonly kind: CallAccess;
    readonly appId?: number;
    readonly clientId?: string;
    readonly authId?: number;
    readonly profileId?: number;
    /** Slugs of the scopes that the app or the token holds. */
    readonly scopes: readonly string[];
}
export declare const PUBLIC_ACTOR: Actor;
/** The app found by the event `rest-source-app-detail`. */
export declare function toAppActor(results: unknown): Actor;
/** The user found by the event `rest-source-session-detail`. */
export declare function toUserActor(results: unknown): Actor;
/** The caller's access, by its roles. A user call on own rows is also limited to the token's profile. */
export declare function findAccess(context: Context, actor: Actor, isOwn: boolean): Access | Promise<Access>;
