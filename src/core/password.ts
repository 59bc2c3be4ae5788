import { scrypt, timingSafeEqual } from 'node:crypto';
import { type Random, systemRandom } from './clock.ts';
import { TreadleError } from './errors.ts';

/** scrypt at N = 2^15, r = 8, p = 3: 32 MiB and about 0.3 s of one libuv thread for each hash. */
const COST = { ln: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** 64 MiB: the most that a stored hash's own parameters may ask for. */
const MAX_MEMORY = 64 * 2 ** 20;
/** Hashes that may wait; at 0.3 s each the last one waits 30 s. */
const MAX_WAITING = 100;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Stored {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/**
 * One hash at a time in the whole process: scrypt takes a thread of libuv's pool, which the database needs too, so
 * that a dozen logins at once would make every query wait.
 */
const line: { tail: Promise<unknown>; waiting: number } = { tail: Promise.resolve(), waiting: 0 };

function enqueue<T>(task: () => Promise<T>): Promise<T> {
  if (line.waiting >= MAX_WAITING) {
    throw new TreadleError('PASSWORD_BUSY', 'Too many passwords are being checked; try again shortly.', {
      status: 503,
      headers: { 'retry-after': '10' },
    });
  }
  line.waiting += 1;
  const result = line.tail.then(task).finally(() => {
    line.waiting -= 1;
  });
  line.tail = result.catch(() => undefined);
  return result;
}

function derive(password: string, { ln, r, p, salt, key }: Stored): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY };
  return new Promise((resolve, reject) => {
    // NFKC, so that the same password typed on another keyboard is the same bytes.
    scrypt(password.normalize('NFKC'), salt, key.length, options, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
}

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

function parseStored(stored: string): Stored | undefined {
  const [, ln, r, p, salt, key] = PHC.exec(stored) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  return {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

/**
 * Hashes a password for storing, as a PHC string such as `$scrypt$ln=15,r=8,p=3$salt$key`.
 *
 * @throws PASSWORD_BUSY (503) where 100 hashes wait already.
 */
export async function hashPassword(password: string, random: Random = systemRandom): Promise<string> {
  const target = { ...COST, salt: random(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };
  const key = await enqueue(() => derive(password, target));
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${toBase64(target.salt)}$${toBase64(key)}`;
}

/**
 * Whether a password is the one that was stored. Without a stored hash (nobody by that name) it takes the same time
 * and says no, so that the answer's time does not tell who exists.
 *
 * @throws PASSWORD_BUSY (503) where 100 hashes wait already.
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const known = typeof stored === 'string' ? parseStored(stored) : undefined;
  const target = known ?? { ...COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };
  const key = await enqueue(() => derive(password, target));
  return timingSafeEqual(key, target.key) && known !== undefined;
}

/** Whether a stored hash was made with other parameters than today's: hash again at the next login. */
export function isPasswordOutdated(stored: string): boolean {
  const known = parseStored(stored);
  return !known || known.ln !== COST.ln || known.r !== COST.r || known.p !== COST.p || known.key.length !== KEY_BYTES;
}

/** Whether text is a hash that {@link verifyPassword} can check: what an import of one's own data takes as it is. */
export function isPasswordHash(text: string): boolean {
  const known = parseStored(text);
  if (!known || known.salt.length < SALT_BYTES || known.key.length < KEY_BYTES) return false;
  return known.ln >= 14 && 128 * 2 ** known.ln * known.r < MAX_MEMORY && known.p >= 1 && known.p <= 16;
}
