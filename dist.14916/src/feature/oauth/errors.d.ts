import type { Response } from '../../core/response.ts';
export declare const EMPTY = "Cannot be empty";
/** An error of the token endpoint, with its name from RFC 6749 section 5.2. */
export interface TokenFault {
    readonly error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unauthorized_client' | 'unsupported_grant_type' | 'temporarily_unavailable' | 'server_error';
    readonly status: number;
    readonly message: string;
    readonly validation?: Readonly<Record<string, string>>;
    readonly retrySeconds?: number;
}
export declare const badRequest: (message: string, validation?: Readonly<Record<string, string>>) => TokenFault;
/** The same error for unknown, expired, used and other apps' codes, so that nobody learns which. */
export declare const BAD_CODE: TokenFault;
/** The same for refresh tokens. */
export declare const BAD_REFRESH: TokenFault;
export declare const BAD_CLIENT: TokenFault;
export declare const BAD_SCOPE: TokenFault;
export declare const BAD_GRANT_TYPE: TokenFault;
/** Marks a response of {@link refuseToken}. */
export declare const OAUTH_ERROR = "oauth-error";
export declare function refuseToken(response: Response, fault: TokenFault): void;
/** The challenge for wrong credentials that came by the header. @see RFC 6749 section 5.2 */
export declare const BASIC_CHALLENGE = "Basic realm=\"Treadle\", charset=\"UTF-8\"";
