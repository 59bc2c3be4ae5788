import type { CompiledQuery } from 'kysely';
import { type Clock, type Random, toSeconds } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import { defer } from '../../core/memoize.ts';
import { toObject } from '../../core/record.ts';
import type { RootSecret } from '../../core/secret/secret.ts';
import type { Database } from '../../database/database.ts';
import { lockRows } from '../../database/lock-rows.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Visitor } from './session-list.ts';

/** Even an active session ends after 90 days. */
export const ABSOLUTE_SECONDS = 90 * 86_400;
const PURGE_SECONDS = 3600;

/** The data of a session. */
export type Data = Record<string, unknown>;

/** A session as it was read. */
export interface StoredSession {
  readonly key: string;
  readonly json: string;
  readonly createdAt: number;
  readonly seenAt: number;
  /** Tag of the language that the account of its user keeps; undefined without one. */
  readonly language: string | undefined;
  /** The account of its user with the columns of the profile; undefined if it was not read, or without one. */
  readonly account?: Row | undefined;
}

export interface SessionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly secret: RootSecret;
  readonly log: Log;
  /** Public address of the site; its path is that of the cookie. */
  readonly baseUrl: () => string;
  /** Seconds without a visit after which a session ends; read at each use, because the settings may be reloaded. */
  readonly idleSeconds: () => number;
  /** Whether to read the languages of accounts; read at each use. Default: it does not. */
  readonly hasLanguages?: () => boolean;
}

