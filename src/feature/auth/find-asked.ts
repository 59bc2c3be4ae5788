import { type Action, type Grant, getAccess } from '../../core/access.ts';
import { normalizeEmail } from '../../core/email.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Request } from '../../core/request.ts';
import type { Database } from '../../database/database.ts';
import { parseId, readText } from './account.ts';
import { type AuthRow, findAuth } from './sql.ts';

type Find = typeof findAuth;

/** The table of accounts, as an access knows it. */
const ACCOUNTS = 'treadle_auth';

/**
 * What the running work may do with accounts.
 * @throws ACCESS_MISSING if it has no access at all, or none to accounts.
 */
export function getAccountGrant(action: Action): Grant {
  const grant = getAccess().grant(ACCOUNTS, action);
  if (grant) return grant;
  throw new TreadleError('ACCESS_MISSING', `The ${action} of an account runs without access.`, {
    hint: 'Emit from a request, a job or a command.',
  });
}

/**
 * The account that a stage selects by `auth_id`, else by `auth_slug`. A user's REST call finds only the
 * user's own account; others look as if they did not exist.
 *
 * @param find Reads the account. Default: without its profile.
 */
export async function findAsked(
  database: Database,
  request: Request,
  find: Find = findAuth,
): Promise<AuthRow | undefined> {
  const owner = getAccountGrant('detail').rows?.owner;
  const auth = await findNamed(database, request, find);
  return owner === undefined || auth?.profile_id === owner ? auth : undefined;
}

async function findNamed(database: Database, request: Request, find: Find): Promise<AuthRow | undefined> {
  if (request.hasStage('auth_id')) {
    const authId = parseId(request.getStage('auth_id'));
    return authId === undefined ? undefined : find(database, 'auth_id', authId);
  }
  const slug = normalizeEmail(readText(request.getStage('auth_slug')));
  return slug === '' ? undefined : find(database, 'auth_slug', slug);
}
