import type { Request } from '../../../core/request.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import type { Pair } from '../page.ts';
import { type ProviderServer } from './server.ts';
/** What a sign-in remembers while the user is at the provider. Stored sealed, under the digest of `state`. */
export interface Flow {
    readonly provider: string;
    readonly nonce: string;
    /** PKCE. @see RFC 7636 */
    readonly verifier: string;
    /** Digest of the browser's cookie. */
    readonly browser: string;
    /** Path to go to afterwards. */
    readonly target: string;
    /** The account that gets the provider; undefined for a sign-in. */
    readonly linkTo?: number | undefined;
}
export declare const toRedirectUri: ({ services }: Pick<Context, 'services'>, { name }: {
    readonly name: string;
}) => string;
export interface Wish {
    readonly target: string;
    readonly linkTo?: number | undefined;
    /** Lets the user choose an account at the provider, instead of the one in use there. */
    readonly isAgain: boolean;
}
/** Begins a sign-in: the provider's address with `state`, `nonce` and the PKCE challenge. */
export declare function beginFlow(context: Context, { request, response }: Pair, { provider, server, wish, }: {
    readonly provider: ProviderModel;
    readonly server: ProviderServer;
    readonly wish: Wish;
}): Promise<string>;
/** Takes the flow of a callback; undefined if it was used, is too old, or began in another browser or for another provider. */
export declare function takeFlow({ services }: Context, request: Request, provider: ProviderModel): Promise<Flow | undefined>;
