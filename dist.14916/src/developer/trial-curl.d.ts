/** Input of a code exchange; a public app has no secret. */
export interface TrialExchange {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly secret: string | undefined;
    readonly code: string;
    readonly verifier?: string;
    readonly redirectUri?: string;
}
/** Quoted for a POSIX shell: nothing inside single quotes is expanded. */
export declare const quote: (text: string) => string;
/** The exchange at the standard endpoint, as a shell command. @see RFC 6749 section 4.1.3 */
export declare function toStandardCurl({ baseUrl, clientId, secret, code, verifier, redirectUri }: TrialExchange): string;
/** The exchange at the classic endpoint, as a shell command. */
export declare function toClassicCurl({ baseUrl, clientId, secret, code, verifier }: TrialExchange): string;
/** A call with a token, as a shell command. */
export declare const toCallCurl: (method: string, url: string, token: string) => string;
