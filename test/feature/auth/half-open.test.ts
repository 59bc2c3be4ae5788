import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RouteContribution } from '../../../src/plan/feature.ts';
import { addArticle } from '../../boot.ts';
import type { Answer, Client } from '../../client.ts';
import { createUser, type FactorSite, logIn, startFactors } from './_second-factor.ts';

const PERMISSIONS = [{ method: 'all', path: '/staff/**' }];
const CONTROLLER = `export default (app) => {
  app.get('/staff/list', (request, response) => { response.setContent('staff'); });
  app.get('/me', (request, response) => { response.setContent(String(request.getSession('me', 'profile_id') ?? 'nobody')); });
};`;

/** Pages of the second step itself: they are there for half-open sessions. */
const STEP = /^(?:GET|POST) \/auth\/(?:second-factor|passkey\/options|passkey)$/;
/** A complete session would read it until the server ends it. */
const STREAM = 'GET /admin/events';
/** Pages of the project, and calls that a session must not open. */
const MORE = [
  'GET /me',
  'GET /staff/list',
  'GET /admin',
  'GET /admin/system/model/article/search',
  'POST /article/1',
  'GET /dialog/request?client_id=reader',
  'POST /dialog/request?client_id=reader',
  'GET /oauth/authorize?client_id=reader&response_type=code',
  'GET /rest/user/profile/detail',
  'GET /oauth/userinfo',
  'GET /auth/login?redirect_uri=/auth/account',
  'POST /auth/second-factor/totp',
  'POST /auth/account?action=logout',
  'POST /auth/confirm?redirect_uri=/auth/account',
];

const at: { world?: FactorSite } = {};
const world = (): FactorSite => at.world as FactorSite;

const half = suite('half-open login');
half.before(async () => {
  at.world = await startFactors({
    files: {
      'config/role/staff.json': { slug: 'staff', name: 'Staff', permissions: PERMISSIONS },
      'config/app/reader.json': { title: 'Reader', clientId: 'reader', redirectUris: ['http://127.0.0.1/back'] },
    },
    change: async (project) => {
      project.addController('own', CONTROLLER);
      await project.cli('api', 'populate');
    },
  });
  await addArticle(world().site);
});
half.after(() => world().site.close());

const toTarget = ({ method, path }: RouteContribution): string =>
  `${method === 'ALL' ? 'GET' : method} ${path.replace(/:\w+|\*+/g, '1')}`;

async function ask(client: Client, target: string): Promise<Answer> {
  const [method = '', path = ''] = target.split(' ');
  return method === 'GET' ? client.get(path) : client.post(path, { comment_detail: 'Hello', action: 'secret' });
}

/** What an answer tells, without what differs for each visitor. Only a browser with a session has a form token. */
const toTold = ({ status, location, text }: Answer): string =>
  [
    status,
    location,
    text
      .replace(/<input type="hidden" name="csrf" value="[^"]*">|name="csrf" value="[^"]*"/g, '')
      .replace(/"instance":"[^"]*"/, ''),
  ].join('\n');

half('reaches what a visitor reaches, at every route of Treadle and of the project', async () => {
  const { site } = world();
  const user = await createUser(world(), 'ann');
  await site.cli('user', 'role', 'add', user.email, 'staff');
  await site.cli('user', 'role', 'add', user.email, 'admin');
  const routes = site.app.plan.routes
    .map(toTarget)
    .filter((target) => !/\.(?:css|js|svg|ico)$|\/health\//.test(target));
  const targets = [...new Set([...routes, ...MORE])].filter((target) => !STEP.test(target.replace(/\?.*/, '')));
  assert.ok(targets.length > 60, String(targets.length));
  const wait = async (): Promise<Client> => {
    const waiting = site.browser();
    assert.is((await logIn(waiting, user.email)).location, '/auth/second-factor');
    return waiting;
  };
  // A post may end the session, except in the admin section: its gate stops each.
  const shared = await wait();
  let reached = 0;
  for (const target of targets) {
    const waiting = /^GET|\/admin/.test(target) ? shared : await wait();
    const told = toTold(await ask(waiting, target));
    assert.is(told, toTold(await ask(site.browser(), target)), target);
    // Posts would end the complete session.
    if (target.startsWith('GET') && target !== STREAM && told !== toTold(await ask(user.browser, target))) reached += 1;
  }
  assert.is((await shared.get('/auth/second-factor')).status, 200, 'it still waits for the second factor');
  assert.ok(reached > 15, `the complete session reaches ${reached} more`);
});

half('is no session of the account in its list', async () => {
  const { site } = world();
  const user = await createUser(world(), 'bob');
  await logIn(site.browser(), user.email);
  const found = await site.emit('auth-session-search', { auth_slug: user.email });
  assert.is(found.getResults('total'), 1);
});

half('a login with another account ends the session before', async () => {
  const { site } = world();
  const user = await createUser(world(), 'cat');
  const browser = await site.as('Dan');
  assert.not.match((await browser.get('/me')).text, /^nobody/);
  await logIn(browser, user.email);
  assert.match((await browser.get('/me')).text, /^nobody/);
});

half.run();
