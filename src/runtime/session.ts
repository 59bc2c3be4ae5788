import { createHmac } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { Attached } from '../core/attached.ts';
import { type Clock, type Random, toSeconds } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import { createToken, digest, isSameSecret, type RootSecret } from '../core/secret.ts';
import type { Database, SystemTable } from '../database/database.ts';
import { lockRows } from '../database/lock-rows.ts';
import type { Sessions } from '../plan/feature.ts';
import { readCookie, toSessionCookie, toSessionCookieName } from './cookie.ts';
import { endSession, listSessions, toVisitor, type Visitor } from './session-list.ts';

/** Sessions: one row each, found by the SHA-256 of the cookie's value, so that a copy of the table gives no access. */
export const sessionTable: SystemTable = {
  name: 'treadle_session',
  columns: [
    { name: 'key', type: 'key' },
    { name: 'auth_id', type: 'integer' },
    { name: 'data', type: 'json', isRequired: true },
    { name: 'created_at', type: 'integer', isRequired: true },
    { name: 'seen_at', type: 'integer', isRequired: true },
    // Of the last visit that was noted, for the list that its user sees.
    { name: 'address', type: 'text' },
    { name: 'browser', type: 'text' },
    { name: 'expires_at', type: 'integer', isRequired: true },
  ],
  indexes: [
    { name: 'treadle_session_auth_id', columns: ['auth_id'] },
    { name: 'treadle_session_expires_at', columns: ['expires_at'] },
  ],
};

/** Even an active session ends after 90 days. */
export const ABSOLUTE_SECONDS = 90 * 86_400;
/** Minimum seconds between two recorded visits. */
const TOUCH_SECONDS = 60;
const PURGE_SECONDS = 3600;

type Data = Record<string, unknown>;

interface Stored {
  readonly key: string;
  readonly json: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly language: string | undefined;
}

/** A request's view of a session. */
export interface OpenSession {
  readonly data: Data;
  readonly stored: Stored | undefined;
  readonly isSecure: boolean;
  /** Tag of the language that the account of its user keeps; absent without one. */
  readonly language?: string | undefined;
}

interface State extends OpenSession {
  /** Id of the session that this request starts, if it is known already. */
  nextId: string | undefined;
  isEnded: boolean;
  /** Its form token, by the key that it was made for. */
  formToken?: { readonly key: string; readonly text: string };
}

export interface SessionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly secret: RootSecret;
  readonly log: Log;
  /** Seconds without a visit after which a session ends; read at each use, because the settings may be reloaded. */
  readonly idleSeconds: () => number;
  /** Whether to read the languages of accounts; read at each use. Default: it does not. */
  readonly hasLanguages?: () => boolean;
}

/** The sessions, with the steps that the runtime runs before and after a request. */
export interface RuntimeSessions extends Sessions {
  /** Finds the session of a cookie header with one query; undefined without a cookie, or if the session has ended. */
  open(cookies: string | undefined, isSecure: boolean): Promise<OpenSession | undefined>;
  /** Binds a request to its session, or to none. */
  attach(request: Request, session: OpenSession | undefined, isSecure: boolean): void;
  /** Stores changes before the answer is sent; returns the `Set-Cookie` value if one is needed. */
  close(request: Request): Promise<string | undefined>;
  /** True if a form's `csrf` field matches the session, or if there is nothing to compare: no field, or no session. */
  isFormToken(request: Request, token: unknown): boolean;
  /** Whether the request carries a session, or has written to one. */
  isPrivate(request: Request): boolean;
  /** Resolves when the deferred work (recorded visits, removal of ended sessions) is done. */
  settled(): Promise<void>;
}

