import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { isSameSecret, type RootSecret, toPrint } from '../core/secret.ts';
import type { ServedMode } from '../database/serving.ts';
import type { Mode } from './exchange.ts';

const WEAK_SECRET = 'development only, not secret, at least 32 characters';

const MAKE = "Put a random one into .env: node -p \"'TREADLE_SECRET='+crypto.randomBytes(32).toString('base64url')\"";
const TAKE =
  'This database was served in production: set the secret that its server has, such as with the environment of its service.';

/**
 * The text of the root secret. Where none is set, development takes one that everybody knows, but never on a database
 * that was last served in production: what that server made would be signed with it.
 *
 * @throws SECRET_MISSING
 */
export function getRootSecret(
  secret: string | undefined,
  { mode, served, log }: { readonly mode: Mode; readonly served: ServedMode | undefined; readonly log: Log },
): string {
  if (secret !== undefined) return secret;
  if (mode !== 'production' && served !== 'production') {
    log.warn('TREADLE_SECRET is not set; a known one is used, which is fine for development only');
    return WEAK_SECRET;
  }
  throw new TreadleError(
    'SECRET_MISSING',
    'TREADLE_SECRET is not set, and nothing can be signed or sealed without it.',
    { hint: served === 'production' ? TAKE : MAKE },
  );
}

/**
 * The root secret of a command. Where the server of its database has another one, using it is refused: what it signs no
 * receiver would take, and what it seals the server could not open.
 *
 * @param served The print of the server's, where one was noted.
 * @throws SECRET_OTHER at the first use.
 */
export function guardSecret(own: RootSecret, served: string | undefined): RootSecret {
  if (!isOtherSecret(own, served)) return own;
  const refuse = (): never => {
    throw new TreadleError('SECRET_OTHER', 'TREADLE_SECRET is another one here than the server of this database has.', {
      hint: 'Set that of the server, such as with the environment of its service. A new one counts once the server was started with it.',
    });
  };
  return { derive: refuse, seal: refuse, open: refuse };
}

/** What a new root secret changes, in words. */
export const OTHER_SECRET =
  'it is another one than this database was last served with: web hooks are signed with other secrets, forms that are open are refused once, and answers kept for an Idempotency-Key cannot be read';

/** Whether a database was last served with another root secret. @param served The print that was noted, if any. */
export const isOtherSecret = (own: RootSecret, served: string | undefined): boolean =>
  served !== undefined && !isSameSecret(served, toPrint(own));

/** Warns where a server starts with a new root secret: somebody may have lost the old one without knowing. */
export function tellOtherSecret(
  own: RootSecret,
  { served, log }: { readonly served: string | undefined; readonly log: Log },
): void {
  if (isOtherSecret(own, served)) log.warn('TREADLE_SECRET was changed', { message: OTHER_SECRET });
}
