import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CompiledPlan } from '../../../src/plan/compile.ts';
import type { Browser, Site } from '../../e2e/_setup.ts';
import { addController, logIn, type RoleFile, startRoles, writeFile } from './_site.ts';

const ROLES: readonly RoleFile[] = [
  { slug: 'staff', permissions: ['all:/staff/**', 'get:/report/*', 'all:/secret.txt'] },
  { slug: 'editor', permissions: ['post:/report/:id', 'all:/files/**'] },
  { slug: 'guest', permissions: ['get:/lobby'] },
  { slug: 'user', permissions: ['all:/club/**', 'all:/lobby'] },
];
const EVERYTHING: readonly RoleFile[] = [{ slug: 'member', permissions: ['all:/**'] }];

const PATHS = ['/staff', '/staff/list', '/staff/a/b', '/report/1', '/files/x', '/lobby', '/club/room', '/open/page'];
const CONTROLLER = `export default function rooms(app) {
  for (const path of ${JSON.stringify(PATHS)})
    for (const method of ['get', 'post', 'put', 'patch', 'delete'])
      app[method](path, (request, response) => { globalThis.heardRooms.push(method + ' ' + path); response.setContent('inside'); });
}
`;
const heard: string[] = [];
Object.assign(globalThis, { heardRooms: heard });

/** The users, with their roles. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  nobody: [],
  plain: [],
  staff: ['staff'],
  editor: ['editor'],
  both: ['staff', 'editor'],
  admin: ['admin'],
};

const prepare = (root: string): void => {
  addController(root, 'rooms', CONTROLLER);
  for (const file of ['secret.txt', 'staff/plan.txt', 'staff/index.html', 'open.txt'])
    writeFile(root, `public/${file}`, 'from the disk');
};

// The oracle: the contract's rule, on plain texts.
const covers = (pattern: string, path: string): boolean => {
  const [want, have] = [pattern, path].map((text) => text.toLowerCase().split('/').filter(Boolean)) as string[][];
  for (const [index, part] of (want as string[]).entries()) {
    if (part === '**') return true;
    const other = have?.[index];
    if (other === undefined || (part !== other && part !== '*' && !part.startsWith(':'))) return false;
  }
  return want?.length === have?.length;
};
type Wanted = 'open' | 'login' | 'refused';
function judge(files: readonly RoleFile[], person: string, method: string, path: string): Wanted {
  if (/^\/(auth|dialog|oauth|rest|health|\.well-known)(\/|$)/i.test(path)) return 'open';
  if (/^\/(styles\/treadle\.css|favicon\.(svg|ico))$/.test(path)) return 'open';
  const all = [{ slug: 'admin', permissions: ['all:/admin/**'] }, ...files].flatMap(({ slug, permissions }) =>
    permissions.map((text) => ({ slug, method: text.split(':')[0], path: text.slice(text.indexOf(':') + 1) })),
  );
  const meant = all.filter((entry) => covers(entry.path, path));
  const held = ['guest', ...(person === 'nobody' ? [] : ['user']), ...(PEOPLE[person] ?? [])];
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
  const isOpen = meant.some(({ slug, method: by }) => held.includes(slug) && (by === 'all' || by === asked));
  return meant.length === 0 || isOpen ? 'open' : person === 'nobody' ? 'login' : 'refused';
}

async function ask(site: Site, browser: Browser, method: string, path: string) {
  const headers = { cookie: browser.cookie(), 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(site.url + path, { method, headers, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

/** The gate's decision, independent of the answer of a route behind it. */
function toOutcome({ status, location, text }: Awaited<ReturnType<typeof ask>>, path: string): Wanted {
  const isLogin = location === `/auth/login?redirect_uri=${encodeURIComponent(path)}`;
  if (status === 303 && isLogin) return 'login';
  return status === 403 && text.includes('Your account may not open this.') ? 'refused' : 'open';
}

/** Every route as a method and a matching path. */
function listAsked(plan: CompiledPlan): [string, string][] {
  const routes = [
    ...plan.draft.registered.map(({ event }) => event).filter((event) => /^[A-Z]+ \//.test(event)),
    ...plan.routes.map(({ method, path }) => `${method} ${path}`),
  ];
  return [...new Set(routes)].map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return [method === 'ALL' ? 'GET' : method, path.replace(/:[A-Za-z_]+/g, '1').replace(/\*+/g, 'x')];
  });
}

