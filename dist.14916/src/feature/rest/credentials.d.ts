import type { Request } from '../../core/request.ts';
/** An app's credentials from all their possible places. Each is undefined if missing. */
export interface ClientCredentials {
    readonly id: string | undefined;
    readonly secret: string | undefined;
    /** True if credentials came by Basic and in another way, or as a list. */
    readonly isAmbiguous: boolean;
    readonly isSecretInQuery: boolean;
}
export interface TokenCredentials {
    readonly token: string | undefined;
    readonly secret: string | undefined;
    readonly isAmbiguous: boolean;
    readonly isQuery: boolean;
    readonly isSecretInQuery: boolean;
}
/** A header of the request; undefined if missing or empty. */
export declare const readHeader: (request: Request, name: string) => string | undefined;
/** Reads an app's credentials from query, body and HTTP Basic. @see RFC 6749 section 2.3.1 */
export declare function readClient(request: Request): ClientCredentials;
/** Reads a user's token from the Authorization header, a form body or the query. @see RFC 6750 section 2 */
export declare function readToken(request: Request, isQueryRead: boolean): TokenCredentials;
/** True if the method is safe (GET or HEAD). */
export declare function isRead(request: Request): boolean;
/**
 * Removes the credentials from everything that listeners, links and logs see. A path parameter of that name
 * stays.
 */
export declare function removeCredentials(request: Request): void;
/** A raw query string without these parameters, however their names are encoded. */
export declare function removeFromQuery(query: string, names: readonly string[]): string;
