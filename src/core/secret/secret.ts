import { createCipheriv, createDecipheriv, createHash, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import type { Random } from '../clock.ts';

/** SHA-256 in hex, for storing tokens, codes and client secrets (all random, 256 bits). */
export function digest(secret: string): string {
  return hash('sha256', secret);
}

/** Compares two texts in constant time, also if their lengths differ. */
export function isSameSecret(a: string, b: string): boolean {
  const left = createHash('sha256').update(a, 'utf8').digest();
  const right = createHash('sha256').update(b, 'utf8').digest();
  return timingSafeEqual(left, right);
}

/** A random 256-bit token in base64url, with a prefix for secret scanners, such as `tk_at_`. */
export function createToken(random: Random, prefix = '', bytes = 32): string {
  return prefix + random(bytes).toString('base64url');
}

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
export const toPrint = (secret: RootSecret): string => secret.derive(['print'], 16).toString('base64url');

/** Cached derived keys, oldest dropped first: each delivery of a web hook is signed with one or two. */
const MAX_CACHED = 1000;

export function createRootSecret(root: string, random: Random): RootSecret {
  const cached = new BoundedMap<Buffer>(MAX_CACHED);
  const derive = (labels: readonly string[], bytes = 32): Buffer => {
    const info = labels.map((label) => `${label.length}:${label}`).join('|');
    const name = `${bytes} ${info}`;
    const key = cached.getOrCreate(name, () => Buffer.from(hkdfSync('sha256', root, 'treadle', info, bytes)));
    // A copy, because the caller may change it.
    return Buffer.from(key);
  };
  return {
    derive,
    seal(text) {
      const nonce = random(12);
      const cipher = createCipheriv('aes-256-gcm', derive(['seal']), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', derive(['seal']), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
