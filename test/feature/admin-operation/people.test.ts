import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { boot, type Site } from '../../boot.ts';
import { type Client, type Form, PASSWORD } from '../../client.ts';
import { writeRoles } from '../role/_site.ts';

const test = suite('people in the admin section');
// Runs on from the true time, and jumps past the ten minutes of a proof.
const state = { late: 0 } as { site: Site; admin: Client; late: number };
const clock = { ...systemClock, now: () => Date.now() + state.late };

test.before(async () => {
  const clerk = { slug: 'clerk', permissions: ['all:/admin/user/**'] };
  state.site = await boot({
    clock,
    change: (project) => writeRoles(project, [clerk, { slug: 'editor', permissions: [] }]),
  });
  state.admin = await state.site.as('Ada', ['admin']);
});
test.after(() => state.site?.close());

const read = async (email: string) =>
  (await state.site.emit('auth-detail', { auth_slug: email })).getResults() as Record<string, unknown>;
const idOf = async (email: string): Promise<number> => Number((await read(email)).auth_id);
const flashOf = async (client: Client, id: number): Promise<string> => {
  const { text } = await client.get(`/admin/user/detail/${id}`);
  return /<div class="t-flash[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
};
/** Posts a form, and gives the password if it is asked for: the form then takes effect. */
async function act(client: Client, path: string, form: Form = {}): Promise<string> {
  const answer = await client.post(path, form);
  assert.is(answer.status, 303, answer.text);
  if (!answer.location.startsWith('/auth/confirm')) return answer.location;
  const done = await client.post('/auth/confirm', { auth_current: PASSWORD });
  return done.location;
}

test('lists, finds and shows people, and 404 for nobody', async () => {
  const { site, admin } = state;
  await site.as('Bert', ['editor']);
  const all = await admin.get('/admin/user/search');
  assert.match(all.text, /bert@example\.org/);
  assert.not.match((await admin.get('/admin/user/search?q=ada')).text, /bert@/);
  const page = await admin.get(`/admin/user/detail/${await idOf('bert@example.org')}`);
  assert.match(page.text, /bert@example\.org/);
  assert.match(page.text, /Logged in/);
  assert.is((await admin.get('/admin/user/detail/99999')).status, 404);
  assert.is((await admin.post(`/admin/user/nonsense/${await idOf('bert@example.org')}`, {})).status, 404);
  for (const name of ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])
    assert.is((await admin.post(`/admin/user/${name}/${await idOf('bert@example.org')}`, {})).status, 404, name);
});

test('what a page does to an account is done, once the password was given', async () => {
  const { site, admin } = state;
  await site.as('Cleo');
  const email = 'cleo@example.org';
  const id = await idOf(email);
  state.late += 700_000;
  const first = await admin.post(`/admin/user/disable/${id}`, {});
  assert.match(first.location, /^\/auth\/confirm/);
  const CASES: readonly (readonly [string, Form, string, unknown])[] = [
    ['disable', {}, 'auth_active', 0],
    ['enable', {}, 'auth_active', 1],
    ['role-add', { role: 'editor' }, 'auth_type', 'editor'],
    ['role-add', { role: 'admin' }, 'auth_type', 'editor,admin'],
    ['role-remove', { role: 'editor' }, 'auth_type', 'admin'],
    ['role-remove', { role: 'admin' }, 'auth_type', ''],
    ['verify', {}, 'auth_verified', 1],
  ];
  for (const [action, form, column, value] of CASES) {
    await act(admin, `/admin/user/${action}/${id}`, form);
    assert.is((await read(email))[column], value, action);
  }
  const cleo = await site.as('Cleo');
  assert.is((await cleo.get('/auth/sessions')).status, 200);
  await act(admin, `/admin/user/session-end/${id}`);
  assert.is((await cleo.get('/auth/sessions')).status, 303, 'all sessions ended');
});

test('the last administrator stays, and nobody locks themselves out', async () => {
  const { site, admin } = state;
  const ada = await idOf('ada@example.org');
  for (const [action, form] of [
    ['disable', {}],
    ['role-remove', { role: 'admin' }],
  ] as const) {
    await act(admin, `/admin/user/${action}/${ada}`, form);
    assert.match(await flashOf(admin, ada), /your own account/);
  }
  const zoe = await site.as('Zoe', ['admin']);
  await act(zoe, `/admin/user/disable/${ada}`);
  assert.is((await read('ada@example.org')).auth_active, 0);
  for (const stage of [{ remove: 'admin' }, {}]) {
    const event = 'remove' in stage ? 'auth-role' : 'auth-remove';
    const held = await site.app.emit(event, { auth_slug: 'zoe@example.org', ...stage, keeps_administrator: true });
    assert.is(held.getStatus(), 409, event);
  }
  assert.is((await read('zoe@example.org')).auth_active, 1);
  await act(zoe, `/admin/user/enable/${ada}`);
  state.admin = await site.as('Ada');
});

test('who is no administrator changes no administrator, and gives only roles that they have', async () => {
  const { site } = state;
  const clerk = await site.as('Carl', ['clerk']);
  await site.as('Dora');
  const [ada, dora] = [await idOf('ada@example.org'), await idOf('dora@example.org')];
  await act(clerk, `/admin/user/disable/${ada}`);
  assert.is((await read('ada@example.org')).auth_active, 1);
  for (const role of ['admin', 'editor']) {
    await act(clerk, `/admin/user/role-add/${dora}`, { role });
    assert.match(await flashOf(clerk, dora), /cannot give/);
  }
  await act(clerk, `/admin/user/role-add/${dora}`, { role: 'clerk' });
  assert.is((await read('dora@example.org')).auth_type, 'clerk');
  const nobody = await site.as('Eve');
  assert.is((await nobody.get('/admin/user/search')).status, 403);
  assert.is((await nobody.post(`/admin/user/disable/${dora}`, {})).status, 403);
});

test('invites a person, and keeps what was typed when it is refused', async () => {
  const { admin } = state;
  assert.is((await admin.get('/admin/user/invite')).status, 200);
  await act(admin, '/admin/user/enable/1');
  const answer = await admin.post('/admin/user/invite', {
    auth_slug: 'not an address',
    profile_name: 'Fay',
    auth_type: 'editor',
  });
  assert.is(answer.status, 422);
  assert.match(answer.text, /value="not an address"/);
  assert.match(answer.text, /<option value="editor" selected>/);
});

test.run();
