import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { isSameSecret, type RootSecret, toPrint } from '../core/secret/secret.ts';
import type { ServedMode } from '../database/served-mode.ts';
import type { Mode } from '../http/exchange.ts';

const WEAK_SECRET = 'development only, not secret, at least 32 characters';

const MAKE = "Put a random one into .env: node -p \"'TREADLE_SECRET='+crypto.randomBytes(32).toString('base64url')\"";
const TAKE =
  'This database was served in production: set the secret of its server, for example from the environment of its service.';

/**
 * The text of the root secret. If none is set, development uses a public one, but never on a database
 * that production served last, because its signatures would then use a public secret.
 *
 * @throws SECRET_MISSING
 */
export function getRootSecret(
  secret: string | undefined,
  { mode, served, log }: { readonly mode: Mode; readonly served: ServedMode | undefined; readonly log: Log },
): string {
  if (secret !== undefined) return secret;
  if (mode !== 'production' && served !== 'production') {
    log.warn('TREADLE_SECRET is not set; a public default is used, which is safe for development only');
    return WEAK_SECRET;
  }
  throw new TreadleError(
    'SECRET_MISSING',
    'TREADLE_SECRET is not set, and nothing can be signed or encrypted without it.',
    { hint: served === 'production' ? TAKE : MAKE },
  );
}

/**
 * The root secret of a command. If the server of its database has another one, using it is refused: receivers would
 * reject its signatures, and the server could not decrypt its values.
 *
 * @param served Fingerprint of the server's secret, if one was recorded.
 * @throws SECRET_OTHER at the first use.
 */
export function guardSecret(own: RootSecret, served: string | undefined): RootSecret {
  if (!isOtherSecret(own, served)) return own;
  const refuse = (): never => {
    throw new TreadleError('SECRET_OTHER', 'TREADLE_SECRET differs from the secret of the server of this database.', {
      hint: 'Set the secret of the server, for example from the environment of its service. A new one takes effect when the server starts with it.',
    });
  };
  return { derive: refuse, seal: refuse, open: refuse };
}

/** The effects of a new root secret. */
export const OTHER_SECRET =
  'it differs from the one that last served this database: web hooks are signed with other secrets, open forms are refused once, and answers stored for an Idempotency-Key cannot be read';

/** True if a database was last served with another root secret. @param served The recorded fingerprint, if any. */
export const isOtherSecret = (own: RootSecret, served: string | undefined): boolean =>
  served !== undefined && !isSameSecret(served, toPrint(own));

/** Warns if a server starts with a new root secret: the old one may have been lost by accident. */
export function tellOtherSecret(
  own: RootSecret,
  { served, log }: { readonly served: string | undefined; readonly log: Log },
): void {
  if (isOtherSecret(own, served)) log.warn('TREADLE_SECRET was changed', { message: OTHER_SECRET });
}
