import { createHmac } from 'node:crypto';
import { AttachedValue } from '../../core/attached.ts';
import { BoundedMap } from '../../core/bounded-map.ts';
import type { Random } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import { toObject } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import { createToken, digest, isSameSecret } from '../../core/secret/secret.ts';
import { toBasePath } from '../../core/text/base-path.ts';
import type { Database, SystemTable } from '../../database/database.ts';
import type { Sessions } from '../../plan/feature.ts';
import { readCookie, toSessionCookie, toSessionCookieName } from './cookie.ts';
import { endSession, listSessions, toVisitor, type Visitor } from './session-list.ts';
import {
  ABSOLUTE_SECONDS,
  type Data,
  parseData,
  type SessionOptions,
  SessionStore,
  type StoredSession,
} from './session-store.ts';

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

/** Minimum seconds between two recorded visits. */
const TOUCH_SECONDS = 60;

/** A request's view of a session. */
export interface OpenSession {
  readonly data: Data;
  readonly stored: StoredSession | undefined;
  readonly isSecure: boolean;
  /** Tag of the language that the account of its user keeps; absent without one. */
  readonly language?: string | undefined;
}

interface State extends OpenSession {
  /** Id of the session that this request starts, if it is known already. */
  nextId: string | undefined;
  isEnded: boolean;
}

/** Sessions with a cached form token: each page of a session has the same. */
const MOST_FORM_TOKENS = 1000;

/** The sessions, with the steps that the runtime runs before and after a request. */
export interface RuntimeSessions extends Sessions {
  /**
   * Finds the session of a cookie header with one query; undefined without a cookie, or if the session has ended.
   *
   * @param withAccount True to read the account of its user by the same query. Default false.
   */
  open(cookies: string | undefined, isSecure: boolean, withAccount?: boolean): Promise<OpenSession | undefined>;
  /** Binds a request to its session, or to none. */
  attach(request: Request, session: OpenSession | undefined, isSecure: boolean): void;
  /** Stores changes before the answer is sent; returns the `Set-Cookie` value if one is needed. */
  close(request: Request): Promise<string | undefined>;
  /** Whether a form's `csrf` field is that of the session; `none` if there is no field or no session to compare. */
  judgeFormToken(request: Request, token: unknown): 'right' | 'wrong' | 'none';
  /** Whether the request carries a session, or has written to one. */
  isPrivate(request: Request): boolean;
  /** Resolves when the deferred work (recorded visits, removal of ended sessions) is done. */
  settled(): Promise<void>;
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
  options: { store: SessionStore; database: Database; random: Random; visitor: Visitor; basePath: string },
): Promise<string | undefined> {
  const { store, database, random, visitor, basePath } = options;
  const { stored, isSecure } = state;
  if (Object.keys(data).length === 0) {
    if (!stored) return undefined;
    await store.remove(stored.key);
    return toSessionCookie('', 0, { isSecure, basePath });
  }
  const id = renewed(state, random);
  await database.write(async () => {
    if (stored) await store.remove(stored.key);
    await store.insert(digest(id), data, visitor);
  });
  return toSessionCookie(id, ABSOLUTE_SECONDS, { isSecure, basePath });
}

/** Server-side sessions in `treadle_session`. A visitor without session data has no row. */
export function createSessions(options: SessionOptions): RuntimeSessions {
  const { database, random } = options;
  const basePath = (): string => toBasePath(options.baseUrl());
  const store = new SessionStore(options);
  const upkeep = createUpkeep(options.log);
  const states = new AttachedValue<Request, State>();
  const formTokens = new BoundedMap<string>(MOST_FORM_TOKENS);
  const toFormToken = (key: string): string =>
    createHmac('sha256', options.secret.derive(['csrf']))
      .update(key)
      .digest('base64url');
  const formTokenOf = (request: Request): string => {
    const key = findKey(states.get(request));
    return key === undefined ? '' : formTokens.getOrCreate(key, () => toFormToken(key));
  };

  return {
    async open(cookies, isSecure, withAccount = false) {
      const value = readCookie(cookies, toSessionCookieName(isSecure, basePath()));
      const stored = value ? await store.find(digest(value), withAccount) : undefined;
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
      const data = toObject(request.getSession());
      if (stored && !state.isEnded && state.nextId === undefined) {
        await database.write(() => store.update(stored, data));
        return undefined;
      }
      const cookie = await replaceSession(state, data, { store, database, random, visitor, basePath: basePath() });
      if (store.isPurgeDue()) upkeep.later(() => store.purge());
      return cookie;
    },
    judgeFormToken(request, token) {
      const expected = token === undefined || token === '' ? '' : formTokenOf(request);
      if (expected === '') return 'none';
      return typeof token === 'string' && isSameSecret(expected, token) ? 'right' : 'wrong';
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
