// Also on PostgreSQL: sessions are rows that two requests write.
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/core/log/log.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { parseCookies, readCookie } from '../../../src/http/session/cookie.ts';
import { ABSOLUTE_SECONDS, SessionStore } from '../../../src/http/session/session-store.ts';
import { type Answer, ask } from '../../client.ts';
import { createFakeClock, createFakeRandom } from '../../clock.ts';
import { createHarness, type Harness, type HarnessOptions, openTestDatabase } from '../_harness.ts';

const test = suite('http/session/session');

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const routes = (sessions: () => Harness['sessions']): HarnessOptions['routes'] => ({
  'GET /read': (q, r) => void r.setError(false).setResults({ session: q.getSession(), token: sessions().formToken(q) }),
  'GET /plain': (_q, r) => void r.setContent('nothing'),
  'POST /write': (q, r) => {
    q.setSession(String(q.getPost('key')), q.getPost('value'));
    r.setRedirect('/read');
  },
  'POST /login': (q, r) => {
    sessions().renew(q);
    q.setSession('me', { auth_id: Number(q.getPost('id')), profile_id: 5 });
    r.setRedirect('/read');
  },
  'POST /logout': (q, r) => {
    sessions().end(q);
    if (q.hasPost('flash')) q.setSession('flash', { message: 'Bye', type: 'info' });
    r.setRedirect('/read');
  },
  'POST /everywhere': async (q, r) => {
    await sessions().endAll(1, q);
    r.setRedirect('/read');
  },
  'POST /slow': async (q, r) => {
    q.setSession('slow', 'yes');
    await gate.wait?.();
    r.setRedirect('/read');
  },
  'GET /fails': (q) => {
    q.setSession('x', 1);
    throw new Error('after writing');
  },
});

const gate: { wait?: () => Promise<void> } = {};

