import { Secret, TOTP } from 'otpauth';
import type { Random } from '../../../core/clock.ts';

/** Seconds of a time step, digits of a code. Authenticator apps support only these everywhere. */
const PERIOD = 30;
const DIGITS = 6;
/** Steps before and after the current one that are taken, for clocks that differ. @see RFC 6238 section 5.2 */
const SKEW = 1;
/** Bytes of a seed. @see RFC 4226 section 4, R6 */
const SEED_BYTES = 20;

const toTotp = (seed: string, more: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...more, algorithm: 'SHA1', digits: DIGITS, period: PERIOD, secret: Secret.fromBase32(seed) });

/** A new seed in base32. */
export function createSeed(random: Random): string {
  const bytes = random(SEED_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** A typed code without blanks; undefined if it is no six digits. */
export function parseTotp(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/**
 * The time step that a code belongs to; undefined if it is wrong. A caller takes each step once.
 * @param at Milliseconds since 1970.
 * @see RFC 6238 section 4
 */
export function findStep(seed: string, code: string, at: number): number | undefined {
  const delta = toTotp(seed).validate({ token: code, timestamp: at, window: SKEW });
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD) + delta;
}

/** The address that a QR code holds. @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function toTotpUri(seed: string, issuer: string, email: string): string {
  return toTotp(seed, { issuer, label: email }).toString();
}
