import type { Request } from '../../core/request.ts';
import type { Database } from '../../database/database.ts';
import { toId, toSlug } from './account.ts';
import { type AuthRow, findAuth } from './sql.ts';

/** The account that a stage names by `auth_id` or, without one, by `auth_slug`. */
export async function findAsked(database: Database, request: Request): Promise<AuthRow | undefined> {
  if (request.hasStage('auth_id')) {
    const authId = toId(request.getStage('auth_id'));
    return authId === undefined ? undefined : findAuth(database, 'auth_id', authId);
  }
  const slug = toSlug(request.getStage('auth_slug'));
  return slug === '' ? undefined : findAuth(database, 'auth_slug', slug);
}
