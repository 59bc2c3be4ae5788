import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import type { Refusal, Response } from '../../../core/request/response.ts';
import { lockRows } from '../../../database/lock-rows.ts';
import type { Row } from '../../../database/row-statement.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { type Rejection, reject } from '../../../plan/event/event.ts';
import type { Context, EventExchange, Services } from '../../../plan/feature.ts';
import { toAccount } from '../account/account.ts';
import { accountRow } from '../account/account-stage.ts';
import { NOBODY } from '../errors.ts';
import { type AccountSelection, findSelectedAuth } from '../find-requested.ts';
import { hasMail, sendMail } from '../mail/mail.ts';
import { AUTH, type AuthRow, findProfile, updateAuth } from '../sql.ts';
import { dropRecovery, renewRecovery } from './recovery.ts';
import { dropTrust } from './trusted-device.ts';

const TOTP = 'treadle_auth_totp';
const PASSKEY = 'treadle_auth_passkey';

export const NOT_BY_CALL: Refusal = {
  status: 403,
  code: 'EVENT_NOT_BY_CALL',
  message: 'A call cannot use or change second factors.',
};

async function hasRow({ database }: Services, table: string, authId: number): Promise<boolean> {
  const query = database.kysely.selectFrom(table).select('auth_id').where('auth_id', '=', authId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The account that a stage selects, unless a call asks: second factors are changed on pages and the command line only. */
export async function findOwner(
  context: Context,
  selection: AccountSelection,
  { request }: EventExchange,
): Promise<AuthRow | Rejection> {
  if (request.callFacts !== undefined) return reject(NOT_BY_CALL);
  return (await findSelectedAuth(context.services.database, selection)) ?? reject(NOBODY);
}

export interface FactorChange {
  /** Template of the mail that tells the user. */
  readonly mail: 'auth-factor-added' | 'auth-factor-removed';
  /** The factor in words, for the mail. */
  readonly factor: string;
  /** Changes the rows; false if there is nothing to change. Gets the account as it is now: nobody else changes it meanwhile. */
  readonly write: (current: AuthRow) => Promise<boolean>;
}

export interface FactorOutcome {
  readonly account: Row;
  /** New recovery codes, if the account got its first factor. */
  readonly codes: readonly string[] | undefined;
}

/** Mails the account what happened to its second factors; nothing without a mail server. */
export async function tellOwner(
  context: Context,
  response: Response,
  { auth, template, data }: { readonly auth: AuthRow; readonly template: string; readonly data: Row },
): Promise<void> {
  if (!hasMail(context)) return;
  const profile = await findProfile(context.services.database, auth.profile_id);
  const { auth_slug: to } = auth;
  const link = `${context.services.baseUrl()}/auth/second-factor`;
  const all = () => ({ link, name: profile?.profile_name, email: to, ...data });
  await sendMail(context, response, auth, { to, template, data: all });
}

/** Notes the kinds of an account's factors. The first one brings recovery codes; the last one takes them along. */
async function noteKinds(services: Services, auth: AuthRow) {
  const { database } = services;
  const authId = auth.auth_id;
  const kinds = [
    ...((await hasRow(services, TOTP, authId)) ? ['totp'] : []),
    ...((await hasRow(services, PASSKEY, authId)) ? ['passkey'] : []),
  ].join(',');
  const codes = auth.auth_second_factor === '' && kinds !== '' ? await renewRecovery(services, authId) : undefined;
  if (kinds === '') await dropRecovery(services, authId);
  return { codes, row: (await updateAuth(database, authId, { auth_second_factor: kinds })) ?? auth };
}

/**
 * Adds or removes factors of an account in one transaction, with the mail that tells its owner. Commits it as the event of the
 * exchange. A removal takes the trust from all devices.
 * @returns undefined if there was nothing to change.
 */
export async function changeFactors(
  context: Context,
  exchange: EventExchange,
  { auth, change }: { readonly auth: AuthRow; readonly change: FactorChange },
): Promise<FactorOutcome | undefined> {
  const { services } = context;
  const { database } = services;
  const { mail, factor, write } = change;
  return database.transaction(async () => {
    // Two changes at once must not each see the other's rows as they were.
    const query = database.kysely.selectFrom(AUTH).selectAll().where('auth_id', '=', auth.auth_id);
    const current = (await lockRows(query, database).executeTakeFirst()) as AuthRow | undefined;
    if (!current || !(await write(current))) return undefined;
    const { codes, row } = await noteKinds(services, current);
    if (mail === 'auth-factor-removed') await dropTrust(database, auth.auth_id);
    const account = toAccount(context, row, await findProfile(database, auth.profile_id));
    await commitResults(context, exchange, account);
    await tellOwner(context, exchange.response, { auth: row, template: mail, data: { factor } });
    return { account, codes };
  });
}

/** Removes factors of an account. Refuses with 404 if there is nothing to remove. */
export async function removeFactors(
  context: Context,
  exchange: EventExchange,
  auth: AuthRow,
  { factor, write, missing }: Pick<FactorChange, 'factor' | 'write'> & { readonly missing: () => Refusal },
): Promise<Rejection | undefined> {
  const change = { mail: 'auth-factor-removed', factor, write } as const;
  return (await changeFactors(context, exchange, { auth, change })) ? undefined : reject(missing());
}

/** As {@link accountRow}, with what the first factor brings. */
export const newFactorRow = () =>
  accountRow()
    .extend({ recovery_codes: z.array(z.string()).optional() })
    .describe(
      'The account and its profile in one row; `recovery_codes`, ten texts, if it is the first factor. Web hooks do not carry them.',
    );

/** Answers a new factor: with the recovery codes if it is the first. Then sessions that were opened with the password alone end. */
export async function answerNewFactor(
  { services }: Context,
  { request, response }: EventExchange,
  auth: AuthRow,
  { account, codes }: FactorOutcome,
): Promise<undefined> {
  if (codes !== undefined) await services.sessions.endAll(auth.auth_id, request);
  if (!response.isError()) response.setResults({ ...account, recovery_codes: codes });
}

/** Deletes all factors of an account; false if it has none. Runs inside {@link changeFactors}. */
export async function deleteAll({ database: { kysely } }: Services, authId: number): Promise<boolean> {
  const totp = await kysely.deleteFrom(TOTP).where('auth_id', '=', authId).returning('auth_id').execute();
  const passkeys = await kysely.deleteFrom(PASSKEY).where('auth_id', '=', authId).returning('auth_id').execute();
  return totp.length + passkeys.length > 0;
}

/** The seed of an account's authenticator app, still sealed. */
export async function findTotp({ database }: Services, authId: number): Promise<Row | undefined> {
  return database.kysely.selectFrom(TOTP).selectAll().where('auth_id', '=', authId).executeTakeFirst();
}

/** Stores the seed of an authenticator app in place of another one. */
export async function saveTotp(
  { database, clock, secret }: Services,
  { authId, seed, step }: { readonly authId: number; readonly seed: string; readonly step: number },
): Promise<void> {
  const { kysely } = database;
  await kysely.deleteFrom(TOTP).where('auth_id', '=', authId).execute();
  const row = { auth_id: authId, sealed: secret.seal(seed), last_step: step, created_at: toSeconds(clock.now()) };
  await kysely.insertInto(TOTP).values(row).execute();
}

export async function deleteTotp({ database }: Services, authId: number): Promise<boolean> {
  const query = database.kysely.deleteFrom(TOTP).where('auth_id', '=', authId).returning('auth_id');
  return (await query.execute()).length > 0;
}

/** Takes a time step, if neither it nor a later one was taken; of two requests with one code, one gets true. */
export async function takeStep({ database, clock }: Services, authId: number, step: number): Promise<boolean> {
  const query = database.kysely
    .updateTable(TOTP)
    .set({ last_step: step, used_at: toSeconds(clock.now()) })
    .where('auth_id', '=', authId)
    .where('last_step', '<', step)
    .returning('auth_id');
  return (await database.write(() => query.execute())).length > 0;
}
