import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scopes as allScopes, CALLBACK, createWorld, hooks, toApp, type World } from './_flow.ts';

/** Web hooks that a registered app gets only after an operator's approval. */
const hooked = suite<World>('web hooks that need approval');

const [, plain] = [...hooks].find(([name]) => name === 'profile-created') ?? [];
const [, mine] = [...hooks].find(([name]) => name === 'mine') ?? [];
if (!plain || !mine) throw new Error('the hooks of the flow are others');
/** Named like a scope that needs approval: approving one does not approve the other. */
const ALIKE = 'sensitive';
const model = {
  scopes: allScopes,
  hooks: new Map([
    ...hooks,
    [ALIKE, { ...plain, name: ALIKE, definition: { ...plain.definition, approval: true } }],
    ['mine', { ...mine, definition: { ...mine.definition, approval: true } }],
    ['said', { ...plain, name: 'said', definition: { ...plain.definition, approval: false } }],
  ]),
  apps: new Map([toApp('reader', { webhook: 'https://file.example/hook', hooks: [ALIKE] })]),
};

hooked.before.each(async (world) => {
  Object.assign(world, await createWorld({ model }));
});
hooked.after.each(({ site }) => site.close());

const LISTED = ['profile-created', ALIKE, 'mine', 'said'];
const wish = {
  title: 'One',
  owner: 1,
  redirect_uris: [CALLBACK],
  scopes: [ALIKE],
  webhook: 'https://one.example/hook',
  hooks: LISTED,
};
type Made = { app_id: number; client_id: string; pending: string[]; pending_hooks: string[] };

const register = async ({ site }: World): Promise<Made> =>
  (await site.emit('app-create', wish)).getResults() as unknown as Made;

const find = async ({ site }: World, hook: string, more: Record<string, unknown> = {}): Promise<unknown> =>
  ((await site.emit('webhook-subscriber-search', { hook, ...more })).getResults('rows') as Made[]).map(
    ({ client_id }) => client_id,
  );

/** The hooks that the app gets; `mine` are those for its owner's data. */
async function listHeard(world: World, { client_id }: Made): Promise<string[]> {
  const heard: string[] = [];
  for (const hook of LISTED) {
    const found = await find(world, hook, { client_id, ...(hook === 'mine' ? { profile_id: 1 } : {}) });
    if (JSON.stringify(found) === JSON.stringify([client_id])) heard.push(hook);
  }
  return heard;
}

hooked('an app of the browser hears of none that it was not approved for, an app of a file of all', async (world) => {
  const app = await register(world);
  assert.equal(app.pending_hooks, [ALIKE, 'mine']);
  assert.equal(await listHeard(world, app), ['profile-created', 'said']);
  assert.equal(await find(world, ALIKE), ['reader'], 'what a file lists was reviewed with the project');
  const { site } = world;
  const [told] = (await site.emit('webhook-app-search', { client_id: app.client_id })).getResults('rows') as {
    pending: unknown;
  }[];
  assert.equal(told?.pending, [ALIKE, 'mine']);
  const [own] = (await site.emit('webhook-app-search', { client_id: 'reader' })).getResults('rows') as {
    pending: unknown;
  }[];
  assert.equal(own?.pending, []);
});

hooked('approval is given by name, of scopes and hooks apart, or of all that waits', async (world) => {
  const { site } = world;
  const app = await register(world);
  const at = { client_id: app.client_id };
  const approve = async (stage: Record<string, unknown>) => {
    const results = (await site.emit('app-approve', { ...at, ...stage })).getResults() as Record<string, unknown>;
    return [results.approved, results.pending, results.approved_hooks, results.pending_hooks];
  };
  assert.equal(await approve({ scopes: [ALIKE] }), [[ALIKE], [], [], [ALIKE, 'mine']], 'the scope only');
  assert.equal(await listHeard(world, app), ['profile-created', 'said']);
  assert.equal(await approve({ scopes: [ALIKE], revoke: '1' }), [[], [ALIKE], [], [ALIKE, 'mine']]);
  assert.equal(await approve({ hooks: `${ALIKE},` }), [[], [ALIKE], [ALIKE], ['mine']], 'the hook only');
  assert.equal(await listHeard(world, app), ['profile-created', ALIKE, 'said']);
  assert.equal(await approve({}), [[ALIKE], [], [ALIKE, 'mine'], []], 'all that waits');
  assert.equal(await listHeard(world, app), LISTED);
  assert.equal(await approve({ hooks: ['mine'], revoke: 1 }), [[ALIKE], [], [ALIKE], ['mine']]);
  assert.equal(await listHeard(world, app), ['profile-created', ALIKE, 'said']);
  assert.equal(await approve({ revoke: '1' }), [[], [ALIKE], [], [ALIKE, 'mine']], 'all that it had');
  assert.equal(await listHeard(world, app), ['profile-created', 'said']);
});

hooked('a hook that was renamed keeps the apps that chose it, and their approval', async (world) => {
  const { site } = world;
  const app = await register(world);
  await site.emit('app-approve', { client_id: app.client_id, hooks: [ALIKE] });
  const other = (await site.emit('app-create', { ...wish, hooks: ['said'] })).getResults() as unknown as Made;
  const count = async (from: string, to: string) =>
    (await site.emit('webhook-app-rename', { from, to })).getResults('count');
  // The reader's definition file lists it too, which is independent of approval.
  assert.is(await count(ALIKE, 'renamed'), 1);
  assert.is(await count(ALIKE, 'renamed'), 0);
  assert.is(await count('aid', 'x'), 0, 'a part of a name');
  const find = async (clientId: string) => {
    const { rows } = (await site.emit('webhook-app-search', {})).getResults() as { rows: Record<string, unknown>[] };
    return rows.find((row) => row.client_id === clientId);
  };
  assert.equal((await find(app.client_id))?.hooks, ['profile-created', 'renamed', 'mine', 'said']);
  assert.equal((await find(other.client_id))?.hooks, ['said']);
});

