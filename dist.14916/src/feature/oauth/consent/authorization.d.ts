import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
import { type Return } from '../client/redirect-uri.ts';
export declare const AUTHORIZE = "/oauth/authorize";
/** A valid authorization request. */
export interface Asked {
    readonly app: ClientApp;
    /** Where to redirect, with the parameters of every response. */
    readonly to: Return;
    /** Whether the request named its redirect URI; optional if only one is registered. */
    readonly isRedirectNamed: boolean;
    /**
     * Whether the standard's rules apply, by path or `response_type`: such a code also gives refresh tokens.
     */
    readonly isStandard: boolean;
    /** Slugs of user scopes. */
    readonly scopes: readonly string[];
    /** Whether the code goes to the app's own page of the developer section, for its owner only. */
    readonly isTrial: boolean;
    /** PKCE challenge (S256). */
    readonly challenge: string | undefined;
}
/**
 * Result of checking a request to the dialog. `invalid`: show an error page, redirect nowhere. `refused`:
 * redirect to the app with an error, at a registered address.
 */
export type Judged = {
    readonly kind: 'invalid';
    readonly message: string;
} | {
    readonly kind: 'refused';
    readonly location: string;
} | {
    readonly kind: 'asked';
    readonly asked: Asked;
};
/** Checks the raw query of a request to the dialog, at its classic or standard path. */
export declare function judgeAuthorization(context: Context, path: string, rawQuery: string): Promise<Judged>;
