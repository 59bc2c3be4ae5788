import type { OutgoingHttpHeaders } from 'node:http';
/** Cache-Control of an answer behind a gate: no shared cache may reuse it. */
export declare const GUARDED = "private, no-cache";
/** The initial headers of an answer; a handler's own override them. */
export declare function createHeaders(id: string, isSecure: boolean, isPage: boolean): OutgoingHttpHeaders;
/** A URL as a header value: non-ASCII percent-encoded, control characters removed. */
export declare function toLocation(location: string): string;
/** Adds a handler's headers; invalid names are left out. */
export declare function addHeaders(headers: OutgoingHttpHeaders, added: Readonly<Record<string, string | readonly string[]>>): void;
