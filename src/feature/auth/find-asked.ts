import type { Request } from '../../core/request.ts';
import type { Database } from '../../database/database.ts';
import type { Restriction } from '../../plan/feature.ts';
import { toId, toSlug } from './account.ts';
import { type AuthRow, findAuth } from './sql.ts';

/**
 * The account that a stage names by `auth_id` or, without one, by `auth_slug`. A user's REST call reaches the user's own
 * account and no other, which looks as if it were not there.
 */
export async function findAsked(database: Database, request: Request): Promise<AuthRow | undefined> {
  const restriction = request.get('restrict') as Restriction | undefined;
  const auth = await findNamed(database, request);
  return restriction === undefined || auth?.profile_id === restriction.profileId ? auth : undefined;
}

async function findNamed(database: Database, request: Request): Promise<AuthRow | undefined> {
  if (request.hasStage('auth_id')) {
    const authId = toId(request.getStage('auth_id'));
    return authId === undefined ? undefined : findAuth(database, 'auth_id', authId);
  }
  const slug = toSlug(request.getStage('auth_slug'));
  return slug === '' ? undefined : findAuth(database, 'auth_slug', slug);
}
