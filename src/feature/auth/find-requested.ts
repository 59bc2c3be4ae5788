import { type Action, type Grant, getAccess } from '../../core/access.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Database } from '../../database/database.ts';
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

/** Keys of a stage that name an account. */
export interface AccountSelection {
  readonly auth_id?: number | undefined;
  readonly auth_slug?: string | undefined;
  /** Only of events that take it: a user's call has always that of its user. */
  readonly profile_id?: number | undefined;
}

/**
 * The account that a stage selects by `auth_id`, else by `auth_slug`, else by `profile_id`. A user's REST call finds only the
 * user's own account; others look as if they did not exist.
 *
 * @param find Reads the account. Default: without its profile.
 */
export async function findSelectedAuth(
  database: Database,
  selection: AccountSelection,
  find: AuthFinder = findAuth,
): Promise<AuthRow | undefined> {
  const owner = getAccountGrant('detail').rows?.owner;
  const auth = await findNamed(database, selection, find);
  return owner === undefined || auth?.profile_id === owner ? auth : undefined;
}

async function findNamed(
  database: Database,
  { auth_id: authId, auth_slug: slug = '', profile_id: profileId }: AccountSelection,
  find: AuthFinder,
): Promise<AuthRow | undefined> {
  if (authId !== undefined) return find(database, 'auth_id', authId);
  if (slug.trim() !== '') return find(database, 'auth_slug', slug.trim());
  return profileId === undefined ? undefined : find(database, 'profile_id', profileId);
}
