import { scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Random, systemRandom } from '../clock.ts';
import { TreadleError } from '../errors.ts';
import { currentScope } from '../scope.ts';
import { toNetwork } from '../text/network.ts';
import { type TurnCaller, Turns, type TurnsFigures } from '../turns.ts';

/** Parameters of scrypt: N = 2^`ln`, `r` and `p`. */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and about 0.3 s of one libuv thread per hash. */
const COST: PasswordCost = { ln: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Characters of a new password. */
export const PASSWORD_LEAST = 8;
export const PASSWORD_MOST = 256;

/** 64 MiB: the maximum for the parameters of a stored hash. */
const MAX_MEMORY = 64 * 2 ** 20;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface StoredHash extends PasswordCost {
  readonly salt: Buffer;
  readonly key: Buffer;
}

/**
 * Half of the processors, at most two: on two processors a second hash makes a page wait three times as
 * long, and the database needs the other threads of libuv's pool.
 */
const PARALLEL = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));

/** One per process, because all apps share its processors. */
const line = new Turns({
  parallel: PARALLEL,
  usualMilliseconds: 300,
  now: () => performance.now(),
  toBusy: (retrySeconds) =>
    new TreadleError('PASSWORD_BUSY', 'Too many passwords are being checked; try again shortly.', {
      status: 503,
      headers: { 'retry-after': String(retrySeconds) },
    }),
});

/** State of the hash queue: waiting, running, milliseconds per hash, refused and dropped so far. */
export const readHashFigures = (): TurnsFigures => line.figures;

/** Time of a request's first hash. */
const firstRequestAt = new WeakMap<object, number>();

/**
 * The current caller: hashes of one network wait for each other, and a caller that holds a transaction goes
 * first.
 */
function findCaller(): TurnCaller {
  const { request, transaction } = currentScope.getStore() ?? {};
  const lane = transaction === undefined ? 'stranger' : 'holding';
  if (!request) return { key: '', lane };
  const since = firstRequestAt.get(request) ?? performance.now();
  firstRequestAt.set(request, since);
  const key = toNetwork(String(request.getServer('REMOTE_ADDR') ?? ''));
  return { key, lane, since, isGone: () => request.isGone() };
}

/** Waits for a turn. @param device Key of a device that the account knows; it goes before strangers. */
function enqueue<T>(task: () => Promise<T>, device?: string): Promise<T> {
  const caller = findCaller();
  const isKnown = device !== undefined && caller.lane === 'stranger';
  return line.take(isKnown ? { ...caller, key: device, lane: 'known' } : caller, task);
}

function derive(password: string, { ln, r, p, salt, key }: StoredHash): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY };
  return new Promise((resolve, reject) => {
    // NFKC, so that the same password typed on another keyboard gives the same bytes.
    scrypt(password.normalize('NFKC'), salt, key.length, options, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
}

const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

function parseStored(stored: string): StoredHash | undefined {
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

/** Hashes and checks passwords. New hashes have one cost; a stored hash is checked by its own. */
export interface Passwords {
  /**
   * Hashes a password for storage, as a PHC string such as `$scrypt$ln=15,r=8,p=3$salt$key`.
   * @throws PASSWORD_BUSY (503) if the wait would be too long. @throws ClientGone if the client has
   *   disconnected.
   */
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches the stored hash. Without a stored hash (unknown account) it takes as long as a new
   * hash and returns false, so that timing does not tell which accounts exist.
   * @param device Key of a device that the account knows: it does not wait for strangers.
   * @throws PASSWORD_BUSY (503) if the wait would be too long. @throws ClientGone if the client has
   *   disconnected.
   */
  verify(password: string, stored: string | null | undefined, device?: string): Promise<boolean>;
  /** Whether a stored hash has outdated parameters: hash again at the next login. */
  isOutdated(stored: string): boolean;
}

/** @param cost Of new hashes. Only a test site gives a cheaper one: see `AppOptions.passwordCost`. */
export function createPasswords(random: Random, { ln, r, p }: PasswordCost = COST): Passwords {
  const start = (salt: Buffer): StoredHash => ({ ln, r, p, salt, key: Buffer.alloc(KEY_BYTES) });
  return {
    async hash(password) {
      const target = start(random(SALT_BYTES));
      const key = await enqueue(() => derive(password, target));
      return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(target.salt)}$${toBase64(key)}`;
    },
    async verify(password, stored, device) {
      const known = typeof stored === 'string' ? parseStored(stored) : undefined;
      const target = known ?? start(Buffer.alloc(SALT_BYTES));
      const key = await enqueue(() => derive(password, target), device);
      return timingSafeEqual(key, target.key) && known !== undefined;
    },
    isOutdated(stored) {
      const known = parseStored(stored);
      return !known || known.ln !== ln || known.r !== r || known.p !== p || known.key.length !== KEY_BYTES;
    },
  };
}

/** Of what runs without an application. */
export const systemPasswords = createPasswords(systemRandom);

/** Whether text is a hash that {@link Passwords.verify} can check; an import stores it unchanged. */
export function isPasswordHash(text: string): boolean {
  const known = parseStored(text);
  if (!known || known.salt.length < SALT_BYTES || known.key.length < KEY_BYTES) return false;
  return known.ln >= 14 && 128 * 2 ** known.ln * known.r < MAX_MEMORY && known.p >= 1 && known.p <= 16;
}