function parseData(json: unknown): Data {
  const value: unknown = typeof json === 'string' ? JSON.parse(json) : json;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function findAuthId(data: Data): number | null {
  const me = data.me as { auth_id?: unknown } | undefined;
  const id = Number(me?.auth_id);
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

/** The statements, compiled once; values are bound in order. */
function compileStatements(
  database: Database,
): Readonly<Record<'find' | 'findSpeaking' | 'lock' | 'insert' | 'update' | 'touch', CompiledQuery>> {
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

class SessionStore {
  readonly #options: SessionOptions;
  readonly #statements: ReturnType<typeof compileStatements>;
  #purgedAt = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#statements = compileStatements(options.database);
  }

  now(): number {
    return toSeconds(this.#options.clock.now());
  }

  #expiry(now: number, createdAt: number): number {
    return Math.min(now + this.#options.idleSeconds(), createdAt + ABSOLUTE_SECONDS);
  }

  find(key: string): Promise<Stored | undefined> {
    return this.#read(key, this.#options.hasLanguages?.() ? 'findSpeaking' : 'find');
  }

  async #read(key: string, how: 'find' | 'findSpeaking' | 'lock'): Promise<Stored | undefined> {
    const [row] = await this.#options.database.run(this.#statements[how], [key, this.now()]);
    if (!row) return undefined;
    const json = typeof row.data === 'string' ? row.data : JSON.stringify(row.data);
    const language = typeof row.language === 'string' ? row.language : undefined;
    return { key, json, createdAt: Number(row.created_at), seenAt: Number(row.seen_at), language };
  }

  async insert(key: string, data: Data, { address, browser }: Visitor): Promise<void> {
    const now = this.now();
    const row = [key, findAuthId(data), JSON.stringify(data), now, now, this.#expiry(now, now), address, browser];
    await this.#options.database.run(this.#statements.insert, row);
  }

  /** Must run in a transaction, so that no other process changes the row between read and write. */
  async update(stored: Stored, data: Data): Promise<void> {
    const current = await this.#read(stored.key, 'lock');
    // Another request ended the session meanwhile: it stays ended.
    if (!current) return;
    const merged = mergeChanges(parseData(stored.json), data, parseData(current.json));
    const now = this.now();
    const values = [JSON.stringify(merged), findAuthId(merged), now, this.#expiry(now, current.createdAt), stored.key];
    await this.#options.database.run(this.#statements.update, values);
  }

  async touch({ key, createdAt }: Stored, { address, browser }: Visitor): Promise<void> {
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

/** Tasks that no request waits for. */
function createUpkeep(log: Log): { later(task: () => Promise<void>): void; settled(): Promise<void> } {
  const pending = new Set<Promise<void>>();
  return {
    later(task) {
      const running = task()
        .catch((error: unknown) => log.warn('session upkeep failed', { error }))
        .finally(() => pending.delete(running));
      pending.add(running);
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** Key of the session that a form on this page will be posted with. */
function findKey(state: State | undefined): string | undefined {
  if (state?.nextId !== undefined) return digest(state.nextId);
  return state?.isEnded ? undefined : state?.stored?.key;
}

function renewed(state: State, random: Random): string {
  state.nextId ??= createToken(random);
  return state.nextId;
}

/** Stores the data under a new id and removes the old row; without data only removes. Returns the cookie. */
async function replaceSession(
  state: State,
  data: Data,
  options: { store: SessionStore; database: Database; random: Random; visitor: Visitor },
): Promise<string | undefined> {
  const { store, database, random, visitor } = options;
  const { stored } = state;
  if (Object.keys(data).length === 0) {
    if (!stored) return undefined;
    await store.remove(stored.key);
    return toSessionCookie('', state.isSecure, 0);
  }
  const id = renewed(state, random);
  await database.write(async () => {
    if (stored) await store.remove(stored.key);
    await store.insert(digest(id), data, visitor);
  });
  return toSessionCookie(id, state.isSecure, ABSOLUTE_SECONDS);
}

/** Server-side sessions in `treadle_session`. A visitor without session data has no row. */
export function createSessions(options: SessionOptions): RuntimeSessions {
  const { database, random } = options;
  const store = new SessionStore(options);
  const upkeep = createUpkeep(options.log);
  const states = new Attached<Request, State>();
  const formTokenOf = (request: Request): string => {
    const state = states.get(request);
    const key = findKey(state);
    if (state === undefined || key === undefined) return '';
    if (state.formToken?.key !== key) {
      const text = createHmac('sha256', options.secret.derive(['csrf']))
        .update(key)
        .digest('base64url');
      state.formToken = { key, text };
    }
    return state.formToken.text;
  };

  return {
    async open(cookies, isSecure) {
      const value = readCookie(cookies, toSessionCookieName(isSecure));
      const stored = value ? await store.find(digest(value)) : undefined;
      return stored && { data: parseData(stored.json), stored, isSecure, language: stored.language };
    },
    attach(request, session, isSecure) {
      const base = session ?? { data: {}, stored: undefined, isSecure };
      states.set(request, { ...base, nextId: undefined, isEnded: false });
    },
    async close(request) {
      const state = states.get(request);
      if (!state) return undefined;
      const { stored } = state;
      const visitor = toVisitor(request);
      if (request.sessionChanges === 0 && !state.isEnded && state.nextId === undefined) {
        if (stored && store.now() - stored.seenAt >= TOUCH_SECONDS) upkeep.later(() => store.touch(stored, visitor));
        return undefined;
      }
      states.set(request, undefined);
      const data = request.getSession() as Data;
      if (stored && !state.isEnded && state.nextId === undefined) {
        await database.write(() => store.update(stored, data));
        return undefined;
      }
      const cookie = await replaceSession(state, data, { store, database, random, visitor });
      if (store.isPurgeDue()) upkeep.later(() => store.purge());
      return cookie;
    },
    isFormToken(request, token) {
      if (token === undefined || token === '') return true;
      const expected = formTokenOf(request);
      return expected === '' || (typeof token === 'string' && isSameSecret(expected, token));
    },
    isPrivate: (request) => request.sessionChanges > 0 || states.get(request)?.stored !== undefined,
    renew(request) {
      const state = states.get(request);
      if (state) renewed(state, random);
    },
    end(request) {
      const state = states.get(request);
      request.setSession({});
      if (state) Object.assign(state, { isEnded: true, nextId: undefined });
    },
    endAll: (authId, except) => store.removeOf(authId, except && states.get(except)?.stored?.key),
    list: (authId, request) =>
      listSessions(database, { authId, now: store.now(), own: request && states.get(request)?.stored?.key }),
    endOne: (authId, id) => database.write(() => endSession(database, authId, id)),
    formToken: formTokenOf,
    settled: () => upkeep.settled(),
  };
}
