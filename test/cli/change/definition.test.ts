import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRootSecret, digest } from '../../../src/core/secret/secret.ts';
import { deriveWebhookSecret } from '../../../src/core/secret/webhook-secret.ts';
import { Folders, run } from '../run.ts';

const folders = new Folders();
const test = suite('cli/change/definition');
test.after(() => folders.remove());

const read = (root: string, file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

interface Case {
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, unknown>>;
  readonly says?: string;
}

const STAMPS = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
];

const CASES: readonly Case[] = [
  {
    argv: ['schema', 'create', 'book-series', '--field', 'name:text:required,unique', '--relation', 'article=1:N'],
    says: 'a book series has many articles',
    files: {
      'config/schema/book-series.json': {
        name: 'book-series',
        singular: 'Book series',
        plural: 'Book series',
        display: '{{book_series_name}}',
        fields: [{ name: 'name', label: 'Name', type: 'text', required: true, unique: true }, ...STAMPS],
        relations: [{ schema: 'article', kind: '1:N' }],
      },
    },
  },
  {
    argv: ['schema', 'create', 'city', '--field', 'x:number', '--no-stamps', '--singular', 'Town'],
    files: {
      'config/schema/city.json': {
        name: 'city',
        singular: 'Town',
        plural: 'Towns',
        fields: [{ name: 'x', label: 'X', type: 'number' }],
      },
    },
  },
  {
    argv: ['fieldset', 'create', 'address', '--field', 'city:text:required'],
    files: {
      'config/fieldset/address.json': {
        name: 'address',
        singular: 'Address',
        plural: 'Addresses',
        fields: [{ name: 'city', label: 'City', type: 'text', required: true }],
      },
    },
  },
  {
    argv: 'rest create find --title Find --access public --method get --path /public/find --event system-model-search --parameter schema=profile'.split(
      ' ',
    ),
    says: 'GET /rest/public/find',
    files: {
      'config/rest/find.json': {
        title: 'Find',
        access: 'public',
        method: 'get',
        path: '/public/find',
        event: 'system-model-search',
        parameters: { schema: 'profile' },
      },
    },
  },
  {
    argv: 'rest generate comment --access user --action search,create'.split(' '),
    files: {
      'config/rest/user-comment-search.json': {
        title: 'Search comments',
        access: 'user',
        method: 'get',
        path: '/user/comment/search',
        event: 'system-model-search',
        parameters: { schema: 'comment' },
      },
      'config/rest/user-comment-create.json': {
        title: 'Create a comment',
        access: 'user',
        method: 'post',
        path: '/user/comment/create',
        event: 'system-model-create',
        parameters: { schema: 'comment' },
      },
      'config/scope/comment_read.json': {
        slug: 'comment_read',
        name: 'See your comments',
        access: 'user',
        calls: ['user-comment-search'],
      },
      'config/scope/comment_write.json': {
        slug: 'comment_write',
        name: 'Change your comments',
        access: 'user',
        calls: ['user-comment-create'],
      },
    },
  },
  {
    argv: 'rest generate comment --access app --action detail'.split(' '),
    files: {
      'config/rest/app-comment-detail.json': {
        title: 'Get a comment',
        access: 'app',
        method: 'get',
        path: '/app/comment/detail/:comment_id',
        event: 'system-model-detail',
        parameters: { schema: 'comment' },
      },
    },
  },
  {
    argv: 'webhook create said --title Said --event system-model-create --parameter schema=comment --type comment.created --url https://example.org/h --delivery inline'.split(
      ' ',
    ),
    files: {
      'config/webhook/said.json': {
        title: 'Said',
        event: 'system-model-create',
        parameters: { schema: 'comment' },
        type: 'comment.created',
        url: 'https://example.org/h',
        delivery: 'inline',
      },
    },
  },
  {
    argv: ['role', 'create', 'editor', '--permission', 'all:/admin/**', '--permission', 'get:/x'],
    files: {
      'config/role/editor.json': {
        slug: 'editor',
        name: 'Editor',
        permissions: [
          { method: 'all', path: '/admin/**' },
          { method: 'get', path: '/x' },
        ],
      },
    },
  },
];

