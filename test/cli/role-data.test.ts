// Also on PostgreSQL: rules become SQL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Project } from '../project.ts';
import { type RunResult, run } from './run.ts';

const project = new Project();
const test = suite<{ root: string; at: (...argv: string[]) => Promise<RunResult> }>('cli/role data');

test.before(async (world) => {
  world.root = project.root;
  world.at = (...argv) => run([...argv, '--no-interactive'], { cwd: world.root, stdin: 'a long enough word\n' });
  for (const argv of [
    ['api', 'populate'],
    ['rest', 'generate', 'article', '--access', 'app', '--action', 'create,update'],
    ['rest', 'generate', 'comment', '--access', 'user', '--action', 'search,create'],
    ['role', 'create', 'editor', '--permission', 'all:/staff/**'],
    ['migrate', '--yes'],
    ['user', 'create', '--email', 'ann@example.org', '--name', 'Ann', '--role', 'editor'],
  ])
    assert.is((await world.at(...argv)).code, 0, argv.join(' '));
});
test.after(() => project.remove());

const readRole = (root: string, slug: string): { data?: unknown } =>
  JSON.parse(readFileSync(join(root, `config/role/${slug}.json`), 'utf8'));

test('allow writes down what is open today as a schema becomes ruled', async ({ root, at }) => {
  const tried = await at('role', 'allow', 'editor', 'article', 'update', '--dry-run');
  assert.match(tried.out, 'would be created config/role/guest.json');
  const done = await at('role', 'allow', 'editor', 'article', 'update', 'remove');
  assert.is(done.code, 0, done.err);
  assert.match(done.out, 'article is closed now to what no role allows');
  assert.equal(readRole(root, 'editor').data, { article: { update: true, remove: true } });
  assert.equal(readRole(root, 'guest').data, { article: { search: true, detail: true } });
  assert.equal(readRole(root, 'app').data, { article: { create: true, update: true } });
  assert.not.match((await at('check')).out, 'ROLE_CALL_CLOSED|Roles close');
});

test('rows with an owner stay open to visitors where a page shows them, and closed where nothing does', async ({
  at,
}) => {
  const owned = await at('role', 'allow', 'editor', 'comment', 'update', '--dry-run', '--json');
  assert.equal(JSON.parse(owned.out).open, { guest: ['search', 'detail'], user: ['create'] });
  const told = await at('role', 'allow', 'editor', 'comment', 'update', '--dry-run');
  assert.match(told.out, 'Written down, because it is open today (--only leaves it out');
  assert.match(told.out, 'user (everybody who is logged in) may create comment');
  assert.match(told.out, /who +today +then +loses/);
  const calls = await at('role', 'allow', 'editor', 'comment', 'update', '--open', 'calls', '--dry-run', '--json');
  assert.equal(JSON.parse(calls.out).open, { user: ['search', 'create'] });
  assert.equal(
    JSON.parse(calls.out).table.map(({ who, loses }: { who: string; loses: string[] }) => [who, ...loses].join(' ')),
    ['guest search detail', 'user detail', 'app search detail', 'editor detail'],
  );
  for (const argv of [
    ['schema', 'create', 'ticket', '--field', 'code:text', '--relation', 'profile=1:1'],
    ['migrate', '--yes'],
  ])
    assert.is((await at(...argv)).code, 0, argv.join(' '));
  const hidden = await at('role', 'allow', 'editor', 'ticket', 'update', '--dry-run', '--json');
  assert.equal(JSON.parse(hidden.out).open, { user: ['detail'] }, "the download of one's own data reads it");
  assert.is((await at('schema', 'remove', 'ticket', '--cascade')).code, 0);
});

test('allow of a ruled schema, and with --only, writes the role alone', async ({ root, at }) => {
  assert.is((await at('role', 'allow', 'editor', 'article', 'create')).code, 0);
  assert.equal(readRole(root, 'editor').data, { article: { create: true, update: true, remove: true } });
  assert.is((await at('role', 'allow', 'editor', 'comment', 'search', '--only')).code, 0);
  assert.equal(Object.keys(readRole(root, 'guest').data as object), ['article']);
});

