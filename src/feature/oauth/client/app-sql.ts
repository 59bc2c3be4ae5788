import type { Database } from '../../../database/database.ts';
import { APP, APP_STATE } from '../tables.ts';
import { type ClientApp, parseApp } from './app-row.ts';

/** Apps of an account, or of everybody. */
export async function findApps(
  { kysely }: Database,
  { owner, clientId }: { readonly owner: number | undefined; readonly clientId?: string },
): Promise<ClientApp[]> {
  let query = kysely.selectFrom(APP).selectAll().orderBy('app_id');
  if (owner !== undefined) query = query.where('owner_auth_id', '=', owner);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  return (await query.execute()).map(parseApp);
}

/** Active apps that were registered in the browser, the newest first. */
export async function findRegisteredApps({ kysely }: Database, limit: number): Promise<ClientApp[]> {
  const query = kysely.selectFrom(APP).selectAll().where('name', 'is', null).where('active', '=', APP_STATE.active);
  return (await query.orderBy('app_id', 'desc').limit(limit).execute()).map(parseApp);
}

/** Titles of apps by id. */
export async function findAppTitles({ kysely }: Database, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await kysely.selectFrom(APP).select(['app_id', 'title']).where('app_id', 'in', ids).execute();
  return new Map(rows.map((row) => [Number(row.app_id), String(row.title)]));
}
