import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { lockRows } from '../../database/lock-rows.ts';
import type { Row } from '../../database/row-statement.ts';
import { type ClientApp, parseApp } from './client/app-row.ts';
import { APP, APP_STATE, CODE, GRANT, REQUEST, TOKEN, TRAFFIC } from './tables.ts';

export async function findApp(
  { kysely }: Database,
  column: 'client_id' | 'app_id',
  value: string | number,
): Promise<ClientApp | undefined> {
  const row = await kysely.selectFrom(APP).selectAll().where(column, '=', value).executeTakeFirst();
  return row && parseApp(row);
}

/** The current row, locked until the transaction ends. */
export async function lockApp(database: Database, appId: number): Promise<ClientApp | undefined> {
  const query = database.kysely.selectFrom(APP).selectAll().where('app_id', '=', appId);
  const row = await lockRows(query, database).executeTakeFirst();
  return row && parseApp(row);
}

/** How many apps an account has registered itself. */
export async function countOwnApps({ kysely }: Database, authId: number): Promise<number> {
  const row = await kysely
    .selectFrom(APP)
    .select((select) => select.fn.countAll().as('count'))
    .where('owner_auth_id', '=', authId)
    .where('name', 'is', null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function findOwnerName({ kysely }: Database, authId: number): Promise<string | undefined> {
  const row = await kysely
    .selectFrom('treadle_auth')
    .innerJoin('profile', 'profile.profile_id', 'treadle_auth.profile_id')
    .selectAll('profile')
    .where('auth_id', '=', authId)
    .executeTakeFirst();
  return typeof row?.profile_name === 'string' ? row.profile_name : undefined;
}

export async function insertApp({ kysely }: Database, row: Row): Promise<ClientApp> {
  return parseApp(await kysely.insertInto(APP).values(row).returningAll().executeTakeFirstOrThrow());
}

export async function updateApp({ kysely }: Database, appId: number, changes: Row): Promise<void> {
  await kysely.updateTable(APP).set(changes).where('app_id', '=', appId).execute();
}

/** Suspends or resumes an app; an owner cannot change a suspended one. Returns whether it changed. */
export async function setAppState(
  { kysely }: Database,
  appId: number,
  state: number,
  isOwner: boolean,
): Promise<boolean> {
  let query = kysely.updateTable(APP).set({ active: state }).where('app_id', '=', appId);
  if (isOwner) query = query.where('active', '<>', APP_STATE.suspended);
  return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows) > 0;
}

/** Removes an app with its consents, codes and tokens. */
export async function deleteApp({ kysely }: Database, appId: number): Promise<void> {
  for (const table of [TOKEN, CODE, GRANT, TRAFFIC, REQUEST, APP])
    await kysely.deleteFrom(table).where('app_id', '=', appId).execute();
}

/** Creates or updates the row of a defined app. */
export async function upsertApp({ kysely }: Database, row: Row): Promise<void> {
  const { client_id: _id, created_at: _created, ...changes } = row;
  await kysely
    .insertInto(APP)
    .values(row)
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changes))
    .execute();
}

/**
 * Rows of apps that a file defines or once defined. Excludes a browser-registered app whose id a file is
 * about to take over.
 */
export async function findFileApps({ kysely }: Database): Promise<Row[]> {
  return kysely.selectFrom(APP).selectAll().where('name', 'is not', null).execute();
}

/** Suspends the apps whose definition files are gone. */
export async function suspendOthers({ kysely }: Database, clientIds: readonly string[]): Promise<void> {
  let query = kysely.updateTable(APP).set({ active: 0 }).where('name', 'is not', null).where('active', '=', 1);
  if (clientIds.length > 0) query = query.where('client_id', 'not in', clientIds);
  await query.execute();
}

/** The scopes of a user's current consents to an app, as stored. */
export async function findGrantedScopes({ kysely }: Database, authId: number, appId: number): Promise<unknown[]> {
  const rows = await kysely
    .selectFrom(GRANT)
    .select('scopes')
    .where('auth_id', '=', authId)
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null)
    .orderBy('grant_id', 'desc')
    .limit(20)
    .execute();
  return rows.map(({ scopes }) => scopes);
}

