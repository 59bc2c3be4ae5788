import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  askToken,
  authorize,
  CALLBACK,
  createWorld,
  getTokens,
  isAlive,
  PKCE,
  renew,
  SECRET,
  scopes,
  toApp,
  toJson,
  VERIFIER,
  type World,
} from './_flow.ts';

/** What an app may do, and until when: approval of scopes, rotation of secrets, suspension, end of the account. */
const held = suite<World>('what an app holds');
held.before.each(async (at) => {
  Object.assign(at, await createWorld());
});
held.after.each(({ site }) => site.close());

const HOUR = 3600;
type Made = { app_id: number; client_id: string; client_secret: string; pending: string[] };

async function register({ site }: World, more: Record<string, unknown> = {}): Promise<Made> {
  const stage = { title: 'One', owner: 1, redirect_uris: [CALLBACK], scopes: ['profile_read', 'sensitive'], ...more };
  return (await site.emit('app-create', stage)).getResults() as Made;
}
const getScopes = async ({ site }: World, token: string) =>
  (await site.emit('rest-source-session-detail', { access_token: token })).getResults('scopes');
const ask = (world: World, id: string, scope: string) =>
  world.site.get(`/oauth/authorize?response_type=code&client_id=${id}&${PKCE}&scope=${scope}`, world.una());

held('a scope that needs approval is refused until an admin gave it, and lost when it is taken back', async (world) => {
  const { site } = world;
  const app = await register(world);
  assert.equal(app.pending, ['sensitive']);
  assert.match((await ask(world, app.client_id, 'sensitive')).location, 'error=invalid_scope');
  assert.not.match((await ask(world, app.client_id, '')).text, 'sensitive', 'nor is it asked for by default');
  const approved = await site.emit('app-approve', { client_id: app.client_id });
  assert.equal(approved.getResults('approved'), ['sensitive']);
  assert.equal(approved.getResults('pending'), []);
  assert.is((await ask(world, app.client_id, 'sensitive')).status, 200);
  const query = `response_type=code&client_id=${app.client_id}&${PKCE}&scope=sensitive+profile_read`;
  const code = (await authorize(world, query, 'action=allow&permissions[]=sensitive&permissions[]=profile_read')).get(
    'code',
  );
  const client = { client_id: app.client_id, client_secret: app.client_secret };
  const answer = await askToken(world, {
    ...client,
    grant_type: 'authorization_code',
    code: String(code),
    code_verifier: VERIFIER,
  });
  const tokens = toJson(answer) as Record<string, string>;
  assert.equal(await getScopes(world, String(tokens.access_token)), ['sensitive', 'profile_read']);
  await site.emit('app-approve', { client_id: app.client_id, scopes: 'sensitive', revoke: '1' });
  assert.equal(await getScopes(world, String(tokens.access_token)), ['profile_read'], 'at once');
  assert.is(toJson(await renew(world, String(tokens.refresh_token), client)).scope, 'profile_read');
});

held('an app of a definition file needs none: the file is reviewed with the project', async ({ site, una }) => {
  const { seedApps } = await import('../../../src/feature/oauth/client/seeds.ts');
  const apps = new Map([toApp('reader', { scopes: ['sensitive'] })]);
  await seedApps({ ...site.context, plan: { ...site.context.plan, model: { ...site.context.plan.model, apps } } });
  assert.match(
    (await site.get('/dialog/request?client_id=reader&scope=sensitive', una())).text,
    'See what few may see',
  );
  assert.is((await site.emit('app-approve', { client_id: 'reader' })).getStatus(), 409);
  assert.is((await site.emit('app-approve', { client_id: 'nobody' })).getStatus(), 404);
});

held('only scopes that need approval can be approved', async (world) => {
  const app = await register(world);
  const answer = await world.site.emit('app-approve', { app_id: app.app_id, scopes: ['profile_read'] });
  assert.is(answer.getStatus(), 422);
  assert.ok(scopes.get('sensitive')?.definition.approval);
});

held('a token loses what its app no longer lists', async (world) => {
  const { access_token: access } = await getTokens(world);
  assert.equal(await getScopes(world, access), ['profile_read', 'profile_write']);
  const { kysely } = world.site.services.database;
  await kysely
    .updateTable('treadle_app')
    .set({ scopes: '["profile_write"]' })
    .where('client_id', '=', 'reader')
    .execute();
  assert.equal(await getScopes(world, access), ['profile_write']);
});

