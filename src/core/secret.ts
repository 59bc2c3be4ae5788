import { createCipheriv, createDecipheriv, createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Random } from './clock.ts';

/** SHA-256 in hex: how tokens, codes and client secrets (all random, 256 bits) are stored. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Compares two texts in constant time, whatever their lengths. */
export function isSameSecret(a: string, b: string): boolean {
  const left = createHash('sha256').update(a, 'utf8').digest();
  const right = createHash('sha256').update(b, 'utf8').digest();
  return timingSafeEqual(left, right);
}

/** A random token of 256 bits in base64url, after a prefix that secret scanners can know, such as `tk_at_`. */
export function createToken(random: Random, prefix = '', bytes = 32): string {
  return prefix + random(bytes).toString('base64url');
}

/**
 * The project's root secret (`TREADLE_SECRET`) and what is made from it.
 *
 * @throws SECRET_SEAL_BROKEN where a sealed text was changed or sealed under another secret.
 */
export interface RootSecret {
  /** Key material for a purpose: HKDF-SHA256 with the labels as info. Default 32 bytes. */
  derive(labels: readonly string[], bytes?: number): Buffer;
  /** AES-256-GCM under a derived key; base64url text. */
  seal(text: string): string;
  open(sealed: string): string;
}

/** Tells root secrets apart without telling anything of one: 128 bits, base64url. */
export const toPrint = (secret: RootSecret): string => secret.derive(['print'], 16).toString('base64url');

/** Derived keys that are kept, the oldest given up first: each delivery of a web hook is signed with one or two. */
const MAX_KEPT = 1000;

export function createRootSecret(root: string, random: Random): RootSecret {
  const kept = new Map<string, Buffer>();
  const derive = (labels: readonly string[], bytes = 32): Buffer => {
    const info = labels.map((label) => `${label.length}:${label}`).join('|');
    const name = `${bytes} ${info}`;
    const key = kept.get(name) ?? Buffer.from(hkdfSync('sha256', root, 'treadle', info, bytes));
    kept.set(name, key);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? name);
    // A copy: who gets it may change it.
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
