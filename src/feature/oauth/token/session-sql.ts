import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { APP, GRANT, TOKEN } from '../tables.ts';

/** Sessions on one page of the developer section. */
export const SESSION_ROWS = 50;

/** Which of an app's sessions. */
export interface SessionQuery {
  /** Absent: of every app. */
  readonly appId?: number | undefined;
  /** Only those of this account. */
  readonly authId?: number | undefined;
  readonly now: number;
  /** Only lower ids: the next page. */
  readonly before?: number | undefined;
}

/**
 * Sessions of an app: consents with a valid token, newest first, with the user's name, last use and expiry.
 * One more than {@link SESSION_ROWS}, which tells whether there is a next page.
 */
export async function findSessions({ kysely }: Database, selection: SessionQuery): Promise<Row[]> {
  const { appId, authId, now, before } = selection;
  let query = kysely
    .selectFrom(GRANT)
    .innerJoin(TOKEN, `${TOKEN}.grant_id`, `${GRANT}.grant_id`)
    .leftJoin('profile', 'profile.profile_id', `${GRANT}.profile_id`)
    .select([
      `${GRANT}.grant_id`,
      `${GRANT}.app_id`,
      `${GRANT}.scopes`,
      `${GRANT}.created_at`,
      `${GRANT}.used_at as granted_used_at`,
      `${GRANT}.auth_id`,
      'profile.profile_name',
      (select) => select.fn.max(`${TOKEN}.used_at`).as('used_at'),
      (select) => select.fn.max(`${TOKEN}.expires_at`).as('expires_at'),
      (select) => select.fn.countAll().as('tokens'),
    ])
    .where(`${GRANT}.revoked_at`, 'is', null)
    .where(`${TOKEN}.revoked_at`, 'is', null)
    .where(`${TOKEN}.consumed_at`, 'is', null)
    .where(`${TOKEN}.expires_at`, '>', now)
    .groupBy([
      `${GRANT}.grant_id`,
      `${GRANT}.app_id`,
      `${GRANT}.scopes`,
      `${GRANT}.created_at`,
      `${GRANT}.used_at`,
      `${GRANT}.auth_id`,
      'profile.profile_name',
    ])
    .orderBy(`${GRANT}.grant_id`, 'desc')
    .limit(SESSION_ROWS + 1);
  if (appId !== undefined) query = query.where(`${GRANT}.app_id`, '=', appId);
  if (authId !== undefined) query = query.where(`${GRANT}.auth_id`, '=', authId);
  if (before !== undefined) query = query.where(`${GRANT}.grant_id`, '<', before);
  return query.execute();
}

/** Number of an app's current sessions. */
export async function countSessions({ kysely }: Database, appId: number, now: number): Promise<number> {
  const row = await kysely
    .selectFrom(TOKEN)
    .innerJoin(GRANT, `${GRANT}.grant_id`, `${TOKEN}.grant_id`)
    .select((select) => select.fn.count(`${TOKEN}.grant_id`).distinct().as('count'))
    .where(`${GRANT}.app_id`, '=', appId)
    .where(`${GRANT}.revoked_at`, 'is', null)
    .where(`${TOKEN}.revoked_at`, 'is', null)
    .where(`${TOKEN}.consumed_at`, 'is', null)
    .where(`${TOKEN}.expires_at`, '>', now)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/**
 * Ends one session of an app, or all including the app's own tokens; returns the number. Call it in a
 * write.
 */
export async function revokeSessions(
  { kysely }: Database,
  { appId, grantId, now }: { readonly appId: number; readonly grantId: number | undefined; readonly now: number },
): Promise<number> {
  let grants = kysely
    .updateTable(GRANT)
    .set({ revoked_at: now })
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null);
  let tokens = kysely
    .updateTable(TOKEN)
    .set({ revoked_at: now })
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null);
  if (grantId !== undefined) {
    grants = grants.where('grant_id', '=', grantId);
    tokens = tokens.where('grant_id', '=', grantId);
  }
  // Locks consents first, like the exchange of a code.
  const ended = await grants.returning('grant_id').execute();
  await tokens.execute();
  return ended.length;
}

/** Gives an app a secret for trying the flow. */
export async function setTrial(
  { kysely }: Database,
  appId: number,
  trial: { readonly hash: string; readonly until: number },
): Promise<void> {
  await kysely
    .updateTable(APP)
    .set({ trial_hash: trial.hash, trial_until: trial.until })
    .where('app_id', '=', appId)
    .execute();
}

/** The app of a session; undefined if there is no such session. @param authId The account that it must be of. Default: any. */
export async function findSessionApp(
  { kysely }: Database,
  grantId: number,
  authId?: number,
): Promise<number | undefined> {
  const all = kysely.selectFrom(GRANT).select('app_id').where('grant_id', '=', grantId);
  const row = await (authId === undefined ? all : all.where('auth_id', '=', authId)).executeTakeFirst();
  return row && Number(row.app_id);
}