for (const [name, files] of [
  ['paths of some roles', ROLES],
  ['a role for every path', EVERYTHING],
] as const) {
  const test = suite(`roles: ${name}`);
  let site: Site;
  const people = new Map<string, Browser>();
  test.before(async () => {
    site = await startRoles(files, prepare);
    for (const [person, roles] of Object.entries(PEOPLE)) {
      const known = roles.filter((role) => role === 'admin' || files.some(({ slug }) => slug === role));
      people.set(person, person === 'nobody' ? site.browser() : await logIn(site, person, known));
    }
    if (files === EVERYTHING) people.set('member', await logIn(site, 'member', ['member']));
  });
  test.after(() => site.close());

  test('every route, for everybody, is as the roles say', async () => {
    const asked = listAsked(site.app.plan as CompiledPlan);
    assert.ok(asked.length > 60, String(asked.length));
    const differing: string[] = [];
    for (const [person, browser] of people) {
      const roles = PEOPLE[person] ?? ['member'];
      for (const [method, path] of asked) {
        // It would log the user out, or in.
        if (/^\/auth\//.test(path) && method !== 'GET') continue;
        const before = heard.length;
        const answer = await ask(site, browser, method, path);
        const known = roles.filter((role) => role === 'admin' || files.some(({ slug }) => slug === role));
        const wanted =
          person === 'member' ? 'open' : judge(files, known.length === roles.length ? person : 'plain', method, path);
        const got = toOutcome(answer, path);
        // These pages require a login themselves.
        const isOwnLogin = wanted === 'open' && got === 'login' && /^\/(?:auth|developer)\//.test(path);
        if (got !== wanted && !isOwnLogin)
          differing.push(`${person} ${method} ${path}: ${got}, not ${wanted} (${answer.status})`);
        if (wanted !== 'open' && heard.length !== before) differing.push(`${person} ${method} ${path} was heard`);
        if (wanted === 'open' && PATHS.includes(path) && method !== 'HEAD' && heard.length === before)
          differing.push(`${person} ${method} ${path} was not heard`);
      }
    }
    assert.equal(differing, []);
  });
  test.run();
}

const test = suite('roles: guard');
let site: Site;
test.before(async () => {
  site = await startRoles(ROLES, prepare);
});
test.after(() => site.close());

test('static files are guarded too, by whatever spelling, and no shared cache keeps them', async () => {
  const staff = await logIn(site, 'staff', ['staff']);
  for (const path of [
    '/secret.txt',
    '/%73ecret.txt',
    '/staff/plan.txt',
    '/staff%2fplan.txt',
    '/staff/',
    '/STAFF/x%ff',
  ]) {
    const closed = await ask(site, site.browser(), 'GET', path);
    assert.equal([closed.status, closed.text], [303, ''], path);
  }
  const open = await fetch(`${site.url}/secret.txt`, { headers: { cookie: staff.cookie() } });
  assert.equal([open.status, await open.text()], [200, 'from the disk']);
  assert.is(open.headers.get('cache-control'), 'private, no-cache');
  const other = await fetch(`${site.url}/open.txt`);
  assert.match(other.headers.get('cache-control') ?? '', /^public/);
});

test('who logs in comes back; a program gets 401, and 403 as a problem', async () => {
  const visitor = site.browser();
  await site.app.emit('auth-create', {
    auth_slug: 'back@example.org',
    auth_password: 'a long enough word',
    profile_name: 'Back',
    auth_active: 1,
    auth_type: 'staff',
  });
  const closed = await visitor.get('/staff/list?a=1&b=2');
  assert.is(closed.location, `/auth/login?redirect_uri=${encodeURIComponent('/staff/list?a=1&b=2')}`);
  const form = { auth_slug: 'back@example.org', auth_password: 'a long enough word' };
  const back = await visitor.post(closed.location, form);
  assert.is(back.location, '/staff/list?a=1&b=2');
  assert.is((await visitor.get(back.location)).text, 'inside');
  const accept = { accept: 'application/json' };
  const problem = await fetch(`${site.url}/staff/list`, { headers: accept, redirect: 'manual' });
  assert.is(problem.status, 401);
  assert.is(((await problem.json()) as { message: string }).message, 'Log in to open this.');
  const plain = await logIn(site, 'plain', []);
  const refused = await fetch(`${site.url}/staff/list`, { headers: { ...accept, cookie: plain.cookie() } });
  assert.is(refused.status, 403);
  assert.is(((await refused.json()) as { error: boolean }).error, true);
});

test('a role that is taken away closes its paths at the next request', async () => {
  const late = await logIn(site, 'late', ['staff']);
  assert.is((await late.get('/staff/list')).status, 200);
  const { kysely } = site.app.services.database;
  await kysely.updateTable('treadle_auth').set({ auth_type: '' }).where('auth_slug', '=', 'late@example.org').execute();
  assert.is((await late.get('/staff/list')).status, 403);
  await kysely
    .updateTable('treadle_auth')
    .set({ auth_type: 'staff', auth_active: 0 })
    .where('auth_slug', '=', 'late@example.org')
    .execute();
  assert.is((await late.get('/staff/list')).status, 303, 'a disabled account is nobody');
});

test.run();
