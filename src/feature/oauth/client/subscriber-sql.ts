import { sql } from 'kysely';
import type { Database, Row } from '../../../database/database.ts';
import { escapeLike } from '../../../query/operator.ts';
import { APP } from '../tables.ts';

/**
 * Active apps with a web hook address that may list this hook, with their owners' profiles: all, or the one
 * with a client id. Excludes apps that cannot list it, because there may be ten thousand; the caller checks
 * the lists.
 */
export async function findReceivers({ kysely }: Database, hook: string, clientId?: string): Promise<Row[]> {
  const receivers = kysely
    .selectFrom(APP)
    .leftJoin('treadle_auth', 'treadle_auth.auth_id', `${APP}.owner_auth_id`)
    .select([
      'app_id',
      'client_id',
      'name',
      'webhook',
      'hooks',
      'approved_hooks',
      'secret_version',
      'treadle_auth.profile_id as owner_profile_id',
    ])
    .where('webhook', 'is not', null)
    .where('active', '=', 1)
    .where(sql<boolean>`hooks like ${`%${escapeLike(JSON.stringify(hook))}%`} escape '\\'`)
    .orderBy('app_id');
  return (clientId === undefined ? receivers : receivers.where('client_id', '=', clientId)).execute();
}