hooked('two admins who decide at once undo nothing of each other', async (world) => {
  const { site } = world;
  const app = await register(world);
  const at = { client_id: app.client_id };
  await Promise.all(
    [{ scopes: [ALIKE] }, { hooks: [ALIKE] }, { hooks: ['mine'] }].map((stage) =>
      site.emit('app-approve', { ...at, ...stage }),
    ),
  );
  const { pending, pending_hooks } = (
    await site.emit('app-approve', { ...at, scopes: [ALIKE] })
  ).getResults() as unknown as Made;
  assert.equal([pending, pending_hooks], [[], []]);
});

hooked('an approval for a hook of users opens no other user’s data', async (world) => {
  const app = await register(world);
  await world.site.emit('app-approve', { client_id: app.client_id });
  assert.equal(await find(world, 'mine', { profile_id: 2 }), [], 'Una granted it nothing');
  assert.equal(await find(world, 'mine', { profile_id: 1 }), [app.client_id], 'its owner');
});

hooked(
  'neither its owner nor a form approves; what its owner takes out of the list and back keeps it',
  async (world) => {
    const { site } = world;
    const app = await register(world);
    const change = { ...wish, app_id: app.app_id, approved_hooks: LISTED, approved: [ALIKE], name: 'reader' };
    const updated = await site.emit('app-update', change);
    assert.equal(updated.getResults('pending_hooks'), [ALIKE, 'mine']);
    assert.equal(await listHeard(world, app), ['profile-created', 'said']);
    await site.emit('app-approve', { client_id: app.client_id, hooks: [ALIKE] });
    await site.emit('app-update', { ...change, hooks: ['said'] });
    assert.equal(await listHeard(world, app), ['said'], 'approved, but not listed');
    await site.emit('app-update', change);
    assert.equal(await listHeard(world, app), ['profile-created', ALIKE, 'said']);
  },
);

hooked('only hooks that need approval are approved, and only of apps of the browser', async (world) => {
  const { site } = world;
  const app = await register(world);
  for (const [odd, words] of [
    ['said', 'The web hook "said" needs no approval'],
    ['profile-created', 'The web hook "profile-created" needs no approval'],
    ['nothing', 'There is no web hook "nothing".'],
  ] as const) {
    const answer = await site.emit('app-approve', { client_id: app.client_id, hooks: [ALIKE, odd] });
    assert.is(answer.getStatus(), 422, odd);
    assert.match(answer.getMessage() ?? '', words);
    const back = await site.emit('app-approve', { client_id: app.client_id, hooks: [odd], revoke: '1' });
    assert.is(back.getStatus(), 422, 'it does not hold it either');
  }
  assert.equal(await listHeard(world, app), ['profile-created', 'said'], 'nothing of it was done');
  const ofFile = await site.emit('app-approve', { client_id: 'reader', hooks: [ALIKE] });
  assert.is(ofFile.getStatus(), 409);
  assert.match(ofFile.getMessage() ?? '', 'config/app/reader.json');
});

hooked('what an app holds is taken back, also of a hook and a scope that are not defined any more', async (world) => {
  const { site } = world;
  const app = await register(world);
  const held = { approved: '["former_scope"]', approved_hooks: '["former-hook"]' };
  await site.services.database.kysely
    .updateTable('treadle_app')
    .set(held)
    .where('client_id', '=', app.client_id)
    .execute();
  const at = { client_id: app.client_id, scopes: ['former_scope'], hooks: ['former-hook'] };
  assert.is((await site.emit('app-approve', at)).getStatus(), 422, 'none of them is approved');
  const { approved, approved_hooks } = (await site.emit('app-approve', { ...at, revoke: '1' })).getResults() as never;
  assert.equal([approved, approved_hooks], [[], []]);
});

hooked('the developer section tells what needs approval, what waits and what has it', async (world) => {
  const { site } = world;
  const owen = { me: { auth_id: 1, profile_id: 1 } };
  const count = (text: string, words: string): number => text.split(words).length - 1;
  const get = async (path: string) => (await site.get(path, owen)).text;
  assert.is(count(await get('/developer/app/create'), 'needs approval'), 3, 'a scope and two hooks');
  const body = new URLSearchParams({ title: 'One', webhook: wish.webhook, redirect_uris: CALLBACK });
  for (const name of LISTED) body.append('hooks[]', name);
  const made = await site.post('/developer/app/create', body.toString(), { session: owen });
  assert.match(made.text, 'Some web hooks wait for approval by');
  const rows = await site.rows('treadle_app');
  const app = rows.at(-1) as unknown as Made;
  const detail = `/developer/app/detail/${app.app_id}`;
  assert.match(await get('/developer/app/search'), 'Waiting for approval');
  assert.match(await get(detail), 'Some web hooks wait for approval by');
  assert.is(count(await get(detail), 'waiting for approval'), 2);
  assert.is(count(await get(`/developer/app/update/${app.app_id}`), 'waiting for approval'), 2);
  await site.emit('app-approve', { client_id: app.client_id });
  assert.not.match(await get('/developer/app/search'), 'Waiting for approval');
  assert.not.match(await get(detail), 'wait for approval by');
  assert.is(count(await get(detail), '>approved<'), 2);
});

hooked.run();
