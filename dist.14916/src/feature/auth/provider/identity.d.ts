import type { ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import { type ProviderServer } from './server.ts';
/** Who the provider says that the user is. */
export interface Identity {
    /** Name of the provider in the settings. */
    readonly provider: string;
    /** With `subject` the key of the user: names may change, and another provider may use the same subject. */
    readonly issuer: string;
    readonly subject: string;
    readonly email: string | undefined;
    /** Whether the provider says that the e-mail belongs to the user. */
    readonly isVerified: boolean;
    readonly name: string | undefined;
}
export interface Exchange {
    /** Query of the callback. */
    readonly query: URLSearchParams;
    readonly state: string;
    readonly nonce: string;
    readonly verifier: string;
    readonly redirectUri: string;
    readonly secret: string;
}
/**
 * Exchanges the code of a callback for what the provider says of the user.
 * @throws PROVIDER_FAILED, or an error of the library, if anything does not match: state, issuer, nonce, audience,
 *   time, signature.
 */
export declare function readIdentity(context: Context, provider: ProviderModel, { server, exchange }: {
    readonly server: ProviderServer;
    readonly exchange: Exchange;
}): Promise<Identity>;
