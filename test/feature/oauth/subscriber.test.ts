import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallModel, HookModel } from '../../../src/model/model.ts';
import { askToken, authorize, CALLBACK, createWorld, hooks, PKCE, toApp, VERIFIER, type World } from './_flow.ts';

/** The apps that get a user's data, as `webhook-subscriber-search` returns them. */
const subscriber = suite<World>('the subscribers of a web hook');

/** A user call that reads profiles, for holders of one of these scopes. */
const reading = (name: string, scopes: readonly string[]): CallModel => ({
  name,
  definition: { title: name, method: 'get', path: `/${name}`, access: 'user', event: 'system-model-detail' },
  path: `/rest/${name}`,
  parameters: [],
  scopes,
  schema: 'profile',
  isOwn: true,
  file: `config/rest/${name}.json`,
});
const about = hooks.get('mine') as HookModel;
// Without a schema: any granted scope allows it.
const other: HookModel = { ...about, name: 'other', schema: undefined };
const HOOKS = ['mine', 'other'];
const hooked = { webhook: 'https://one.example/hook', hooks: HOOKS };

subscriber.before.each(async (at) => {
  const model = {
    calls: new Map([['read', reading('read', ['sensitive'])]]),
    hooks: new Map([...hooks, ['other', other]]),
    apps: new Map([
      toApp('reader', { scopes: ['sensitive', 'profile_write'], ...hooked }),
      toApp('second', { scopes: ['sensitive'], ...hooked, webhook: 'https://second.example/hook' }),
    ]),
  };
  Object.assign(at, await createWorld({ model }));
});
subscriber.after.each(({ site }) => site.close());

type Secrets = { app_id: number; client_id: string; client_secret: string };
const FORM = 'action=allow&permissions[]=sensitive';

/** The ways in which Una grants an app its scopes; each leaves a valid token. */
const doors: Record<string, (world: World, app: Secrets) => Promise<string>> = {
  async classic({ site, una }, { client_id: id, client_secret: secret }) {
    const { location } = await site.post(`/dialog/request?client_id=${id}`, FORM, { session: una() });
    const code = new URL(location).searchParams.get('code');
    const answer = await site.post(`/rest/access?client_id=${id}&client_secret=${secret}&code=${code}`, '');
    return JSON.parse(answer.text).results.access_token;
  },
  async standard(world, { client_id, client_secret }) {
    const query = `response_type=code&client_id=${client_id}&${PKCE}&scope=sensitive`;
    const code = String((await authorize(world, query, FORM)).get('code'));
    const fields = { grant_type: 'authorization_code', code, code_verifier: VERIFIER, client_id, client_secret };
    return JSON.parse((await askToken(world, fields)).text).access_token;
  },
};

/** The ways in which a registered app loses a scope. */
const losses: Record<string, (world: World, app: Secrets) => Promise<unknown>> = {
  'the approval is taken back': ({ site }, { client_id }) => site.emit('app-approve', { client_id, revoke: '1' }),
  'the app drops the scope': ({ site }, { app_id }) =>
    site.emit('app-update', { app_id, owner: 1, title: 'One', redirect_uris: [CALLBACK], scopes: [], ...hooked }),
};

const find = async ({ site }: World, hook: string, more: Record<string, unknown> = {}): Promise<unknown> =>
  (
    (await site.emit('webhook-subscriber-search', { hook, profile_id: 2, ...more })).getResults('rows') as Secrets[]
  ).map(({ client_id }) => client_id);
const getScopes = async ({ site }: World, token: string): Promise<unknown> =>
  (await site.emit('rest-source-session-detail', { access_token: token })).getResults('scopes');

for (const [door, allow] of Object.entries(doors)) {
  for (const [loss, lose] of Object.entries(losses)) {
    subscriber(`${loss}, of a ${door} grant: no hook tells more than the token`, async (world) => {
      const stage = { title: 'One', owner: 1, redirect_uris: [CALLBACK], scopes: ['sensitive'], ...hooked };
      const app = (await world.site.emit('app-create', stage)).getResults() as Secrets;
      await world.site.emit('app-approve', { client_id: app.client_id });
      for (const hook of HOOKS) assert.equal(await find(world, hook), [], 'nothing is granted yet');
      const token = await allow(world, app);
      assert.equal(await getScopes(world, token), ['sensitive']);
      for (const hook of HOOKS) assert.equal(await find(world, hook), [app.client_id], hook);
      await lose(world, app);
      assert.equal(await getScopes(world, token), []);
      for (const hook of HOOKS) assert.equal(await find(world, hook), [], hook);
      const own = await find(world, 'mine', { profile_id: 1, client_id: app.client_id });
      assert.equal(own, [app.client_id], 'its owner is told of his own data all the same');
    });
  }

  subscriber(`a definition drops the scope, of a ${door} grant`, async (world) => {
    const { seedApps } = await import('../../../src/feature/oauth/client/seeds.ts');
    const app = { app_id: 1, client_id: 'reader', client_secret: 'tk_cs_test' };
    await allow(world, app);
    assert.equal(await find(world, 'mine'), ['reader']);
    const { context } = world.site;
    const apps = new Map([...context.plan.model.apps, toApp('reader', { scopes: ['profile_write'], ...hooked })]);
    await seedApps({ ...context, plan: { ...context.plan, model: { ...context.plan.model, apps } } });
    for (const hook of HOOKS) assert.equal(await find(world, hook), [], hook);
  });
}

subscriber('of one app only, where its client id is named', async (world) => {
  for (const client_id of ['reader', 'second'])
    await doors.classic?.(world, { app_id: 0, client_id, client_secret: 'tk_cs_test' });
  const table: [unknown, unknown][] = [
    [undefined, ['reader', 'second']],
    ['second', ['second']],
    ['nobody', []],
  ];
  for (const [client_id, expected] of table)
    assert.equal(await find(world, 'mine', client_id === undefined ? {} : { client_id }), expected, String(client_id));
  assert.equal(await find(world, 'profile-created', { client_id: 'reader' }), [], 'it does not list that hook');
});

subscriber.run();
