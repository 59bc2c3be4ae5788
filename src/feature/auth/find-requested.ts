import { type Action, type Grant, getAccess } from '../../core/access.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Request } from '../../core/request/request.ts';
import type { Database } from '../../database/database.ts';
import { parseId, readText } from './account/account.ts';
import { type AuthRow, findAuth } from './sql.ts';

type AuthFinder = typeof findAuth;

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
 * @param isByProfile Whether a stage with neither may select by `profile_id`. A user's call has always that of its user.
 */
export async function findSelectedAuth(
  database: Database,
  request: Request,
  find: AuthFinder = findAuth,
  isByProfile = false,
): Promise<AuthRow | undefined> {
  const owner = getAccountGrant('detail').rows?.owner;
  const auth = await findNamed(database, request, { find, isByProfile });
  return owner === undefined || auth?.profile_id === owner ? auth : undefined;
}

interface AuthSelector {
  readonly find: AuthFinder;
  readonly isByProfile: boolean;
}

async function findNamed(
  database: Database,
  request: Request,
  { find, isByProfile }: AuthSelector,
): Promise<AuthRow | undefined> {
  const findById = (column: 'auth_id' | 'profile_id') => {
    const id = parseId(request.getStage(column));
    return id === undefined ? undefined : find(database, column, id);
  };
  if (request.hasStage('auth_id')) return findById('auth_id');
  const slug = readText(request.getStage('auth_slug')).trim();
  if (slug !== '') return find(database, 'auth_slug', slug);
  return isByProfile ? findById('profile_id') : undefined;
}