export async function insertGrant({ kysely }: Database, grant: Row): Promise<number> {
  const row = await kysely.insertInto(GRANT).values(grant).returning('grant_id').executeTakeFirstOrThrow();
  return Number(row.grant_id);
}

export async function insertCode({ kysely }: Database, code: Row): Promise<void> {
  await kysely.insertInto(CODE).values(code).execute();
}

/** A code, whether its user may still log in, and whether its consent is still valid. */
export async function findCode({ kysely }: Database, codeHash: string): Promise<Row | undefined> {
  return kysely
    .selectFrom(CODE)
    .innerJoin('treadle_auth', 'treadle_auth.auth_id', `${CODE}.auth_id`)
    .innerJoin(GRANT, `${GRANT}.grant_id`, `${CODE}.grant_id`)
    .selectAll(CODE)
    .select(['treadle_auth.auth_active', `${GRANT}.revoked_at as grant_revoked_at`])
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
}

/** The code of a user with its app's client id, for the page that shows it. */
export async function findOwnCode({ kysely }: Database, codeHash: string, authId: number): Promise<string | undefined> {
  const row = await kysely
    .selectFrom(CODE)
    .innerJoin(APP, `${APP}.app_id`, `${CODE}.app_id`)
    .select(`${APP}.client_id`)
    .where('code_hash', '=', codeHash)
    .where(`${CODE}.auth_id`, '=', authId)
    .executeTakeFirst();
  return row && String(row.client_id);
}

