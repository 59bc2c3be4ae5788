import * as z from 'zod';
import { toSeconds, toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Services } from '../../../plan/feature.ts';
import { toAddress } from '../account/account.ts';
import { toBrowserName } from '../browser-name.ts';
import type { AuthRow } from '../sql.ts';

const TABLE = 'treadle_auth_device';
/** Days without a second step on a device. */
export const TRUST_DAYS = 30;
const TRUST_SECONDS = TRUST_DAYS * 86_400;
/** Accounts that a browser may be trusted by, the newest first. */
const MOST_ACCOUNTS = 4;
/** Devices of an account; beyond, the oldest is dropped. */
const MOST_DEVICES = 20;
/** Least seconds between two noted visits. */
const NOTED_SECONDS = 60;
const SEPARATOR = '~';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const isSecure = (request: Request): boolean => request.getServer('HTTPS') === 'on';
const toName = (request: Request): string => (isSecure(request) ? '__Secure-trusted' : 'trusted');

function readTokens(request: Request): string[] {
  const value = request.getCookies(toName(request));
  return typeof value === 'string' ? value.split(SEPARATOR, MOST_ACCOUNTS).filter((text) => TOKEN.test(text)) : [];
}

async function findTrusted({ database, clock }: Services, request: Request, auth: AuthRow): Promise<Row | undefined> {
  const tokens = readTokens(request);
  if (tokens.length === 0) return undefined;
  return database.kysely
    .selectFrom(TABLE)
    .selectAll()
    .where('key', 'in', tokens.map(digest))
    .where('auth_id', '=', auth.auth_id)
    .where('expires_at', '>', toSeconds(clock.now()))
    .executeTakeFirst();
}

/** Whether the request's browser needs no second step for this account; notes the visit. */
export async function useTrust(services: Services, request: Request, auth: AuthRow): Promise<boolean> {
  const { database, clock } = services;
  const device = await findTrusted(services, request, auth);
  if (!device) return false;
  if (toSeconds(clock.now()) - Number(device.used_at) < NOTED_SECONDS) return true;
  const seen = { used_at: toSeconds(clock.now()), address: toAddress(request) };
  const query = database.kysely.updateTable(TABLE).set(seen).where('device_id', '=', device.device_id);
  await database.write(() => query.execute());
  return true;
}

async function dropOldest({ kysely }: Database, authId: number): Promise<void> {
  const query = kysely.selectFrom(TABLE).select('device_id').where('auth_id', '=', authId);
  const rows = await query.orderBy('device_id', 'desc').execute();
  const old = rows.slice(MOST_DEVICES - 1).map(({ device_id }) => device_id);
  if (old.length > 0) await kysely.deleteFrom(TABLE).where('device_id', 'in', old).execute();
}

/** Lets a browser log in without the second step for 30 days. Its token is stored as a hash, and names one account. */
export async function trust(services: Services, request: Request, response: Response, auth: AuthRow): Promise<void> {
  const { database, clock, random } = services;
  const token = createToken(random);
  const now = toSeconds(clock.now());
  const row = {
    auth_id: auth.auth_id,
    key: digest(token),
    browser: toBrowserName(String(request.getHeader('user-agent') ?? '').slice(0, 300)),
    address: toAddress(request),
    created_at: now,
    used_at: now,
    expires_at: now + TRUST_SECONDS,
  };
  await database.write(async () => {
    await database.kysely.deleteFrom(TABLE).where('expires_at', '<=', now).execute();
    await dropOldest(database, auth.auth_id);
    await database.kysely.insertInto(TABLE).values(row).execute();
  });
  const value = [token, ...readTokens(request)].slice(0, MOST_ACCOUNTS).join(SEPARATOR);
  const attributes = `Path=/auth; Max-Age=${TRUST_SECONDS}; HttpOnly; SameSite=Lax`;
  const cookie = `${toName(request)}=${value}; ${attributes}${isSecure(request) ? '; Secure' : ''}`;
  response.addHeader('set-cookie', [response.getHeaders('set-cookie') ?? [], cookie].flat());
}

/** A device that needs no second step. */
export const deviceRow = () =>
  z.object({
    device: z.number(),
    browser: z.string(),
    address: z.string(),
    created: z.string(),
    used: z.string(),
    expires: z.string(),
  });

/** The devices of an account that need no second step, the last used first. */
export async function listTrusted(
  { database, clock }: Services,
  authId: number,
): Promise<z.output<ReturnType<typeof deviceRow>>[]> {
  const query = database.kysely.selectFrom(TABLE).selectAll().where('auth_id', '=', authId);
  const rows = await query.where('expires_at', '>', toSeconds(clock.now())).orderBy('used_at', 'desc').execute();
  return rows.map((row) => ({
    device: Number(row.device_id),
    browser: String(row.browser),
    address: String(row.address),
    created: toStamp(Number(row.created_at) * 1000),
    used: toStamp(Number(row.used_at) * 1000),
    expires: toStamp(Number(row.expires_at) * 1000),
  }));
}

/**
 * Takes the trust from one device of an account, or from all.
 * @returns How many it was taken from.
 */
export async function dropTrust({ kysely }: Database, authId: number, deviceId?: number): Promise<number> {
  const query = kysely.deleteFrom(TABLE).where('auth_id', '=', authId);
  const one = deviceId === undefined ? query : query.where('device_id', '=', deviceId);
  return (await one.returning('device_id').execute()).length;
}
