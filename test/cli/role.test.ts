import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listGuarded } from '../../src/access/guard.ts';
import { toCreateOptions } from '../../src/cli/keys/key.ts';
import { KEYS } from '../../src/cli/keys/kinds.ts';
import { writeRoles } from '../feature/role/_site.ts';
import { Project } from '../project.ts';
import { type RunResult, run } from './run.ts';

const project = new Project();
const test = suite<{ at: (...argv: string[]) => Promise<RunResult> }>('cli/role');

const ROLES = [
  {
    slug: 'staff',
    permissions: ['all:/staff/**', 'get:/reports/*', 'all:/plan.txt', 'get:/stafff/list', 'all:/rest/**'],
  },
  { slug: 'viewer', permissions: ['get:/staff/list', 'post:/articles', 'all:/admin/system/**'] },
];

test.before(async (world) => {
  const { root } = project;
  writeRoles(project, ROLES);
  project.write('public/plan.txt', 'x');
  project.addController(
    'rooms',
    `export default function rooms(app) { app.get('/staff/list', () => {}); app.post('/staff/list', () => {}); app.get('/reports/:id', () => {}); }\n`,
  );
  world.at = (...argv) => run([...argv, '--no-interactive'], { cwd: root, stdin: 'a long enough word\n' });
  assert.is((await world.at('migrate', '--yes')).code, 0);
  for (const [name, ...role] of [['staff', 'staff'], ['viewer', 'viewer'], ['plain'], ['root', 'admin']])
    assert.is(
      (
        await world.at(
          'user',
          'create',
          '--email',
          `${name}@example.org`,
          '--name',
          String(name),
          ...(role.length ? ['--role', String(role)] : []),
        )
      ).code,
      0,
    );
});
test.after(() => project.remove());

test('check names the permissions that no route and no file meets, and those that guard nothing', async ({ at }) => {
  const { problems } = JSON.parse((await at('check', '--json')).out) as { problems: Record<string, string>[] };
  const told = problems.filter(({ code }) => code === 'PLAN_PERMISSION_UNMET');
  assert.equal(
    told.map(({ file, path }) => `${file} ${path}`),
    [
      'config/role/staff.json permissions.3.path',
      'config/role/staff.json permissions.4.path',
      'config/role/viewer.json permissions.1.path',
    ],
  );
  assert.match(String(told[0]?.hint), 'Did you mean "/staff/list"?');
  assert.match(String(told[1]?.message), 'guards nothing by /rest/**');
});

for (const [method, path, email, verdict] of [
  ['GET', '/staff/list', 'staff', ['passes', 'holds staff']],
  ['GET', '/staff/list', 'viewer', ['passes', 'holds viewer']],
  ['POST', '/staff/list', 'viewer', ['is refused', '403', 'it takes staff']],
  ['GET', '/staff/list', 'plain', ['is refused', 'holds guest, user', 'it takes staff or viewer']],
  ['GET', '/plan.txt', 'plain', ['no route; a static file may be there', 'is refused', 'it takes staff']],
  ['GET', '/admin', 'root', ['passes', 'holds admin']],
] as const) {
  test(`explain ${method} ${path} --as ${email} tells which role decided`, async ({ at }) => {
    const { out, code } = await at('explain', method, path, '--as', `${email}@example.org`);
    assert.is(code, 0);
    for (const part of verdict) assert.match(out, part);
  });
}

test('a role that is not there is refused with those that are', async ({ at }) => {
  const { code, err } = await at('user', 'create', '--email', 'x@example.org', '--name', 'X', '--role', 'boss');
  assert.is(code, 1);
  assert.match(err, 'Should be the slug of a role: admin, staff, viewer');
  const near = await at('user', 'create', '--email', 'x@example.org', '--name', 'X', '--role', 'admn');
  assert.match(near.err, 'Did you mean "admin"?');
});

test('the prompt for a permission asks again after a wrong path', () => {
  const option = toCreateOptions(KEYS.role).find(({ name }) => name === 'permission');
  for (const [typed, fault] of [
    ['Viewer', 'is not a path'],
    ['get:Viewer', 'is not a path'],
    ['fetch:/x', 'does not start with a method'],
    ['/staff/**', undefined],
    ['GET:/staff/**', undefined],
  ] as const) {
    const found = option?.check?.(typed);
    if (fault === undefined) assert.is(found, undefined, typed);
    else assert.match(String(found), fault, typed);
  }
});

test('start tells what the files guard', () => {
  const roles = new Map(
    ROLES.map(({ slug, permissions }) => {
      const parsed = permissions.map((text) => ({ method: text.split(':')[0], path: text.split(':')[1] }));
      return [slug, { slug, name: slug, permissions: parsed }] as const;
    }),
  );
  const guarded = listGuarded({ roles } as never);
  assert.ok(guarded.includes('all:/staff/** (staff)'));
  assert.not.ok(guarded.some((text) => text.includes('/rest')));
});

test.run();
