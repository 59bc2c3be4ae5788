import { sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { NO_SANDBOX } from '../client/sandbox-sql.ts';
import { APP, APP_STATE, CODE, GRANT, TOKEN } from '../tables.ts';

const DAY = 86_400;
/** Rows per step of cleanup, to keep writes short. */
const STEP = 1000;

/**
 * A user's current consents: with a valid token, or of an app that need not ask again. Newest first, with
 * app, last use and expiry.
 */
export async function findLiveGrants({ kysely }: Database, authId: number, now: number): Promise<Row[]> {
  return kysely
    .selectFrom(GRANT)
    .innerJoin(APP, `${APP}.app_id`, `${GRANT}.app_id`)
    .leftJoin(TOKEN, (join) =>
      join
        .onRef(`${TOKEN}.grant_id`, '=', `${GRANT}.grant_id`)
        .on(`${TOKEN}.revoked_at`, 'is', null)
        .on(`${TOKEN}.consumed_at`, 'is', null)
        .on(`${TOKEN}.expires_at`, '>', now),
    )
    .select([
      `${GRANT}.grant_id`,
      `${GRANT}.app_id`,
      `${GRANT}.scopes`,
      `${GRANT}.created_at`,
      `${GRANT}.used_at`,
      `${APP}.title`,
      `${APP}.website`,
      `${APP}.owner_auth_id`,
      `${APP}.active`,
      `${APP}.remember_consent`,
      `${TOKEN}.used_at as token_used_at`,
      `${TOKEN}.expires_at`,
    ])
    .where(`${GRANT}.auth_id`, '=', authId)
    .where(`${GRANT}.revoked_at`, 'is', null)
    .where((where) => where.or([where(`${TOKEN}.token_hash`, 'is not', null), where('remember_consent', '=', 1)]))
    .orderBy(`${GRANT}.grant_id`, 'desc')
    .limit(STEP)
    .execute();
}

/**
 * The apps of a user's current consents, all or one, with the granted scopes and what the app still has.
 * Empty for a user who may not log in.
 */
export async function findLiveScopes(
  { kysely }: Database,
  {
    profileId,
    clientId,
    now,
  }: { readonly profileId: number; readonly clientId: string | undefined; readonly now: number },
): Promise<Row[]> {
  const consents = kysely
    .selectFrom(GRANT)
    .innerJoin('treadle_auth', 'treadle_auth.auth_id', `${GRANT}.auth_id`)
    .innerJoin(APP, `${APP}.app_id`, `${GRANT}.app_id`)
    .select([
      `${GRANT}.app_id`,
      `${GRANT}.scopes`,
      `${APP}.name as app_name`,
      `${APP}.scopes as app_scopes`,
      `${APP}.approved as app_approved`,
    ])
    .where('treadle_auth.profile_id', '=', profileId)
    .where('treadle_auth.auth_active', '=', 1)
    .where(`${GRANT}.revoked_at`, 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom(TOKEN)
          .select('token_hash')
          .whereRef(`${TOKEN}.grant_id`, '=', `${GRANT}.grant_id`)
          .where(`${TOKEN}.revoked_at`, 'is', null)
          .where(`${TOKEN}.consumed_at`, 'is', null)
          .where(`${TOKEN}.expires_at`, '>', now),
      ),
    )
    .limit(STEP);
  return (clientId === undefined ? consents : consents.where(`${APP}.client_id`, '=', clientId)).execute();
}

/** Last use of any token, also an ended one, for each app of a user. */
export async function findLastUses({ kysely }: Database, authId: number): Promise<Map<number, number>> {
  const rows = await kysely
    .selectFrom(TOKEN)
    .innerJoin(GRANT, `${GRANT}.grant_id`, `${TOKEN}.grant_id`)
    .select([`${TOKEN}.app_id`, (select) => select.fn.max(`${TOKEN}.used_at`).as('used_at')])
    .where(`${GRANT}.auth_id`, '=', authId)
    .groupBy(`${TOKEN}.app_id`)
    .execute();
  return new Map(rows.filter((row) => row.used_at !== null).map((row) => [Number(row.app_id), Number(row.used_at)]));
}

/** Revokes all consents of a user, or those to one app, with their tokens; returns the number. */
export async function revokeGrantsOf(
  { kysely }: Database,
  { authId, appId, now }: { readonly authId: number; readonly appId?: number; readonly now: number },
): Promise<number> {
  let grants = kysely
    .updateTable(GRANT)
    .set({ revoked_at: now })
    .where('auth_id', '=', authId)
    .where('revoked_at', 'is', null);
  if (appId !== undefined) grants = grants.where('app_id', '=', appId);
  const revoked = await grants.returning('grant_id').execute();
  // By consent, which has an index; includes tokens created while this request waited.
  const ids = revoked.map(({ grant_id: id }) => Number(id));
  for (let start = 0; start < ids.length; start += STEP / 2) {
    await kysely
      .updateTable(TOKEN)
      .set({ revoked_at: now })
      .where('grant_id', 'in', ids.slice(start, start + STEP / 2))
      .where('revoked_at', 'is', null)
      .execute();
  }
  return ids.length;
}