const cookieOf = (answer: Answer): string => (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';

async function withSessions(options: HarnessOptions, run: (harness: Harness) => Promise<void>): Promise<void> {
  const known: { harness?: Harness } = {};
  const sessions = (): Harness['sessions'] => known.harness?.sessions as Harness['sessions'];
  const harness = await createHarness({
    ...options,
    routes: routes(sessions) as NonNullable<HarnessOptions['routes']>,
  });
  known.harness = harness;
  try {
    await run(harness);
  } finally {
    await harness.remove();
  }
}

const write = (url: string, key: string, value: string, cookie = ''): Promise<Answer> =>
  ask(`${url}/write`, {
    method: 'POST',
    headers: { ...FORM, ...(cookie ? { cookie } : {}) },
    body: `key=${key}&value=${value}`,
  });
const read = async (url: string, cookie: string): Promise<{ session: Record<string, unknown>; token: string }> =>
  JSON.parse((await ask(`${url}/read`, { headers: { cookie } })).text).results;
const count = async (harness: Harness): Promise<number> =>
  (await harness.database.run(CompiledQuery.raw('select * from treadle_session'))).length;

test('stores no row for a visitor without session data', async () => {
  await withSessions({}, async (harness) => {
    const answer = await ask(`${harness.url}/plain`);
    assert.is(answer.headers['set-cookie'], undefined);
    assert.is(await count(harness), 0);
    const failed = await ask(`${harness.url}/fails`);
    assert.is(failed.status, 500);
    assert.is(await count(harness), 0);
  });
});

test('a session is made, read, changed; only its hash is stored; its cookie is guarded', async () => {
  await withSessions({}, async (harness) => {
    const { url } = harness;
    const answer = await write(url, 'a', '1');
    assert.is(answer.status, 303);
    const [header = ''] = answer.headers['set-cookie'] ?? [];
    assert.match(header, /^sid=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/);
    const cookie = cookieOf(answer);
    assert.is((await write(url, 'b', '2', cookie)).headers['set-cookie'], undefined);
    assert.equal((await read(url, cookie)).session, { a: '1', b: '2' });
    const rows = await harness.database.run(CompiledQuery.raw('select key from treadle_session'));
    assert.not.match(String(rows[0]?.key), cookie.slice(4));
    const page = await ask(`${url}/plain`, { headers: { cookie } });
    assert.is(page.headers['cache-control'], 'private, no-store');
  });
});

test('over https the cookie is bound to the host, and the plain name is not read', async () => {
  await withSessions({ baseUrl: 'https://example.org' }, async ({ url }) => {
    const answer = await write(url, 'a', '1');
    const [header = ''] = answer.headers['set-cookie'] ?? [];
    assert.match(header, /^__Host-sid=.*; Secure$/);
    assert.equal((await read(url, cookieOf(answer).replace('__Host-sid', 'sid'))).session, {});
  });
});

test('a cookie of one who never had a session is not adopted', async () => {
  await withSessions({}, async ({ url }) => {
    const answer = await write(url, 'a', '1', 'sid=chosen-by-an-attacker');
    assert.not.match(cookieOf(answer), 'chosen');
    assert.equal((await read(url, 'sid=chosen-by-an-attacker')).session, {});
  });
});

test('login renews the id and ends the old one; logout ends it; a flash outlives it', async () => {
  await withSessions({}, async (harness) => {
    const { url } = harness;
    const before = cookieOf(await write(url, 'cart', 'x'));
    const login = await ask(`${url}/login`, { method: 'POST', headers: { ...FORM, cookie: before }, body: 'id=1' });
    const after = cookieOf(login);
    assert.is.not(after, before);
    assert.equal((await read(url, before)).session, {});
    assert.equal((await read(url, after)).session, { cart: 'x', me: { auth_id: 1, profile_id: 5 } });
    const logout = await ask(`${url}/logout`, { method: 'POST', headers: { ...FORM, cookie: after }, body: 'x=1' });
    assert.match(logout.headers['set-cookie']?.[0] ?? '', /^sid=; Path=\/; Max-Age=0/);
    assert.equal((await read(url, after)).session, {});
    assert.is(await count(harness), 0);
    const again = cookieOf(await ask(`${url}/login`, { method: 'POST', headers: FORM, body: 'id=1' }));
    const bye = cookieOf(
      await ask(`${url}/logout`, { method: 'POST', headers: { ...FORM, cookie: again }, body: 'flash=1' }),
    );
    assert.equal((await read(url, bye)).session, { flash: { message: 'Bye', type: 'info' } });
    assert.equal((await read(url, again)).session, {});
  });
});

test('all sessions of a user end but the asking one', async () => {
  await withSessions({}, async ({ url }) => {
    const login = async (id: number) =>
      cookieOf(await ask(`${url}/login`, { method: 'POST', headers: FORM, body: `id=${id}` }));
    const [first, second, other] = [await login(1), await login(1), await login(2)];
    await ask(`${url}/everywhere`, { method: 'POST', headers: { ...FORM, cookie: first }, body: '' });
    assert.ok((await read(url, first)).session.me);
    assert.is((await read(url, second)).session.me, undefined);
    assert.ok((await read(url, other)).session.me);
  });
});

test('it ends after two weeks without a visit and after 90 days in any case', async () => {
  const clock = createFakeClock();
  await withSessions({ clock }, async ({ url, sessions }) => {
    const cookie = cookieOf(await write(url, 'a', '1'));
    for (let day = 0; day < 88; day += 8) {
      clock.jump(8 * 86_400_000);
      assert.is((await read(url, cookie)).session.a, '1', `day ${day}`);
      await sessions.settled();
    }
    clock.jump(ABSOLUTE_SECONDS * 1000 - 88 * 86_400_000 + 1000);
    assert.equal((await read(url, cookie)).session, {});
    const idle = cookieOf(await write(url, 'a', '1'));
    clock.jump(14 * 86_400_000 + 1000);
    assert.equal((await read(url, idle)).session, {});
  });
});

test('a session past its end is not found, with the account or without, though its row is still there', async () => {
  const clock = createFakeClock();
  const database = await openTestDatabase();
  try {
    for (const text of [
      'create table treadle_auth (auth_id integer primary key, profile_id integer, auth_language text)',
      'create table profile (profile_id integer primary key, profile_name text)',
      "insert into profile values (5, 'Una')",
      "insert into treadle_auth values (1, 5, 'de')",
    ])
      await database.run(CompiledQuery.raw(text));
    const random = createFakeRandom();
    const secret = createRootSecret('test', random);
    const options = { database, clock, random, secret, log: silentLog, baseUrl: () => '', idleSeconds: () => 60 };
    const store = new SessionStore(options);
    const visitor = { address: '127.0.0.1', browser: '' };
    await store.insert('key', { me: { auth_id: 1 } }, visitor);
    const find = async () => [(await store.find('key', false))?.key, (await store.find('key', true))?.account?.auth_id];
    clock.jump(59_000);
    assert.equal(await find(), ['key', 1]);
    clock.jump(1000);
    assert.equal(await find(), [undefined, undefined]);
    const rows = await database.run(CompiledQuery.raw('select key from treadle_session'));
    assert.is(rows.length, 1, 'nobody removed the row yet');
  } finally {
    await database.close();
  }
});

test('requests side by side lose nothing of each other, and none brings an ended session back', async () => {
  await withSessions({}, async ({ url }) => {
    const cookie = cookieOf(await write(url, 'a', '1'));
    const slowly = async (during: () => Promise<unknown>): Promise<void> => {
      const entered: { resolve?: () => void } = {};
      const inside = new Promise<void>((resolve) => {
        entered.resolve = resolve;
      });
      const open: { resolve?: () => void } = {};
      gate.wait = () => {
        entered.resolve?.();
        return new Promise<void>((resolve) => {
          open.resolve = resolve;
        });
      };
      const slow = ask(`${url}/slow`, { method: 'POST', headers: { ...FORM, cookie }, body: '' });
      await inside;
      await during();
      open.resolve?.();
      await slow;
    };
    await slowly(() => write(url, 'b', '2', cookie));
    assert.equal((await read(url, cookie)).session, { a: '1', b: '2', slow: 'yes' });
    await slowly(() => ask(`${url}/logout`, { method: 'POST', headers: { ...FORM, cookie }, body: '' }));
    assert.equal((await read(url, cookie)).session, {});
  });
});

test('a form token fits its session only', async () => {
  await withSessions({}, async ({ url }) => {
    const [mine, other] = [cookieOf(await write(url, 'a', '1')), cookieOf(await write(url, 'a', '1'))];
    const { token } = await read(url, mine);
    const post = (csrf: string, cookie: string) =>
      ask(`${url}/write`, { method: 'POST', headers: { ...FORM, cookie }, body: `key=c&value=3&csrf=${csrf}` });
    assert.ok(token.length > 20);
    assert.is((await post(token, mine)).status, 303);
    assert.is((await post(token, other)).status, 403);
    assert.is((await post('wrong', mine)).status, 403);
    assert.is((await post('anything', '')).status, 303);
    assert.is((await read(url, 'sid=none')).token, '');
  });
});

test('one cookie is read without the others being parsed', () => {
  assert.is(readCookie('xsid=1; sid=2; sid=3', 'sid'), '2');
  assert.is(readCookie('a=1', 'sid'), undefined);
  assert.is(readCookie(undefined, 'sid'), undefined);
  assert.equal(parseCookies('a=1; __proto__=x; b=%zz; c="q"; broken; a=2'), { a: '1', b: '%zz', c: 'q' });
});

test.run();
