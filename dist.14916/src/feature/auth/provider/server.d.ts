import type { AuthorizationServer, JWKSCacheInput } from 'oauth4webapi';
import type { ProviderModel } from '../../../model/provider.ts';
import { type FetchContext } from './fetch.ts';
/** The protocol library, loaded when the first person signs in by a provider. */
export declare const loadLibrary: () => Promise<typeof import('oauth4webapi')>;
/** Endpoints and keys of a provider. */
export interface ProviderServer {
    readonly metadata: AuthorizationServer;
    /** Filled by the library, which reads the keys again if a signature names an unknown one. */
    readonly keys: JWKSCacheInput;
}
/**
 * The metadata for one token: its issuer must be the one that the template gives for the token's tenant. The claim is
 * not verified here; the library then compares the issuer and verifies the signature.
 */
export declare function toTenant(metadata: AuthorizationServer, tenant: unknown): AuthorizationServer;
/**
 * Endpoints and keys of a provider: read once an hour, and by one request at a time.
 * @throws PROVIDER_FAILED, OUTBOUND_FAILED, OUTBOUND_ADDRESS_REFUSED if the provider cannot be read.
 */
export declare function findServer(context: FetchContext, provider: ProviderModel): Promise<ProviderServer>;
