import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CompiledPlan } from '../../../src/plan/compile.ts';
import { boot, type Site } from '../../boot.ts';
import type { Answer, Client } from '../../client.ts';
import { type RoleFile, writeRoles } from './_site.ts';

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

/** A site with these roles, and pages and files that they guard. */
const start = (roles: readonly RoleFile[]): Promise<Site> =>
  boot({
    change(project) {
      writeRoles(project, roles);
      project.addController('rooms', CONTROLLER);
      for (const file of ['secret.txt', 'staff/plan.txt', 'staff/index.html', 'open.txt'])
        project.write(`public/${file}`, 'from the disk');
    },
  });

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

const ask = (browser: Client, method: string, path: string): Promise<Answer> =>
  browser.send(method, path, { headers: { 'sec-fetch-site': 'same-origin' } });

/** The gate's decision, independent of the answer of a route behind it. */
function toOutcome({ status, location, text }: Answer, path: string): Wanted {
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
  const people = new Map<string, Client>();
  test.before(async () => {
    site = await start(files);
    for (const [person, roles] of Object.entries(PEOPLE)) {
      const known = roles.filter((role) => role === 'admin' || files.some(({ slug }) => slug === role));
      people.set(person, person === 'nobody' ? site.browser() : await site.as(person, known));
    }
    if (files === EVERYTHING) people.set('member', await site.as('member', ['member']));
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
        const known = roles.filter((role) => role === 'admin' || files.some(({ slug }) => slug === role));
        const wanted =
          person === 'member' ? 'open' : judge(files, known.length === roles.length ? person : 'plain', method, path);
        // Who may read the stream would read it until the server ends it.
        if (path === '/admin/events' && wanted === 'open') continue;
        const before = heard.length;
        const answer = await ask(browser, method, path);
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
  site = await start(ROLES);
});
test.after(() => site.close());

test('static files are guarded too, for every spelling, and no shared cache keeps them', async () => {
  const staff = await site.as('staff', ['staff']);
  for (const path of [
    '/secret.txt',
    '/%73ecret.txt',
    '/staff/plan.txt',
    '/staff%2fplan.txt',
    '/staff/',
    '/STAFF/x%ff',
  ]) {
    const closed = await ask(site.browser(), 'GET', path);
    assert.equal([closed.status, closed.text], [303, ''], path);
  }
  const open = await staff.get('/secret.txt');
  assert.equal([open.status, open.text], [200, 'from the disk']);
  assert.is(open.headers['cache-control'], 'private, no-cache');
  const other = await site.get('/open.txt');
  assert.match(other.headers['cache-control'] ?? '', /^public/);
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
  const problem = await site.get('/staff/list', accept);
  assert.is(problem.status, 401);
  assert.is(problem.json().message, 'Log in to open this.');
  const plain = await site.as('plain', []);
  const refused = await plain.get('/staff/list', accept);
  assert.is(refused.status, 403);
  assert.is(refused.json().error, true);
});

test('an own listener of auth-detail decides about each request', async () => {
  const guarded = await boot({
    change(project) {
      writeRoles(project, ROLES);
      project.addController('rooms', CONTROLLER);
      project.addController(
        'suspended',
        `export default (app) => app.on('auth-detail', (request, response) => { if (globalThis.isSuspended) response.setError(true, 'Suspended.'); });\n`,
      );
    },
  });
  try {
    const staff = await guarded.as('staff', ['staff']);
    assert.is((await staff.get('/staff/list')).status, 200);
    Object.assign(globalThis, { isSuspended: true });
    assert.is((await staff.get('/staff/list')).status, 303, 'it is nobody');
  } finally {
    Object.assign(globalThis, { isSuspended: false });
    await guarded.close();
  }
});

test('a role that is taken away closes its paths at the next request', async () => {
  const late = await site.as('late', ['staff']);
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