/** Consumes a code: only one caller gets true. */
export async function consumeCode({ kysely }: Database, codeHash: string, now: number): Promise<boolean> {
  const row = await kysely
    .updateTable(CODE)
    .set({ consumed_at: now })
    .where('code_hash', '=', codeHash)
    .where('consumed_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts a wrong verifier. */
export async function countTry({ kysely }: Database, codeHash: string): Promise<void> {
  await kysely
    .updateTable(CODE)
    .set((expression) => ({ tries: expression('tries', '+', 1) }))
    .where('code_hash', '=', codeHash)
    .execute();
}

export async function markCommitted({ kysely }: Database, codeHash: string, now: number): Promise<void> {
  await kysely.updateTable(CODE).set({ committed_at: now }).where('code_hash', '=', codeHash).execute();
}

export async function insertToken({ kysely }: Database, token: Row): Promise<void> {
  await kysely.insertInto(TOKEN).values(token).execute();
}

/** Records that a consent gives tokens now; false if it was revoked. Locks it until the transaction ends. */
export async function touchGrant({ kysely }: Database, grantId: number, now: number): Promise<boolean> {
  const row = await kysely
    .updateTable(GRANT)
    .set({ used_at: now })
    .where('grant_id', '=', grantId)
    .where('revoked_at', 'is', null)
    .returning('grant_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * A token of any kind, whether its user may still log in and its consent is valid; 1 and null without
 * either.
 */
export async function findToken({ kysely }: Database, tokenHash: string): Promise<Row | undefined> {
  return kysely
    .selectFrom(TOKEN)
    .leftJoin('treadle_auth', 'treadle_auth.auth_id', `${TOKEN}.auth_id`)
    .leftJoin(GRANT, `${GRANT}.grant_id`, `${TOKEN}.grant_id`)
    .selectAll(TOKEN)
    .select([
      sql<number>`coalesce(auth_active, 1)`.as('auth_active'),
      `${GRANT}.created_at as grant_created_at`,
      `${GRANT}.revoked_at as grant_revoked_at`,
    ])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Consumes a refresh token: only one caller gets true. */
export async function consumeRefresh(
  { kysely }: Database,
  tokenHash: string,
  { now, seed }: { readonly now: number; readonly seed: string },
): Promise<boolean> {
  const row = await kysely
    .updateTable(TOKEN)
    .set({ consumed_at: now, seed })
    .where('token_hash', '=', tokenHash)
    .where('consumed_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes one token. */
export async function revokeToken({ kysely }: Database, tokenHash: string, now: number): Promise<void> {
  await kysely
    .updateTable(TOKEN)
    .set({ revoked_at: now })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Revokes a consent with all its tokens. Locks the consent first, like {@link touchGrant}. */
export async function revokeGrant({ kysely }: Database, grantId: number, now: number): Promise<void> {
  for (const table of [GRANT, TOKEN]) {
    await kysely
      .updateTable(table)
      .set({ revoked_at: now })
      .where('grant_id', '=', grantId)
      .where('revoked_at', 'is', null)
      .execute();
  }
}

/** Whether there are codes that ended more than a day ago. */
export async function hasOldCodes({ kysely }: Database, now: number): Promise<boolean> {
  const found = await kysely
    .selectFrom(CODE)
    .select('expires_at')
    .where('expires_at', '<', now - 86_400)
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Deletes codes a day after they end: until then a replay is recognized. */
export async function deleteOldCodes({ kysely }: Database, now: number): Promise<void> {
  await kysely
    .deleteFrom(CODE)
    .where('expires_at', '<', now - 86_400)
    .execute();
}

export async function markUsed({ kysely }: Database, hashes: readonly string[], now: number): Promise<void> {
  await kysely.updateTable(TOKEN).set({ used_at: now }).where('token_hash', 'in', hashes).execute();
}

export async function findUser({ kysely }: Database, profileId: number): Promise<Row | undefined> {
  return kysely
    .selectFrom('treadle_auth')
    .innerJoin('profile', 'profile.profile_id', 'treadle_auth.profile_id')
    .selectAll()
    .where('treadle_auth.profile_id', '=', profileId)
    .where('auth_active', '=', 1)
    .executeTakeFirst();
}

export async function findProfile({ kysely }: Database, profileId: number): Promise<Row | undefined> {
  return kysely.selectFrom('profile').selectAll().where('profile_id', '=', profileId).executeTakeFirst();
}

/** By client id, for each app call. Compiled once per plan; one parameter. */
export function compileAppSource({ kysely }: Database): CompiledQuery {
  return kysely
    .selectFrom(APP)
    .leftJoin('treadle_auth', 'treadle_auth.auth_id', `${APP}.owner_auth_id`)
    .select(['app_id', 'client_id', 'name', 'secret_hash', 'old_secret_hash', 'old_secret_until', 'scopes', 'approved'])
    .select('treadle_auth.profile_id as owner_profile_id')
    .where(sql<boolean>`active = 1`)
    .where('client_id', '=', '')
    .compile();
}

/** By token hash, for each call with a token. Compiled once per plan; one parameter. */
export function compileTokenSource({ kysely }: Database): CompiledQuery {
  return kysely
    .selectFrom(TOKEN)
    .innerJoin(APP, `${APP}.app_id`, `${TOKEN}.app_id`)
    .leftJoin('treadle_auth', 'treadle_auth.auth_id', `${TOKEN}.auth_id`)
    .select([
      `${TOKEN}.secret_hash`,
      `${TOKEN}.app_id`,
      'client_id',
      `${TOKEN}.auth_id`,
      `${TOKEN}.profile_id`,
      `${TOKEN}.scopes`,
      `${APP}.name as app_name`,
      `${APP}.scopes as app_scopes`,
      `${APP}.approved as app_approved`,
      'expires_at',
    ])
    .where(sql<boolean>`kind = 'access' and revoked_at is null and active = 1`)
    .where(sql<boolean>`(auth_active = 1 or ${sql.ref(`${TOKEN}.auth_id`)} is null)`)
    .where('token_hash', '=', '')
    .compile();
}

/** Redirect URIs of active public clients, as stored. */
export async function findPublicRedirects({ kysely }: Database): Promise<unknown[]> {
  const rows = await kysely
    .selectFrom(APP)
    .select('redirect_uris')
    .where('secret_hash', 'is', null)
    .where('active', '=', 1)
    .execute();
  return rows.map(({ redirect_uris: uris }) => uris);
}

/** Redirect URIs of each active app, as stored. */
export async function findRedirects({ kysely }: Database): Promise<Row[]> {
  return kysely.selectFrom(APP).select(['client_id', 'redirect_uris']).where('active', '=', 1).execute();
}
