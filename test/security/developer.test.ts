import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask } from '../client.ts';
import type { Project } from '../project.ts';
import { startWorld, type World } from './_world.ts';

/** What a developer may do with their own app, with another's, and with values fixed by a definition. */
const test = suite('security: developers');

let world: World;
const at = { token: '', appId: 0, clientId: '' };

type Json = Record<string, unknown>;

function prepare(project: Project): void {
  const write = (path: string, data: unknown): void => project.write(`config/${path}`, data);
  const batch = { title: 'Batch', access: 'user', method: 'post', path: '/user/thing/batch' };
  const parameters = { schema: 'thing', thing_flag: 0, thing_count: 7 };
  write('rest/user-thing-batch.json', { ...batch, event: 'system-model-batch', parameters });
  write('webhook/thing-created.json', {
    title: 'Thing created',
    event: 'system-model-create',
    parameters: { schema: 'thing' },
    type: 'thing.created',
    audience: 'user',
  });
  write('scope/thing_write.json', {
    slug: 'thing_write',
    name: 'Add things',
    access: 'user',
    calls: ['user-thing-create', 'user-thing-update'],
  });
  project.edit<{ calls: string[] }>('config/scope/all.json', ({ calls }) => void calls.push('user-thing-batch'));
}

test.before(async () => {
  world = await startWorld(prepare);
  at.token = (await world.authorize(world.ben)).access;
  const created = await world.site.app.emit('app-create', {
    title: "Ben's",
    owner: 2,
    redirect_uris: ['https://ben.example/cb'],
    scopes: ['all'],
    webhook: 'https://ben.example/hook',
    hooks: ['profile-created'],
  });
  at.appId = Number(created.getResults('app_id'));
  at.clientId = String(created.getResults('client_id'));
});

test.after(() => world.close());

async function batch(operations: readonly Json[]): Promise<{ status: number; rows: readonly Json[] }> {
  const answer = await ask(`${world.url}/rest/user/thing/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ operations }),
  });
  return { status: answer.status, rows: JSON.parse(answer.text).results?.rows ?? [] };
}

test('a batch changes nothing of what its definition fixes', async () => {
  const values = { thing_name: 'mine', thing_flag: 1, thing_count: 99 };
  const { status, rows } = await batch([{ action: 'create', values }]);
  assert.is(status, 200);
  assert.equal([rows[0]?.thing_name, rows[0]?.thing_flag, rows[0]?.thing_count], ['mine', 0, 7]);
  const id = Number(rows[0]?.thing_id);
  const changed = await batch([{ action: 'update', id, values: { ...values, thing_name: 'still mine' } }]);
  const [row] = changed.rows;
  assert.equal([row?.thing_name, row?.thing_flag, row?.thing_count], ['still mine', 0, 7]);
  assert.is((await batch([{ action: 'remove', id }])).rows[0]?.thing_active, 0);
});

test("a batch reaches no row of somebody else's", async () => {
  const created = await world.site.app.emit('system-model-create', {
    schema: 'thing',
    thing_name: 'of Ann',
    profile_id: 1,
  });
  const id = created.getResults('thing_id');
  for (const operation of [
    { action: 'update', id, values: { thing_name: 'taken' } },
    { action: 'remove', id },
    { action: 'restore', id },
  ])
    assert.is((await batch([operation])).status, 404, operation.action);
  const { rows } = await batch([{ action: 'create', values: { thing_name: 'for Ann', profile_id: 1 } }]);
  assert.is(rows[0]?.profile_id, 2);
});

test("another user's app does not exist on any page", async () => {
  const delivery = `webhook/${at.appId}/1`;
  const pages = ['detail', 'try', 'session', 'webhook', 'update'].map((page) => `${page}/${at.appId}`);
  for (const page of [...pages, delivery])
    assert.is((await world.ann.get(`/developer/app/${page}`)).status, 404, `GET ${page}`);
  const posted = pages.filter((page) => !page.startsWith('detail'));
  for (const page of [...posted, delivery, `remove/${at.appId}`, `refresh/${at.appId}`, `exchange/${at.appId}`]) {
    const form = { action: 'secret', code: 'x', all: '1', confirm: "Ben's" };
    assert.is((await world.ann.post(`/developer/app/${page}`, form)).status, 404, `POST ${page}`);
  }
  for (const id of [`${at.appId}%00`, '2147483648', '9007199254740991', '-1', 'constructor'])
    assert.is((await world.ben.get(`/developer/app/detail/${id}`)).status, 404, id);
});

test('a code of the trial goes to its own app, for its owner', async () => {
  const ask = (appId: number): string =>
    `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: at.clientId,
      redirect_uri: `${world.url}/developer/app/try/${appId}`,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })}`;
  assert.is((await world.ben.get(ask(at.appId))).status, 200);
  assert.is((await world.ann.get(ask(at.appId))).status, 400, 'a user who is not the owner');
  assert.is((await world.ann.post(ask(at.appId), { action: 'allow', 'permissions[]': ['all'] })).status, 400);
  assert.is((await world.ben.get(ask(1))).status, 400, 'the page of another app');
});

test('a web hook tells no app of rows that it may write and not read', async () => {
  const redirect_uris = ['https://app.example/cb?keep=1'];
  const hook = { webhook: 'https://app.example/hook', hooks: ['thing-created'] };
  const scopes = ['profile_read', 'all', 'thing_write'];
  const app = { app_id: 1, owner: 1, title: 'Reader', redirect_uris, scopes, ...hook };
  assert.not.ok((await world.site.app.emit('app-update', app)).isError());
  const cat = world.site.browser();
  await cat.signUp('Cat', 'cat@example.org');
  const find = async (): Promise<unknown> => {
    const found = await world.site.app.emit('webhook-subscriber-search', { hook: 'thing-created', profile_id: 3 });
    return (found.getResults('rows') as Json[]).map((row) => row.app_id);
  };
  await world.authorize(cat, 'thing_write');
  assert.equal(await find(), []);
  await world.authorize(cat, 'all');
  assert.equal(await find(), [1]);
});

test('a title reads as it is where a person is asked', async () => {
  for (const title of ['a\u0000b', 'moc.elgoog\u202e', 'Reader\nby Google', '\u2067x']) {
    const made = await world.site.app.emit('app-create', { title, owner: 2 });
    assert.ok(made.getValidation('title'), JSON.stringify(title));
  }
  for (const title of ['Lêser \u{1F469}\u200D\u{1F4BB}', 'قارئ'])
    assert.not.ok((await world.site.app.emit('app-create', { title, owner: 2 })).isError(), title);
});

test('the log of web hooks floods nobody', async () => {
  const page = `/developer/app/webhook/${at.appId}`;
  const { limiter } = world.site.app.services;
  const count = async (): Promise<number> => {
    const found = await world.site.app.emit('webhook-delivery-search', { client_id: at.clientId, limit: 100 });
    return (found.getResults('rows') as Json[]).length;
  };
  // The app also gets the events of others, such as a sign-up.
  const before = await count();
  await world.ben.post(page, { action: 'test', hook: 'profile-created' });
  assert.is(await count(), before + 1);
  for (const kind of ['one', 'many']) while (limiter.take(`webhook:send:${kind}:2`, 100, 60).isAllowed);
  for (const form of [
    { action: 'test', hook: 'profile-created' },
    { action: 'replay', state: 'any' },
    { action: 'enable' },
  ]) {
    assert.is((await world.ben.post(page, form)).location, page);
    assert.match((await world.ben.get(page)).text, 'too much at once', form.action);
  }
  assert.is(await count(), before + 1);
});

test.run();
