import { createHmac } from 'node:crypto';
import { toSeconds } from '../../../core/clock.ts';
import type { Services } from '../../../plan/feature.ts';

const TABLE = 'treadle_auth_recovery';
export const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 75 bits. */
const LENGTH = 15;
const GROUP = 5;

/** A typed code in stored form: case, blanks and dashes do not matter. */
const tidy = (text: string): string => text.toLowerCase().replace(/[\s-]/g, '');

/** Whether a typed text has the form of a recovery code. */
export const isRecoveryCode = (text: string): boolean => /^[a-z0-9]{15}$/.test(tidy(text));

const toKey = ({ secret }: Services, authId: number, code: string): string =>
  createHmac('sha256', secret.derive(['auth', 'recovery']))
    .update(`${authId} ${tidy(code)}`)
    .digest('hex');

function createCode({ random }: Services): string {
  const letters = [...random(LENGTH)].map((byte) => LETTERS[byte % 32]).join('');
  return letters.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? letters;
}

/** Replaces the recovery codes of an account. Returns the new ones, which nobody can read again. */
export async function renewRecovery(services: Services, authId: number): Promise<string[]> {
  const { database, clock } = services;
  const codes = Array.from({ length: RECOVERY_CODES }, () => createCode(services));
  const created = toSeconds(clock.now());
  const rows = codes.map((code) => ({ key: toKey(services, authId, code), auth_id: authId, created_at: created }));
  await database.write(async () => {
    await dropRecovery(services, authId);
    await database.kysely.insertInto(TABLE).values(rows).execute();
  });
  return codes;
}

/** Uses up a recovery code; of two requests with one code, one gets true. */
export async function takeRecovery(services: Services, authId: number, code: string): Promise<boolean> {
  const query = services.database.kysely.deleteFrom(TABLE).where('key', '=', toKey(services, authId, code));
  return (await query.where('auth_id', '=', authId).returning('key').execute()).length > 0;
}

/** How many codes of an account are left. */
export async function countRecovery({ database }: Services, authId: number): Promise<number> {
  const query = database.kysely.selectFrom(TABLE).select((select) => select.fn.countAll().as('count'));
  return Number((await query.where('auth_id', '=', authId).executeTakeFirst())?.count ?? 0);
}

export async function dropRecovery({ database }: Services, authId: number): Promise<void> {
  await database.kysely.deleteFrom(TABLE).where('auth_id', '=', authId).execute();
}
