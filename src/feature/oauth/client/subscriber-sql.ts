import { sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { escapeLike } from '../../../model/filter/operator.ts';
import { APP } from '../tables.ts';

/**
 * Active apps with a web hook address that may list this hook, with their owners' profiles: all, or the one
 * with a client id. Excludes apps that cannot list it, because there may be ten thousand; the caller checks
 * the lists.
 */
export async function findReceivers({ kysely }: Database, hook: string, clientId?: string): Promise<Row[]> {
  const wanted =
    clientId === undefined
      ? sql`a.hooks like ${`%${escapeLike(JSON.stringify(hook))}%`} escape '\\'`
      : sql`a.client_id = ${clientId}`;
  const { rows } = await sql<Row>`select a.app_id, a.client_id, a.name, a.webhook, a.hooks, a.approved_hooks,
      a.secret_version, o.profile_id as owner_profile_id
    from ${sql.table(APP)} a left join treadle_auth o on o.auth_id = a.owner_auth_id
    where a.webhook is not null and a.active = 1 and ${wanted} order by a.app_id`.execute(kysely);
  return rows;
}