for (const { argv, files, says } of CASES) {
  test(`treadle ${argv.join(' ')}`, async () => {
    const root = folders.makeProject();
    const dry = await run([...argv, '--dry-run'], { cwd: root });
    for (const file of Object.keys(files)) assert.not(existsSync(join(root, file)), 'a dry run writes nothing');
    const { code, out, err } = await run(argv, { cwd: root });
    assert.is(code, 0, err);
    assert.is(dry.code, 0);
    for (const [file, value] of Object.entries(files)) {
      assert.equal(read(root, file), value);
      assert.match(out, `created ${file}`);
      assert.match(dry.out, `would be created ${file}`);
    }
    if (says) assert.match(out, says);
    assert.match(err, /^Next/m);
  });
}

test('an existing definition is not overwritten', async () => {
  const root = folders.makeProject();
  const { code, err } = await run(['schema', 'create', 'article'], { cwd: root });
  assert.is(code, 1);
  assert.match(err, 'already exists');
});

test('a change that breaks a definition is refused with 5 and writes nothing', async () => {
  const root = folders.makeProject();
  const cases = [
    ['schema', 'create', 'bad', '--field', 'a:text', '--relation', 'nothere=1:1'],
    ['schema', 'remove', 'profile'],
    ['schema', 'create', 'Bad Name', '--field', 'a:text'],
    ['scope', 'create', 's', '--name', 'S', '--call', 'nothere'],
  ];
  for (const argv of cases) {
    const { code, out } = await run([...argv, '--json'], { cwd: root });
    assert.is(code, 5, argv.join(' '));
    const failure = JSON.parse(out);
    assert.is(failure.code, 'PROJECT_DEFINITIONS_INVALID');
    assert.ok(failure.problems.length > 0 && failure.problems[0].file.startsWith('config/'));
  }
  assert.equal(readdirSync(join(root, 'config/schema')).sort(), ['article.json', 'comment.json', 'profile.json']);
  assert.not(existsSync(join(root, 'config/scope')));
});

test('what was broken before does not stop another change', async () => {
  const root = folders.makeProject();
  writeFileSync(join(root, 'config/rest/broken.json'), '{');
  assert.is((await run(['field', 'add', 'article', 'subtitle'], { cwd: root })).code, 0);
});

test('a field is added before the stamps and taken out again, byte for byte', async () => {
  const root = folders.makeProject();
  const before = readFileSync(join(root, 'config/schema/article.json'), 'utf8');
  const argv = 'field add article state --type select --option draft=Draft --option live=Live --filterable'.split(' ');
  assert.is((await run(argv, { cwd: root })).code, 0);
  const { fields } = read(root, 'config/schema/article.json') as { fields: { name: string }[] };
  assert.equal(fields.at(-4), {
    name: 'state',
    label: 'State',
    type: 'select',
    options: [
      { key: 'draft', value: 'Draft' },
      { key: 'live', value: 'Live' },
    ],
    filterable: true,
  });
  assert.is((await run(argv, { cwd: root })).code, 1);
  assert.is((await run(['field', 'remove', 'article', 'state'], { cwd: root })).code, 0);
  assert.is(readFileSync(join(root, 'config/schema/article.json'), 'utf8'), before);
});

test('a relation is added, reads as a sentence, and is taken out again', async () => {
  const root = folders.makeProject();
  const before = readFileSync(join(root, 'config/schema/profile.json'), 'utf8');
  const added = await run(['relation', 'add', 'profile', 'N:N', 'article', '--name', 'favourite'], { cwd: root });
  assert.match(added.out, 'a profile has many articles, and an article many profiles, as favourite');
  assert.is(
    (await run(['relation', 'add', 'profile', 'N:N', 'article', '--name', 'favourite'], { cwd: root })).code,
    1,
  );
  assert.is((await run(['relation', 'remove', 'profile', 'N:N', 'favourite'], { cwd: root })).code, 0);
  assert.is(readFileSync(join(root, 'config/schema/profile.json'), 'utf8'), before);
});