const tryOwn = (world: World, id: string, secret: string) =>
  askToken(world, { grant_type: 'client_credentials', client_id: id, client_secret: secret });

held('a rotated secret leaves the old one good for a day, or not at all', async (world) => {
  const { site } = world;
  const app = await register(world);
  const rotate = async (more: Record<string, unknown> = {}) =>
    (await site.emit('app-refresh', { app_id: app.app_id, owner: 1, ...more })).getResults() as Made & {
      old_until: number;
    };
  const second = await rotate();
  assert.is(second.old_until, Date.UTC(2026, 0, 2) / 1000);
  for (const secret of [app.client_secret, second.client_secret]) {
    assert.is((await tryOwn(world, app.client_id, secret)).status, 200);
    const source = { client_id: app.client_id, client_secret: secret, isSecretNeeded: true };
    assert.not((await site.emit('rest-source-app-detail', source)).isError());
  }
  await site.clock.advance(24 * HOUR);
  assert.is((await tryOwn(world, app.client_id, app.client_secret)).status, 401);
  assert.is((await tryOwn(world, app.client_id, second.client_secret)).status, 200);
  const third = await rotate({ at_once: '1' });
  assert.is((await tryOwn(world, app.client_id, second.client_secret)).status, 401);
  assert.is((await tryOwn(world, app.client_id, third.client_secret)).status, 200);
});

held('a new secret in a definition file overlaps as well', async (world) => {
  const { site } = world;
  const { seedApps } = await import('../../../src/feature/oauth/client/seeds.ts');
  const { digest } = await import('../../../src/core/secret/secret.ts');
  const apps = new Map([toApp('reader', { secretHash: `sha256:${digest('tk_cs_new')}` })]);
  const plan = { ...site.context.plan, model: { ...site.context.plan.model, apps } };
  await seedApps({ ...site.context, plan });
  await seedApps({ ...site.context, plan });
  for (const secret of [SECRET, 'tk_cs_new']) assert.is((await tryOwn(world, 'reader', secret)).status, 200);
  await site.clock.advance(24 * HOUR);
  assert.is((await tryOwn(world, 'reader', SECRET)).status, 401);
  assert.is((await tryOwn(world, 'reader', 'tk_cs_new')).status, 200);
});

held('a public app has no secret to rotate', async (world) => {
  const app = await register(world, { public: '1' });
  assert.is(app.client_secret, undefined);
  const answer = await world.site.emit('app-refresh', { app_id: app.app_id, owner: 1 });
  assert.is(answer.getStatus(), 409);
});

held('a suspended app is stopped at once, and goes on when it is restored', async (world) => {
  const { site } = world;
  const app = await register(world);
  const own = toJson(await tryOwn(world, app.client_id, app.client_secret));
  assert.is((await site.emit('app-suspend', { client_id: app.client_id })).getStatus(), 200);
  assert.not(await isAlive(world, own.access_token));
  assert.is((await tryOwn(world, app.client_id, app.client_secret)).status, 401);
  assert.match((await ask(world, app.client_id, '')).text, 'suspended');
  await site.emit('app-restore', { client_id: app.client_id });
  assert.ok(await isAlive(world, own.access_token));
  assert.is((await site.emit('app-suspend', { client_id: 'reader' })).getStatus(), 409, 'a file says what it is');
});

held('a new password and a disabled account end every token, and nothing brings them back', async (world) => {
  const { site } = world;
  const me = { auth_slug: 'una@example.org' };
  for (const [event, more] of [
    ['auth-remove', {}],
    ['auth-reset', { auth_password: 'another long word' }],
  ] as const) {
    const tokens = await getTokens(world);
    const code = String((await authorize(world)).get('code'));
    assert.not((await site.emit(event, { ...me, ...more })).isError(), event);
    await site.emit('auth-restore', me);
    assert.not(await isAlive(world, tokens.access_token), event);
    assert.is((await renew(world, tokens.refresh_token)).status, 400, event);
    const late = await askToken(world, { grant_type: 'authorization_code', code, code_verifier: VERIFIER });
    assert.is(late.status, 400, `${event}: nor is a code that was waiting good`);
  }
});

held('a new name ends nothing; another person’s tokens stay', async (world) => {
  const { site } = world;
  const tokens = await getTokens(world);
  await site.emit('auth-update', { auth_slug: 'una@example.org', profile_name: 'Ursula' });
  await site.emit('auth-remove', { auth_slug: 'owen@example.org' });
  assert.ok(await isAlive(world, tokens.access_token));
});

held.run();
