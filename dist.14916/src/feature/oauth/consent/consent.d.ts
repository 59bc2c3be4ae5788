import type { Context } from '../../../plan/feature.ts';
import type { Asked } from './authorization.ts';
/** The user who decides. */
export interface Decider {
    readonly authId: number;
    readonly profileId: number;
}
/** Maximum seconds that an app may act for the user, as shown in the dialog. */
export declare const toLifetime: ({ plan }: Context, { isStandard }: Asked) => number;
/**
 * Whether to skip the dialog: only if the app's definition allows it, the app can keep a secret (anybody
 * can impersonate another), and one earlier consent covers all scopes.
 * @see draft-ietf-oauth-v2-1 section 7.3
 */
export declare function isRemembered(context: Context, asked: Asked, { authId }: Decider): Promise<boolean>;
/** Message for a user with too many consents. */
export declare const TOO_MANY_CONSENTS = "Your account has 1000 consents; those that ended count for a day. End the access of apps that you do not use at /auth/apps, and come back tomorrow.";
/**
 * Stores a consent and its code. Returns the redirect, or undefined if the user has too many consents. The
 * code is stored only as a hash.
 */
export declare function grant(context: Context, asked: Asked, by: Decider & {
    readonly scopes: readonly string[];
}): Promise<string | undefined>;
