import type { Request } from './request.ts';
/** Decodes form encoding; text that is not valid stays. */
export declare function decodeForm(text: string): string;
/** An app's credentials by HTTP Basic, both parts form-encoded; undefined without that header. @see RFC 6749 section 2.3.1 */
export declare function readBasic(request: Request): {
    client_id: string;
    client_secret: string;
} | undefined;
