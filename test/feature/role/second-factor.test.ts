import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isNeverGuarded } from '../../../src/access/guard.ts';
import type { Client } from '../../client.ts';
import { addTotp, type FactorSite, logIn, startFactors, step, toCode } from '../auth/_second-factor.ts';

const STAFF = {
  slug: 'staff',
  name: 'Staff',
  secondFactor: 'required',
  permissions: [{ method: 'all', path: '/staff/**' }],
  data: { comment: { search: true, create: true } },
};
const HELPER = { slug: 'helper', name: 'Helper', permissions: [{ method: 'all', path: '/help/**' }] };
const ADMIN = { slug: 'admin', name: 'Administrator', secondFactor: 'required', permissions: [] };
const CALL = {
  title: 'Comments',
  access: 'user',
  method: 'get',
  path: '/user/comment/search',
  event: 'system-model-search',
  parameters: { schema: 'comment' },
  own: false,
};
const CONTROLLER = `export default (app) => {
  for (const path of ['/staff/list', '/help/list', '/admin/mine'])
    app.get(path, (request, response) => { response.setContent('inside ' + path); });
};`;

const at: { world?: FactorSite } = {};
const world = (): FactorSite => at.world as FactorSite;

const required = suite('roles: second factor');
required.before(async () => {
  at.world = await startFactors({
    mode: 'test',
    settings: { api: true },
    files: {
      'config/role/staff.json': STAFF,
      'config/role/helper.json': HELPER,
      'config/role/admin.json': ADMIN,
      'config/rest/user-comment-search.json': CALL,
      'config/scope/comments.json': {
        slug: 'comments',
        name: 'Comments',
        access: 'user',
        calls: ['user-comment-search'],
      },
      'config/app/reader.json': { title: 'Reader', clientId: 'reader', scopes: ['comments'] },
    },
    change: (project) => project.addController('own', CONTROLLER),
  });
});
required.after(() => world().site.close());

async function createMember(
  name: string,
  roles: readonly string[],
): Promise<{ browser: Client; email: string; id: number }> {
  const browser = await world().site.as(name, roles);
  const email = `${name}@example.org`;
  const found = await world().site.emit('auth-detail', { auth_slug: email });
  return { browser, email, id: Number(found.getResults('profile_id')) };
}

const callStatus = async (profile: number): Promise<number> => {
  const app = await world().site.asApp({ profile, scopes: ['comments'] });
  return (await app.get('/rest/user/comment/search')).status;
};

required('leads to the set-up right after the login, and back once it is done', async () => {
  const { site, now } = world();
  const { email } = await createMember('ann', ['staff']);
  const browser = site.browser();
  const login = await browser.post('/auth/login', {
    auth_slug: email,
    auth_password: 'a long enough word',
    redirect_uri: '/staff/list',
  });
  assert.is(login.location, `/auth/second-factor?redirect_uri=${encodeURIComponent('/staff/list')}`);
  const page = await browser.get(login.location);
  assert.match(page.text, 'Your role requires a second factor.');
  const form = await browser.get(`/auth/second-factor/totp?redirect_uri=${encodeURIComponent('/staff/list')}`);
  const seed = (/id="t-seed">([^<]*)</.exec(form.text)?.[1] ?? '').replaceAll(' ', '');
  const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(form.text)?.[1] ?? '';
  const done = await browser.post('/auth/second-factor/totp', {
    offer: hidden('offer'),
    redirect_uri: hidden('redirect_uri'),
    auth_code: toCode(seed, now()),
  });
  assert.match(done.text, '<a class="t-button" href="/staff/list">I have saved them</a>');
  assert.is((await browser.get('/staff/list')).text, 'inside /staff/list');
  world().shift.seconds += 30;
  const late = site.browser();
  assert.is((await logIn(late, email)).location, '/auth/second-factor');
  assert.is((await step(late, toCode(seed, now()))).location, '/articles');
});

required('opens nothing of the role before: pages, data, calls; other roles are open', async () => {
  const { browser, id } = await createMember('bob', ['staff', 'helper']);
  const closed = await browser.get('/staff/list?a=1');
  assert.equal(
    [closed.status, closed.location],
    [303, `/auth/second-factor?redirect_uri=${encodeURIComponent('/staff/list?a=1')}`],
  );
  const asked = await browser.get('/staff/list', { accept: 'application/json' });
  assert.equal(
    [asked.status, asked.json().message],
    [403, 'Your role requires a second factor: set it up at /auth/second-factor.'],
  );
  assert.is((await browser.get('/help/list')).text, 'inside /help/list');
  assert.is(await callStatus(id), 403);
  await addTotp(world(), browser);
  assert.is((await browser.get('/staff/list')).text, 'inside /staff/list');
  assert.is(await callStatus(id), 200);
  await browser.post('/auth/second-factor', { action: 'totp-remove' });
  assert.is((await browser.get('/staff/list')).status, 303, 'without the factor again');
  assert.is(await callStatus(id), 403);
});

required('holds for the built-in administrator, too', async () => {
  const { browser } = await createMember('cat', ['admin']);
  assert.is((await browser.get('/admin/mine')).status, 303);
  await addTotp(world(), browser);
  assert.is((await browser.get('/admin/mine')).text, 'inside /admin/mine');
});

required('explain says that the role waits', async () => {
  const { email } = await createMember('dan', ['staff']);
  const { out } = await world().site.cli('explain', 'GET', '/staff/list', '--as', email);
  assert.match(out, 'requires a second factor');
});

required('the scripts of the login pages are open, whatever a role guards', () => {
  for (const path of ['/scripts/passkey.js', '/scripts/developer.js']) assert.ok(isNeverGuarded(path), path);
  for (const path of ['/scripts/passkey.js/x', '/scripts/mine.js', '/x/scripts/passkey.js'])
    assert.not.ok(isNeverGuarded(path), path);
});

required('a role that nobody is given cannot require one', async () => {
  const { site } = world();
  for (const slug of ['guest', 'user', 'app']) {
    site.project.write(`config/role/${slug}.json`, { slug, name: slug, secondFactor: 'required', permissions: [] });
    const told = await site.cli('check').catch(String);
    assert.match(JSON.stringify(told), 'MODEL_ROLE_FACTOR', slug);
    site.project.write(`config/role/${slug}.json`, { slug, name: slug, permissions: [] });
  }
});

required.run();
