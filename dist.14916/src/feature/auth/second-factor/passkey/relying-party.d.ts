import type { Services } from '../../../../plan/feature.ts';
/** The site as passkeys know it. */
export interface RelyingParty {
    /** Host name that passkeys belong to. */
    readonly id: string;
    /** Origin of the pages that may use them. */
    readonly origin: string;
}
/**
 * The relying party, from the public address and never from a request. An IP address can be none: a server on this machine
 * is `localhost` then, any other has no passkeys.
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export declare function findRelyingParty({ baseUrl }: Pick<Services, 'baseUrl'>): RelyingParty | undefined;
