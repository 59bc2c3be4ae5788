import { type CompiledQuery, sql } from 'kysely';
import { memoize } from '../../core/memoize.ts';
import { listEmailForms, normalizeEmail } from '../../core/text/email.ts';
import type { Database } from '../../database/database.ts';
import { lockRows } from '../../database/lock-rows.ts';
import type { Row } from '../../database/row-statement.ts';
import { ADMIN } from '../../model/role/role.ts';
import { Slot } from '../../store/read/parse/operator.ts';
import type { CompiledFilter } from '../../store/read/parse/predicate.ts';

export const AUTH = 'treadle_auth';

export type AuthRow = Row & {
  readonly auth_id: number;
  readonly auth_slug: string;
  readonly auth_password: string;
  readonly auth_type: string;
  readonly auth_active: number;
  readonly auth_verified: number;
  /** 1 if the account was made while `auth.verify` was on: only such an account must be verified to log in. */
  readonly auth_verify: number;
  /** Kinds of second factors, such as `totp,passkey`; empty: the password is enough. */
  readonly auth_second_factor: string;
  /** Tag of the language that its user chose; empty if there is no choice. */
  readonly auth_language: string;
  readonly profile_id: number;
};

/** True if the account has a password; one that a provider made has none until its user sets one. */
export const hasPassword = (auth: AuthRow): boolean => auth.auth_password !== '';

export interface NewAuth {
  readonly slug: string;
  readonly password: string;
  readonly type: string;
  readonly isActive: boolean;
  readonly isVerified: boolean;
  readonly mustVerify: boolean;
  readonly language: string;
  readonly profileId: number;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly stamp: string;
}

type AccountColumn = 'auth_id' | 'auth_slug' | 'profile_id';

/** The account whose stored address comes first among the forms of an address. */
const pickForm = (rows: readonly Row[], forms: readonly string[]): AuthRow | undefined =>
  forms.flatMap((form) => rows.filter((row) => row.auth_slug === form))[0] as AuthRow | undefined;

/** An account without its profile. An e-mail address finds it in every form in which it may be stored. */
export async function findAuth(
  { kysely }: Database,
  column: AccountColumn,
  value: number | string,
): Promise<AuthRow | undefined> {
  const all = kysely.selectFrom(AUTH).selectAll();
  if (column !== 'auth_slug') return (await all.where(column, '=', value).executeTakeFirst()) as AuthRow | undefined;
  const forms = listEmailForms(String(value));
  return pickForm(await all.where(column, 'in', forms).execute(), forms);
}

/** Most forms of an address. */
const FORMS = 5;

/** The statements of {@link findAccount}, compiled once: each page of a logged-in person reads an account. */
const accountQueries = memoize(({ kysely }: Database): Readonly<Record<AccountColumn, CompiledQuery>> => {
  const joined = kysely
    .selectFrom(AUTH)
    .leftJoin('profile', 'profile.profile_id', `${AUTH}.profile_id`)
    .selectAll('profile')
    // The account is last, because the last column of a name counts.
    .selectAll(AUTH);
  return {
    auth_id: joined.where(`${AUTH}.auth_id`, '=', 0).compile(),
    auth_slug: joined.where(`${AUTH}.auth_slug`, 'in', Array(FORMS).fill('')).compile(),
    profile_id: joined.where(`${AUTH}.profile_id`, '=', 0).orderBy(`${AUTH}.auth_id`).compile(),
  };
});

/** An account with the columns of its profile, by one statement. */
export async function findAccount(
  database: Database,
  column: AccountColumn,
  value: number | string,
): Promise<AuthRow | undefined> {
  const query = accountQueries(database)[column];
  if (column !== 'auth_slug') return (await database.run(query, [value]))[0] as AuthRow | undefined;
  const forms = listEmailForms(String(value));
  const values = Array.from({ length: FORMS }, (_, index) => forms[index] ?? forms[0]);
  return pickForm(await database.run(query, values), forms);
}

/** Keeps others from changing an account until the transaction ends. */
export async function lockAuth(database: Database, authId: number): Promise<void> {
  const query = database.kysely.selectFrom(AUTH).select('auth_id').where('auth_id', '=', authId);
  await lockRows(query, database).execute();
}

export async function findProfile({ kysely }: Database, profileId: number): Promise<Row | undefined> {
  return kysely.selectFrom('profile').selectAll().where('profile_id', '=', profileId).executeTakeFirst();
}

