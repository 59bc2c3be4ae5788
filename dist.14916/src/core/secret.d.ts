import type { Random } from './clock.ts';
/** SHA-256 in hex, for storing tokens, codes and client secrets (all random, 256 bits). */
export declare function digest(secret: string): string;
/** Compares two texts in constant time, also if their lengths differ. */
export declare function isSameSecret(a: string, b: string): boolean;
/** A random 256-bit token in base64url, with a prefix for secret scanners, such as `tk_at_`. */
export declare function createToken(random: Random, prefix?: string, bytes?: number): string;
/**
 * The project's root secret (`TREADLE_SECRET`) and the keys derived from it.
 * @throws SECRET_SEAL_BROKEN if a sealed text was changed or sealed with another secret.
 */
export interface RootSecret {
    /** Key material for a purpose: HKDF-SHA256 with the labels as info. Default 32 bytes. */
    derive(labels: readonly string[], bytes?: number): Buffer;
    /** Encrypts with AES-256-GCM under a derived key; returns base64url text. */
    seal(text: string): string;
    open(sealed: string): string;
}
/** Fingerprint that identifies a root secret without revealing it: 128 bits, base64url. */
export declare const toPrint: (secret: RootSecret) => string;
export declare function createRootSecret(root: string, random: Random): RootSecret;
