import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallPlan } from '../../../src/plan/feature.ts';
import { basic, type Sent } from '../../client.ts';
import { type JsonAnswer as Answer, SECRET, type Site, startSite } from './_site.ts';

const test = suite('rest access, from the definitions');
const state: { site?: Site } = {};
test.before(async () => {
  state.site = await startSite();
});
test.after(() => state.site?.close());

/** The methods of a call, and its path with values for parameters. */
const toMethods = ({ definition: { method } }: CallPlan): string[] =>
  method === 'all' ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : [method.toUpperCase()];
const toPath = ({ path }: CallPlan): string =>
  path
    .replace(/:[A-Za-z_0-9]+/g, '999')
    .replace(/\*\*/g, 'x/y')
    .replace(/\*/g, 'z');
const isChanging = ({ definition }: CallPlan, method: string): boolean =>
  method !== 'GET' || /-(?:create|update|remove|restore|batch|link|unlink)/.test(definition.event);

interface Try extends Sent {
  readonly what: string;
  readonly query?: string;
  readonly is: (answer: Answer) => boolean;
}

/** Past the guard: the event decides the rest, such as 404 for a missing row. */
const opens = (answer: Answer): boolean => answer.status !== 401 && answer.status < 500 && challenge(answer) === '';
const challenge = ({ headers }: Answer): string => headers['www-authenticate'] ?? '';
const is401 = (answer: Answer): boolean =>
  answer.status === 401 && /^(?:Basic|Bearer) realm="Site"/.test(challenge(answer));
const isMissing = (answer: Answer): boolean => is401(answer) && !challenge(answer).includes('error=');
const isInvalid = (answer: Answer): boolean => is401(answer) && challenge(answer).includes('error="invalid_token"');
const isShort =
  (scopes: readonly string[]) =>
  (answer: Answer): boolean =>
    answer.status === 403 &&
    challenge(answer).startsWith('Bearer ') &&
    challenge(answer).includes('error="insufficient_scope"') &&
    challenge(answer).includes(`scope="${scopes.join(' ')}"`);

async function run(call: CallPlan, tries: (method: string) => readonly Try[]): Promise<void> {
  const site = state.site as Site;
  const all = toMethods(call).flatMap((method) => tries(method).map((attempt) => ({ method, ...attempt })));
  await Promise.all(
    all.map(async ({ method, what, query = '', is, ...sent }) => {
      const answer = await site.send(method, `${toPath(call)}${query}`, sent);
      assert.ok(is(answer), `${call.name} ${method} ${what}: ${answer.status} ${challenge(answer)}`);
      if (answer.status >= 400) assert.is(answer.json.error, true);
    }),
  );
}

const listScopes = (call: CallPlan): string[] => {
  const { model } = (state.site as Site).app.plan;
  return call.scopes.filter((slug) => model.scopes.get(slug)?.definition.access === call.definition.access);
};
const listCalls = (access: string): CallPlan[] =>
  (state.site as Site).app.plan.calls.filter(({ definition }) => definition.access === access);

test('a public call needs nothing, and no credential harms', async () => {
  for (const call of listCalls('public')) {
    await run(call, () => [
      { what: 'nothing', is: opens },
      { what: 'a garbage token', token: 'garbage', is: opens },
      { what: 'an unknown app', query: '?client_id=nobody', is: opens },
    ]);
  }
});