/** The new row; undefined if the e-mail is taken, even by a concurrent sign-up. */
export async function insertAuth(database: Database, auth: NewAuth): Promise<AuthRow | undefined> {
  // The index knows only the canonical form, and an account from before it may be stored in another.
  if (await findAuth(database, 'auth_slug', auth.slug)) return undefined;
  return (await database.kysely
    .insertInto(AUTH)
    .values({
      auth_slug: auth.slug,
      auth_password: auth.password,
      auth_type: auth.type,
      auth_active: auth.isActive ? 1 : 0,
      auth_verified: auth.isVerified ? 1 : 0,
      auth_verify: auth.mustVerify ? 1 : 0,
      auth_language: auth.language,
      auth_created: auth.stamp,
      auth_updated: auth.stamp,
      profile_id: auth.profileId,
    })
    .onConflict((conflict) => conflict.column('auth_slug').doNothing())
    .returningAll()
    .executeTakeFirst()) as AuthRow | undefined;
}

export async function updateAuth({ kysely }: Database, authId: number, changes: Row): Promise<AuthRow | undefined> {
  return (await kysely
    .updateTable(AUTH)
    .set(changes)
    .where('auth_id', '=', authId)
    .returningAll()
    .executeTakeFirst()) as AuthRow | undefined;
}

/** Active accounts that may be administrators, kept from changes by others until the transaction ends. */
export async function listAdmins(database: Database): Promise<Row[]> {
  const accounts = database.kysely.selectFrom(AUTH).select(['auth_id', 'auth_type']).where('auth_active', '=', 1);
  const query = accounts.where('auth_type', 'like', `%${ADMIN}%`).orderBy('auth_id');
  return lockRows(query, database).execute();
}

/** The different values of `auth_type` of active accounts. */
export async function listTypes({ kysely }: Database): Promise<string[]> {
  const query = kysely.selectFrom(AUTH).select('auth_type').distinct().where('auth_active', '=', 1);
  return (await query.execute()).map((row) => String(row.auth_type));
}

/** E-mail and language of the accounts that keep one. */
export async function listLanguages({ kysely }: Database, emails: readonly string[]): Promise<Row[]> {
  const slugs = emails.flatMap(listEmailForms);
  const query = kysely.selectFrom(AUTH).select(['auth_slug', 'auth_language']).where('auth_slug', 'in', slugs);
  return query.where('auth_language', '!=', '').execute();
}

export async function deleteAuth({ kysely }: Database, authId: number): Promise<void> {
  await kysely.deleteFrom(AUTH).where('auth_id', '=', authId).execute();
}

export interface AuthSearch {
  readonly words: string;
  /** Empty: accounts of any roles. */
  readonly role: string;
  readonly active: 0 | 1 | undefined;
  readonly limit: number;
  readonly offset: number;
  /** A test on profiles with the alias `t`. Undefined: all. */
  readonly profiles: CompiledFilter | undefined;
}

/** Puts the values of a test into the statement that it is part of. */
function fill(compiled: CompiledQuery, values: readonly unknown[]): CompiledQuery {
  const parameters = compiled.parameters.map((value) => (value instanceof Slot ? values[value.index] : value));
  return { ...compiled, parameters };
}

/** Accounts with their profiles, oldest first, and the total number. */
export async function searchAuth(
  { kysely }: Database,
  { words, role, active, limit, offset, profiles }: AuthSearch,
): Promise<{ rows: Row[]; total: number }> {
  let query = kysely.selectFrom(AUTH).innerJoin('profile', 'profile.profile_id', `${AUTH}.profile_id`);
  const toLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
  if (role !== '') {
    // Slugs are separated by spaces or commas.
    const pattern = `% ${toLiteral(role)} %`;
    query = query.where(sql<boolean>`' ' || replace(auth_type, ',', ' ') || ' ' like ${pattern} escape '\\'`);
  }
  if (words !== '') {
    const toTest = (text: string) => sql<boolean>`auth_slug like ${`%${toLiteral(text)}%`} escape '\\'`;
    const tests = [...new Set([words.toLowerCase(), normalizeEmail(words)])].map(toTest);
    query = query.where(({ or }) => or(tests));
  }
  if (active !== undefined) query = query.where('auth_active', '=', active);
  if (profiles !== undefined) {
    const reached = sql`select t.profile_id from profile as t where ${profiles.test}`;
    query = query.where(sql<boolean>`profile.profile_id in (${reached})`);
  }
  const values = profiles?.values ?? [];
  const page = query.selectAll().orderBy('auth_id').limit(limit).offset(offset).compile();
  const count = query.select((select) => select.fn.countAll().as('total')).compile();
  const { rows } = await kysely.executeQuery(fill(page, values));
  const counted = await kysely.executeQuery<Row>(fill(count, values));
  return { rows: rows as Row[], total: Number(counted.rows[0]?.total ?? 0) };
}