test('api populate writes what the contract lists, and twice is once', async () => {
  const root = folders.makeProject();
  assert.is((await run(['api', 'populate'], { cwd: root })).code, 0);
  const calls = readdirSync(join(root, 'config/rest')).sort();
  assert.equal(calls, [
    'app-profile-detail.json',
    'public-article-detail.json',
    'public-article-search.json',
    'public-profile-search.json',
    'user-profile-detail.json',
  ]);
  assert.is(
    (read(root, 'config/rest/app-profile-detail.json') as { path: string }).path,
    '/public/profile/detail/:profile_id',
  );
  assert.is((read(root, 'config/rest/user-profile-detail.json') as { path: string }).path, '/user/profile/detail');
  assert.equal((read(root, 'config/scope/profile_read.json') as { calls: string[] }).calls, ['user-profile-detail']);
  assert.is((read(root, 'config/webhook/profile-created.json') as { type: string }).type, 'profile.created');
  assert.is((read(root, 'config/settings.json') as { api: boolean }).api, true);
  const { out } = await run(['api', 'populate', '--json'], { cwd: root });
  assert.equal(JSON.parse(out).files, [{ file: 'config/settings.json', change: 'unchanged' }]);
});

test('app create tells the id and the secrets, and stores the hash', async () => {
  const root = folders.makeProject();
  await run(['api', 'populate'], { cwd: root });
  const argv =
    'app create reader --title Reader --redirect-uri http://127.0.0.1:4000/cb --scope profile_read --webhook https://example.org/h --hook profile-created --json'.split(
      ' ',
    );
  const { code, out } = await run(argv, { cwd: root });
  assert.is(code, 0);
  const told = JSON.parse(out);
  const app = read(root, 'config/app/reader.json') as Record<string, unknown>;
  assert.is(app.clientId, told.clientId);
  assert.is(app.secretHash, `sha256:${digest(told.clientSecret)}`);
  assert.equal(app.hooks, ['profile-created']);
  const secret = createRootSecret(Buffer.alloc(32, 7).toString('base64url'), () => Buffer.alloc(0));
  assert.is(told.webhookSecret, deriveWebhookSecret(secret, 'profile-created', told.clientId, 1));
  const shown = await run(['webhook', 'secret', 'profile-created', '--app', 'reader'], { cwd: root });
  assert.is(shown.out.trim(), told.webhookSecret);
});

test('a public app has no secret; without .env there is no hook secret', async () => {
  const root = folders.makeProject();
  writeFileSync(join(root, '.env'), '');
  const { out } = await run(['app', 'create', 'phone', '--title', 'Phone', '--public', '--json'], { cwd: root });
  const told = JSON.parse(out);
  assert.is(told.clientSecret, null);
  assert.is(told.webhookSecret, null);
  assert.not('secretHash' in (read(root, 'config/app/phone.json') as object));
  const listed = await run(['app', 'list', '--files-only', '--json'], { cwd: root });
  const lists = { state: 'active', isPublic: true, scopes: [], pending: [], pendingHooks: [], ownerRemark: null };
  const own = { name: 'phone', title: 'Phone', clientId: told.clientId, from: 'file' };
  assert.equal(JSON.parse(listed.out), [{ ...own, ...lists }]);
});

test('list and show', async () => {
  const root = folders.makeProject();
  const listed = await run(['rest', 'list', '--json'], { cwd: root });
  assert.equal(
    JSON.parse(listed.out)
      .map(({ name }: { name: string }) => name)
      .sort(),
    ['public-article-detail', 'public-article-search', 'public-profile-search'],
  );
  const shown = await run(['schema', 'show', 'comment', '--file'], { cwd: root });
  assert.is(shown.out, readFileSync(join(root, 'config/schema/comment.json'), 'utf8'));
  const told = await run(['schema', 'show', 'comment'], { cwd: root });
  assert.match(told.out, /comment_detail +textarea +searchable +required:Comment is required/);
  assert.match(told.out, 'a comment has exactly one profile');
  assert.match(told.out, 'a comment belongs to at most one article');
  const data = JSON.parse((await run(['schema', 'show', 'article', '--json'], { cwd: root })).out);
  assert.equal(data.calls, ['public-article-detail', 'public-article-search']);
  assert.match((await run(['schema', 'list'], { cwd: root })).out, /comment +Comments +4 fields +1 relation\n/);
  assert.match((await run(['role', 'list'], { cwd: root })).out, 'None yet.');
});

test.run();