/**
 * Deletes every consent, code and token of an account that is deleted, and suspends the apps that it owned. Gives the names of
 * their sandboxes, which no app has any more.
 */
export async function deleteOf({ kysely }: Database, authId: number): Promise<string[]> {
  const grants = kysely.selectFrom(GRANT).select('grant_id').where('auth_id', '=', authId);
  for (const table of [TOKEN, CODE]) {
    await kysely.deleteFrom(table).where('grant_id', 'in', grants).execute();
    await kysely.deleteFrom(table).where('auth_id', '=', authId).execute();
  }
  await kysely.deleteFrom(GRANT).where('auth_id', '=', authId).execute();
  const owned = await kysely.selectFrom(APP).select('sandbox').where('owner_auth_id', '=', authId).execute();
  await kysely
    .updateTable(APP)
    .set({ owner_auth_id: null, active: APP_STATE.suspended, ...NO_SANDBOX })
    .where('owner_auth_id', '=', authId)
    .execute();
  return owned.flatMap(({ sandbox }) => (typeof sandbox === 'string' ? [sandbox] : []));
}

/** Number of a user's stored consents, including ended ones. */
export async function countGrants({ kysely }: Database, authId: number): Promise<number> {
  const row = await kysely
    .selectFrom(GRANT)
    .select((select) => select.fn.countAll().as('count'))
    .where('auth_id', '=', authId)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** The current consents of a user to an app, except the newest. */
export async function findSurplusGrants(
  { kysely }: Database,
  { authId, appId, kept }: { readonly authId: number; readonly appId: number; readonly kept: number },
): Promise<number[]> {
  const rows = await kysely
    .selectFrom(GRANT)
    .select('grant_id')
    .where('auth_id', '=', authId)
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null)
    .orderBy('grant_id', 'desc')
    .limit(STEP)
    .offset(kept)
    .execute();
  return rows.map(({ grant_id: id }) => Number(id));
}

/**
 * Consents of the day before or older without token or code, to apps that ask each time. Kept for a day, so
 * that reuse of a code or token is recognized.
 */
export async function findOldGrants({ kysely }: Database, now: number): Promise<number[]> {
  const rows = await kysely
    .selectFrom(GRANT)
    .innerJoin(APP, `${APP}.app_id`, `${GRANT}.app_id`)
    .select('grant_id')
    .where(`${GRANT}.created_at`, '<', now - DAY)
    .where((where) => where.or([where('revoked_at', 'is not', null), where('remember_consent', '=', 0)]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom(TOKEN).select('token_hash').whereRef(`${TOKEN}.grant_id`, '=', `${GRANT}.grant_id`))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom(CODE).select('code_hash').whereRef(`${CODE}.grant_id`, '=', `${GRANT}.grant_id`))),
    )
    .limit(STEP)
    .execute();
  return rows.map(({ grant_id: id }) => Number(id));
}

/** Deletes consents; returns whether there may be more. */
export async function deleteGrants({ kysely }: Database, ids: readonly number[]): Promise<boolean> {
  await kysely.deleteFrom(GRANT).where('grant_id', 'in', ids).execute();
  return ids.length === STEP;
}

/**
 * Deletes codes and access tokens a day after they end, and refresh tokens once their consent can have no
 * valid token: until then reuse is recognized. Returns whether there may be more.
 */
export async function tidy({ kysely }: Database, now: number, refreshSeconds: number): Promise<boolean> {
  const ends = [
    { kind: 'access', before: now - DAY },
    { kind: 'refresh', before: now - refreshSeconds },
  ];
  const removed: number[] = [];
  for (const { kind, before } of ends) {
    const old = kysely
      .selectFrom(TOKEN)
      .select('token_hash')
      .where('expires_at', '<', before)
      .where('kind', '=', kind)
      .limit(STEP);
    removed.push(
      (await kysely.deleteFrom(TOKEN).where('token_hash', 'in', old).returning('token_hash').execute()).length,
    );
  }
  const codes = kysely
    .selectFrom(CODE)
    .select('code_hash')
    .where('expires_at', '<', now - DAY)
    .limit(STEP);
  removed.push((await kysely.deleteFrom(CODE).where('code_hash', 'in', codes).returning('code_hash').execute()).length);
  return removed.includes(STEP);
}

/** Whether anything is old enough to delete, without a write. */
export async function hasOld({ kysely }: Database, now: number, refreshSeconds: number): Promise<boolean> {
  const found = await sql<Row>`
    select 1 as found where exists (select 1 from ${sql.table(CODE)} where expires_at < ${now - DAY})
    or exists (select 1 from ${sql.table(TOKEN)} where expires_at < ${now - DAY} and kind = 'access')
    or exists (select 1 from ${sql.table(TOKEN)} where expires_at < ${now - refreshSeconds} and kind = 'refresh')
  `.execute(kysely);
  return found.rows.length > 0;
}
