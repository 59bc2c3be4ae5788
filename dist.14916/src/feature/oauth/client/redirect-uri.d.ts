import type { ClientApp } from './app-row.ts';
/**
 * Why a redirect URI is invalid. Only printable ASCII, because it becomes a header and browsers drop other
 * characters.
 */
export declare function findReturnFault(uri: string): string | undefined;
/** Whether a requested URI is registered: equal as text, except for the port of a loopback address. */
export declare function isRegistered(registered: readonly string[], asked: string): boolean;
/** An app's redirect URIs; by default the developer section's own page. */
export declare function toRedirects(app: ClientApp, baseUrl: string): string[];
/** Builds redirects to an app from parameters and what every response carries. */
export interface Return {
    (parameters: Readonly<Record<string, string>>): string;
    /** The address itself. */
    readonly uri: string;
}
/** Creates a {@link Return}: keeps the query of the URI, and returns `state` byte for byte. */
export declare function toReturn(uri: string, { state, issuer }: {
    readonly state?: string | undefined;
    readonly issuer?: string | undefined;
}): Return;
/**
 * Source for `form-action`; without it browsers block the redirect after the dialog's form. A policy cannot
 * name an IPv6 host, nor one with `;` or `,`, which would begin another directive: then it is the scheme.
 */
export declare function toFormAction(uri: string): string;
/** Target of a URI for display: the host, or the scheme if private. */
export declare function toPlace(uri: string): string;