export function parseData(json: unknown): Data {
  const value: unknown = typeof json === 'string' ? JSON.parse(json) : json;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toStored(key: string, { data, created_at, seen_at, language }: Row): StoredSession {
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  const tag = typeof language === 'string' ? language : undefined;
  return { key, json, createdAt: Number(created_at), seenAt: Number(seen_at), language: tag };
}

function findAuthId(data: Data): number | null {
  const id = Number(toObject(data.me).auth_id);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Merges this request's changes, entry by entry, into the current row, so that concurrent requests lose nothing. */
function mergeChanges(before: Data, after: Data, current: Data): Data {
  const merged = { ...current };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (JSON.stringify(before[key]) === JSON.stringify(after[key])) continue;
    if (after[key] === undefined) delete merged[key];
    else merged[key] = after[key];
  }
  return merged;
}

/** A session with the account of its user, as `findAccount` of the auth feature reads it, by one statement. */
function compileFindWithAccount({ kysely }: Database): CompiledQuery {
  return (
    kysely
      .selectFrom('treadle_session')
      .leftJoin('treadle_auth', 'treadle_auth.auth_id', 'treadle_session.auth_id')
      .leftJoin('profile', 'profile.profile_id', 'treadle_auth.profile_id')
      .selectAll('profile')
      // After the profile, because the last column of a name counts.
      .selectAll('treadle_auth')
      .select([
        'treadle_session.data as treadle_session_data',
        'treadle_session.created_at as treadle_session_created_at',
        'treadle_session.seen_at as treadle_session_seen_at',
      ])
      .where('treadle_session.key', '=', '')
      .where('treadle_session.expires_at', '>', 0)
      .compile()
  );
}

type Statement = 'find' | 'findSpeaking' | 'findWithAccount' | 'lock' | 'insert' | 'update' | 'touch';

/** The statements, compiled once; values are bound in order. */
function compileStatements(database: Database): Readonly<Record<Statement, CompiledQuery>> {
  const { kysely } = database;
  const row = { key: '', auth_id: 0, data: '', created_at: 0, seen_at: 0, expires_at: 0, address: '', browser: '' };
  const find = kysely
    .selectFrom('treadle_session')
    .select(['data', 'created_at', 'seen_at'])
    .where('key', '=', '')
    .where('expires_at', '>', 0);
  // Read with the session, because each page needs it. Only models with accounts have the table.
  const account = kysely.selectFrom('treadle_auth').whereRef('treadle_auth.auth_id', '=', 'treadle_session.auth_id');
  return {
    find: find.compile(),
    findSpeaking: find.select(account.select('auth_language').as('language')).compile(),
    findWithAccount: compileFindWithAccount(database),
    lock: lockRows(find, database).compile(),
    insert: kysely.insertInto('treadle_session').values(row).compile(),
    update: kysely
      .updateTable('treadle_session')
      .set({ data: '', auth_id: 0, seen_at: 0, expires_at: 0 })
      .where('key', '=', '')
      .compile(),
    touch: kysely
      .updateTable('treadle_session')
      .set({ seen_at: 0, expires_at: 0, address: '', browser: '' })
      .where('key', '=', '')
      .compile(),
  };
}

/** The statements on `treadle_session`. */
export class SessionStore {
  readonly #options: SessionOptions;
  readonly #statements: ReturnType<typeof compileStatements>;
  #purgedAt = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#statements = defer(() => compileStatements(options.database));
  }

  now(): number {
    return toSeconds(this.#options.clock.now());
  }

  #expiry(now: number, createdAt: number): number {
    return Math.min(now + this.#options.idleSeconds(), createdAt + ABSOLUTE_SECONDS);
  }

  /** @param withAccount True to read the account of its user too. */
  async find(key: string, withAccount: boolean): Promise<StoredSession | undefined> {
    const isSpeaking = this.#options.hasLanguages?.() === true;
    if (!withAccount) return this.#read(key, isSpeaking ? 'findSpeaking' : 'find');
    const [row] = await this.#options.database.run(this.#statements.findWithAccount, [key, this.now()]);
    if (!row) return undefined;
    const { treadle_session_data: data, treadle_session_created_at, treadle_session_seen_at, ...account } = row;
    const language = isSpeaking ? account.auth_language : undefined;
    const times = { created_at: treadle_session_created_at, seen_at: treadle_session_seen_at };
    const stored = toStored(key, { data, ...times, language });
    return typeof account.auth_id === 'number' ? { ...stored, account } : stored;
  }

  async #read(key: string, how: 'find' | 'findSpeaking' | 'lock'): Promise<StoredSession | undefined> {
    const [row] = await this.#options.database.run(this.#statements[how], [key, this.now()]);
    return row && toStored(key, row);
  }

  async insert(key: string, data: Data, { address, browser }: Visitor): Promise<void> {
    const now = this.now();
    const row = [key, findAuthId(data), JSON.stringify(data), now, now, this.#expiry(now, now), address, browser];
    await this.#options.database.run(this.#statements.insert, row);
  }

  /** Must run in a transaction, so that no other process changes the row between read and write. */
  async update(stored: StoredSession, data: Data): Promise<void> {
    const current = await this.#read(stored.key, 'lock');
    // Another request ended the session meanwhile: it stays ended.
    if (!current) return;
    const merged = mergeChanges(parseData(stored.json), data, parseData(current.json));
    const now = this.now();
    const values = [JSON.stringify(merged), findAuthId(merged), now, this.#expiry(now, current.createdAt), stored.key];
    await this.#options.database.run(this.#statements.update, values);
  }

  async touch({ key, createdAt }: StoredSession, { address, browser }: Visitor): Promise<void> {
    const now = this.now();
    const values = [now, this.#expiry(now, createdAt), address, browser, key];
    await this.#options.database.run(this.#statements.touch, values);
  }

  async remove(key: string): Promise<void> {
    await this.#options.database.kysely.deleteFrom('treadle_session').where('key', '=', key).execute();
  }

  async removeOf(authId: number, exceptKey: string | undefined): Promise<void> {
    const query = this.#options.database.kysely.deleteFrom('treadle_session').where('auth_id', '=', authId);
    await (exceptKey === undefined ? query : query.where('key', '!=', exceptKey)).execute();
  }

  isPurgeDue(): boolean {
    const isDue = this.now() - this.#purgedAt >= PURGE_SECONDS;
    if (isDue) this.#purgedAt = this.now();
    return isDue;
  }

  async purge(): Promise<void> {
    await this.#options.database.kysely.deleteFrom('treadle_session').where('expires_at', '<=', this.now()).execute();
  }
}