test('an app call: no app, unknown, wrong or missing secret, suspended, without the scope, with it', async () => {
  const site = state.site as Site;
  const own = await site.token({ profile: null, scopes: ['app_all'] });
  const poor = await site.token({ client: 'poor', profile: null, scopes: ['app_idle'] });
  const user = await site.token();
  let scoped = 0;
  for (const call of listCalls('app')) {
    const scopes = listScopes(call);
    if (scopes.length > 0) scoped += 1;
    const short = scopes.length > 0 ? isShort(scopes) : opens;
    await run(call, (method) => [
      { what: 'no credential', is: (answer) => isMissing(answer) && challenge(answer).startsWith('Basic ') },
      { what: 'an unknown app', headers: basic('nobody', SECRET), is: is401 },
      { what: 'a wrong secret', headers: basic('full', 'wrong'), is: is401 },
      { what: 'client_id alone', query: '?client_id=full', is: isChanging(call, method) ? is401 : opens },
      { what: 'a suspended app', headers: basic('suspended', SECRET), is: is401 },
      { what: 'an app without the scope', headers: basic('poor', SECRET), is: short },
      { what: 'the app', headers: basic('full', SECRET), is: opens },
      { what: "a user's token", token: user, is: ({ status }) => status === 403 },
      { what: 'a garbage token', token: 'garbage', is: isInvalid },
      { what: "the app's own token", token: own, is: opens },
      { what: 'a token of an app without the scope', token: poor, is: short },
    ]);
  }
  assert.ok(scoped > 10, `${scoped} scoped calls`);
});

test('a user call: no token, unknown, expired, of a suspended app, of a disabled user, without the scope, with it', async () => {
  const site = state.site as Site;
  const { model } = site.app.plan;
  const users = [...model.scopes.values()].filter(({ definition }) => definition.access === 'user');
  const byScope = new Map<string, string>();
  for (const { slug } of users) byScope.set(slug, await site.token({ scopes: [slug] }));
  const gone = await site.app.emit('auth-detail', { auth_slug: 'Gone@example.org' });
  const disabled = await site.token({ profile: Number(gone.getResults('profile_id')) });
  await site.app.emit('auth-remove', { auth_slug: 'Gone@example.org' });
  const expired = await site.token({ isExpired: true });
  const suspended = await site.token({ client: 'suspended' });
  const fallen = await site.token({ client: 'poor' });
  const ofApp = await site.token({ profile: null, scopes: ['app_all'] });
  const calls = listCalls('user');
  assert.ok(calls.some(({ name, handler }) => name === 'whoami' && handler !== undefined));
  for (const call of calls) {
    const scopes = listScopes(call);
    assert.ok(scopes.length > 0, `${call.name} is in no scope`);
    await run(call, () => [
      { what: 'no token', is: (answer) => isMissing(answer) && challenge(answer).startsWith('Bearer ') },
      { what: "the app's credentials", headers: basic('full', SECRET), is: isMissing },
      { what: 'a garbage token', token: 'garbage', is: isInvalid },
      { what: 'an expired token', token: expired, is: isInvalid },
      { what: 'a token of a suspended app', token: suspended, is: isInvalid },
      { what: 'a token of a disabled user', token: disabled, is: isInvalid },
      { what: 'a token of scopes that its app lost', token: fallen, is: isShort(scopes) },
      { what: 'a token of the app itself', token: ofApp, is: isShort(scopes) },
      ...users.map(({ slug }) => ({
        what: `a token of ${slug}`,
        token: byScope.get(slug) as string,
        is: scopes.includes(slug) ? opens : isShort(scopes),
      })),
    ]);
  }
});

test('a scope that needs approval is held by an app of a file, and by a registered one once it was approved', async () => {
  const site = state.site as Site;
  const { kysely } = site.app.services.database;
  const row = {
    client_id: 'registered',
    title: 'R',
    redirect_uris: '[]',
    scopes: '["vetted"]',
    hooks: '[]',
    created_at: 1,
  };
  await kysely.insertInto('treadle_app').values(row).execute();
  const token = await site.token({ client: 'registered', scopes: ['vetted'] });
  assert.is((await site.send('GET', '/rest/user/note/search', { token })).status, 403);
  await kysely
    .updateTable('treadle_app')
    .set({ approved: '["vetted"]' })
    .where('client_id', '=', 'registered')
    .execute();
  assert.is((await site.send('GET', '/rest/user/note/search', { token })).status, 200);
  assert.is((await site.send('GET', '/rest/user/note/detail/1', { token })).status, 403);
});

test.run();
