import type { OutgoingHttpHeaders } from 'node:http';
/** Content encodings of answers, preferred first. */
export declare const ENCODINGS: readonly ['br', 'gzip'];
export type Encoding = (typeof ENCODINGS)[number];
/** The encoding that a client prefers to the plain bytes; undefined for none. @see RFC 9110 section 12.5.3 */
export declare function chooseEncoding(accept: string | undefined): Encoding | undefined;
/** Adds a name to `Vary`, once. */
export declare function addVary(headers: OutgoingHttpHeaders, name: string): void;
/**
 * True if an answer of this type may be compressed. `no-store` answers never are: they contain secrets,
 * and the compressed length would reveal them (BREACH).
 */
export declare function isPackable(headers: OutgoingHttpHeaders, bytes: number): boolean;
/** A strong ETag identifies bytes, so each encoding needs its own. */
export declare function toEncodedTag(tag: string, encoding: Encoding): string;
/** Compresses answers; public answers with an ETag are compressed once. */
export type Packer = (body: string | Uint8Array, encoding: Encoding, about: {
    readonly headers: OutgoingHttpHeaders;
    readonly target: string;
}) => Buffer | Promise<Buffer>;
export declare function createPacker(): Packer;