test('check names the calls that the roles close', async ({ at }) => {
  const { problems } = JSON.parse((await at('check', '--json')).out) as { problems: Record<string, string>[] };
  const closed = problems.filter(({ code }) => code === 'ROLE_CALL_CLOSED');
  assert.equal(
    closed.map(({ file, hint }) => [file, hint]),
    [['config/rest/user-comment-create.json', 'Allow it: treadle role allow user comment create']],
  );
});

for (const [argv, message] of [
  [['role', 'allow', 'editr', 'article', 'update'], 'There is no role "editr"'],
  [['role', 'allow', 'editor', 'artcle', 'update'], 'Did you mean "article"?'],
  [['role', 'allow', 'editor', 'article', 'updat'], 'Did you mean "update"?'],
] as const) {
  test(`${argv.join(' ')} is refused`, async ({ at }) => {
    const { code, err } = await at(...argv);
    assert.is(code, 64);
    assert.match(err, message);
  });
}

test('explain prints the rules and the SQL', async ({ at }) => {
  const role = {
    slug: 'editor',
    name: 'Editor',
    permissions: [],
    data: {
      comment: {
        search: { filter: { profile_id: '$me.profile_id', comment_created: { lte: '$now' } }, read: ['detail'] },
      },
    },
  };
  project.write('config/role/editor.json', role);
  const path = '/rest/user/comment/search';
  const open = await at('explain', 'GET', path);
  assert.match(open.out, 'search: refused with 403');
  const { out } = await at('explain', 'GET', path, '--as', 'ann@example.org');
  assert.match(out, 'roles  guest, user, editor');
  assert.match(out, '"profile_id":"$me.profile_id"');
  assert.match(out, /rows where \("t"\."profile_id" = 1 and "t"\."comment_created" <= \$now\)/);
  const article = await at('explain', 'GET', '/rest/public/article/search');
  assert.match(article.out, 'search: every row');
});

const FAULTS: readonly (readonly [unknown, string, string | undefined])[] = [
  [{ artcle: { search: true } }, 'which does not exist', 'Did you mean "article"?'],
  [{ article: { serch: true } }, 'The key "serch" is unknown', 'Did you mean "search"?'],
  [{ article: { search: { fitler: {} } } }, 'The key "fitler" is unknown', 'Did you mean "filter"?'],
  [{ article: { search: { read: ['titel'] } } }, '"titel" is not a column', 'Did you mean "title"?'],
  [{ article: { search: { filter: { article_titel: 1 } } } }, '"article_titel" is not a column', undefined],
  [{ article: { search: { filter: { article_id: '$me.profil_id' } } } }, '$me.profil_id', 'Did you mean "profile_id"?'],
  [{ article: { search: { filter: { article_published: '$nov' } } } }, 'is not a valid filter', undefined],
  [
    { article: { search: { filter: { article_published: '$nowadays' } } } },
    'is not a value that a rule knows',
    undefined,
  ],
];
for (const [data, message, hint] of FAULTS) {
  test(`check tells of ${JSON.stringify(data)}`, async ({ at }) => {
    project.write('config/role/odd.json', { slug: 'odd', name: 'Odd', permissions: [], data });
    const { out, code } = await at('check');
    assert.is(code, 5);
    assert.match(out, message);
    if (hint !== undefined) assert.match(out, hint);
  });
}

test('check warns of an option that the column of a filter does not have', async ({ at }) => {
  project.write('config/schema/ticket.json', {
    name: 'ticket',
    singular: 'Ticket',
    plural: 'Tickets',
    fields: [{ name: 'state', type: 'select', options: [{ key: 'open', value: 'Open' }] }],
    relations: [{ schema: 'profile', kind: '1:1' }],
  });
  const filter = { profile_id: '$me.profile_id', ticket_state: ['open', 'opne'] };
  const data = { ticket: { search: { filter } } };
  project.write('config/role/odd.json', { slug: 'odd', name: 'Odd', permissions: [], data });
  const { problems } = JSON.parse((await at('check', '--json')).out);
  const [told, ...more] = problems.filter(({ code }: { code: string }) => code === 'ROLE_FILTER_INVALID');
  assert.equal(more, []);
  assert.is(told.severity, 'warning');
  assert.match(told.message, 'has no option "opne"');
  assert.match(told.hint, 'Did you mean "open"?');
});

test.run();
