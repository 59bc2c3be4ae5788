import type { Random } from '../../../core/clock.ts';
/** A new seed in base32. */
export declare function createSeed(random: Random): string;
/** A typed code without blanks; undefined if it is no six digits. */
export declare function parseTotp(text: string): string | undefined;
/**
 * The time step that a code belongs to; undefined if it is wrong. A caller takes each step once.
 * @param at Milliseconds since 1970.
 * @see RFC 6238 section 4
 */
export declare function findStep(seed: string, code: string, at: number): number | undefined;
/** The address that a QR code holds. @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export declare function toTotpUri(seed: string, issuer: string, email: string): string;
