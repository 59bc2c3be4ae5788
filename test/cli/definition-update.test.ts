import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FIELD_KEYS } from '../../src/cli/keys/field.ts';
import { KEYS } from '../../src/cli/keys/kinds.ts';
import { digest } from '../../src/core/secret/secret.ts';
import { DEFINITION_KINDS, type DefinitionKind, Field, NAME_KEYS, SHAPES } from '../../src/model/shape.ts';
import { createAnswers, Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/definition-update');
test.after(() => folders.remove());

const read = (root: string, file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, file), 'utf8'));

interface Case {
  readonly argv: readonly string[];
  readonly file: string;
  /** Keys after the update; undefined for a removed one. */
  readonly has: Readonly<Record<string, unknown>>;
}

const CALL = 'config/rest/public-article-search.json';
const SCOPE = 'config/scope/profile_read.json';
const HOOK = 'config/webhook/profile-created.json';
const ROLE = 'config/role/editor.json';
const APP = 'config/app/reader.json';

const CASES: readonly Case[] = [
  {
    argv: [
      ...['schema', 'update', 'article', '--add-index', 'category, -published where category.in=a,b and active=true'],
      ...['--add-index', '{"columns":["title"],"where":{"title":"a where b"}}', '--add-index=-updated,title'],
    ],
    file: 'config/schema/article.json',
    has: {
      indexes: [
        { columns: ['category', '-published'], where: { category: { in: 'a,b' }, active: true } },
        { columns: ['title'], where: { title: 'a where b' } },
        { columns: ['-updated', 'title'] },
      ],
    },
  },
  {
    argv: ['schema', 'update', 'article', '--plural', 'Essays', '--unset', 'icon', '--unset', 'display'],
    file: 'config/schema/article.json',
    has: { singular: 'Article', plural: 'Essays', icon: undefined, display: undefined },
  },
  {
    argv: [
      'rest',
      'update',
      'public-article-search',
      '--path',
      '/rest/public/a',
      '--add-parameter',
      'sort=-article_id',
    ],
    file: CALL,
    has: { path: '/public/a', parameters: { schema: 'article', sort: '-article_id' } },
  },
  {
    argv: [
      'rest',
      'update',
      'public-article-search',
      '--parameter',
      'schema=profile',
      '--parameter',
      'filter.profile_id.gt=1',
    ],
    file: CALL,
    has: { parameters: { schema: 'profile', filter: { profile_id: { gt: '1' } } } },
  },
  {
    argv: ['rest', 'update', 'public-article-search', '--remove-parameter', 'schema', '--unset', 'description'],
    file: CALL,
    has: { parameters: undefined, description: undefined },
  },
  {
    argv: ['rest', 'update', 'user-profile-detail', '--no-own'],
    file: 'config/rest/user-profile-detail.json',
    has: { own: false },
  },
  {
    argv: ['scope', 'update', 'profile_read', '--name', 'You', '--add-call', 'app-profile-detail'],
    file: SCOPE,
    has: { slug: 'profile_read', name: 'You', calls: ['user-profile-detail', 'app-profile-detail'] },
  },
  {
    argv: ['scope', 'update', 'profile_read', '--remove-call', 'user-profile-detail'],
    file: SCOPE,
    has: { calls: [] },
  },
  {
    argv: ['webhook', 'update', 'profile-created', '--url', 'https://example.org/h', '--secret-version', '2'],
    file: HOOK,
    has: { url: 'https://example.org/h', secretVersion: 2 },
  },
  {
    argv: ['role', 'update', 'editor', '--add-permission', '/x', '--remove-permission', 'all:/admin/**'],
    file: ROLE,
    has: { permissions: [{ method: 'all', path: '/x' }] },
  },
  {
    argv: [
      'app',
      'update',
      'reader',
      '--remember-consent',
      '--add-redirect-uri',
      'https://example.org/b',
      '--unset',
      'scope',
    ],
    file: APP,
    has: { rememberConsent: true, redirectUris: ['https://example.org/a', 'https://example.org/b'], scopes: undefined },
  },
  {
    argv: ['fieldset', 'update', 'address', '--singular', 'Place'],
    file: 'config/fieldset/address.json',
    has: { singular: 'Place', plural: 'Addresses' },
  },
];

async function makeFull(): Promise<string> {
  const root = folders.makeProject();
  const made = [
    'api populate',
    'role create editor --permission all:/admin/**',
    'app create reader --title Reader --redirect-uri https://example.org/a --scope profile_read',
    'fieldset create address --field zip:text',
  ];
  for (const line of made) assert.is((await run(line.split(' '), { cwd: root })).code, 0, line);
  return root;
}

for (const { argv, file, has } of CASES) {
  test(`treadle ${argv.join(' ')}`, async () => {
    const root = await makeFull();
    const before = readFileSync(join(root, file), 'utf8');
    assert.is((await run([...argv, '--dry-run'], { cwd: root })).code, 0);
    assert.is(readFileSync(join(root, file), 'utf8'), before);
    const { code, err } = await run(argv, { cwd: root });
    assert.is(code, 0, err);
    const after = read(root, file);
    for (const [key, value] of Object.entries(has)) assert.equal(after[key], value, key);
    assert.match(readFileSync(join(root, file), 'utf8'), /^\{\n {2}"[\s\S]*\n\}\n$/);
  });
}

test('an update to the current values changes no byte', async () => {
  const root = await makeFull();
  const file = join(root, 'config/schema/article.json');
  // Custom formatting stays if nothing else changes.
  writeFileSync(file, JSON.stringify(read(root, 'config/schema/article.json')));
  const before = readFileSync(file, 'utf8');
  const { out } = await run(['schema', 'update', 'article', '--plural', 'Articles'], { cwd: root });
  assert.match(out, 'unchanged config/schema/article.json');
  assert.is(readFileSync(file, 'utf8'), before);
});

const WRONG: readonly (readonly [string, number, RegExp])[] = [
  ['schema update article', 64, /Nothing to change[\s\S]*--plural/],
  ['schema update artcle --plural X', 64, /Did you mean "article"/],
  ['schema update article --unset ikon', 64, /Did you mean "icon"/],
  ['schema update article --unset plural', 64, /--unset can't be "plural"/],
  ['scope update profile_read --remove-call user-profile-detial', 64, /Did you mean "user-profile-detail"/],
  ['scope update profile_read --access public', 64, /--access can't be "public"/],
  ['rest update public-article-search --parameter schema=artcle', 5, /Did you mean "article"/],
  ['rest update public-article-search --add-parameter __proto__.x=1', 64, /can't set/],
  ['webhook update profile-created --secret-version 0', 64, /whole number from 1/],
  ['app update reader --new-secret --public', 64, /cannot be combined/],
  ['field update article title --type txt', 64, /Did you mean "text"/],
  ['field update article titel --required', 64, /Did you mean "title"/],
  ['field update article detail --sortable', 5, /may not be sortable/],
  ['field update article title --add-validation requird', 64, /Did you mean "required"/],
  ['field update article title --list-format lenght:3', 64, /Did you mean "length"/],
];

test('what is wrong is named, and nothing is written', async () => {
  const root = await makeFull();
  for (const [line, code, message] of WRONG) {
    const result = await run(line.split(' '), { cwd: root });
    assert.is(result.code, code, line);
    assert.match(result.err, message);
  }
});

const FIELD_CASES: readonly (readonly [readonly string[], object])[] = [
  [['title', '--type', 'textarea', '--no-sortable'], { name: 'title', type: 'textarea', sortable: undefined }],
  [['author', '--required', '--unique', '--label', 'By'], { required: true, unique: true, label: 'By' }],
  [
    ['title', '--add-validation', 'char_lte:80:At most 80', '--add-validation', 'regexp:/^[A-Z]:?/i:A capital'],
    {
      validation: [
        { method: 'required', message: 'Title is required' },
        { method: 'char_lte', parameters: 80, message: 'At most 80' },
        { method: 'regexp', parameters: '/^[A-Z]:?/i', message: 'A capital' },
      ],
    },
  ],
  [
    ['title', '--validation', 'one:a, b:One of two'],
    { validation: [{ method: 'one', parameters: ['a', 'b'], message: 'One of two' }] },
  ],
  [['title', '--add-validation', 'required:Say it'], { validation: [{ method: 'required', message: 'Say it' }] }],
  [['title', '--remove-validation', 'required'], { validation: undefined }],
  [
    ['author', '--attribute', 'maxlength=40', '--attribute', 'placeholder=Who'],
    { attributes: { maxlength: 40, placeholder: 'Who' } },
  ],
  [
    ['category', '--type', 'select', '--option', 'a=A b', '--option', 'c'],
    {
      type: 'select',
      options: [
        { key: 'a', value: 'A b' },
        { key: 'c', value: 'C' },
      ],
    },
  ],
  [['author', '--type', 'number', '--default', '7'], { type: 'number', default: 7 }],
  [['author', '--default', '7'], { type: 'text', default: '7' }],
  [['author', '--type', 'decimal', '--currency', 'eur'], { type: 'decimal', currency: 'EUR' }],
  [
    ['published', '--default', 'NOW()', '--detail-format', 'date:Y-m-d'],
    { default: 'NOW()', detail: { format: 'date', parameters: ['Y-m-d'] } },
  ],
  [
    ['author', '--list-format', 'link:/a/{{article_id}},{{article_title}}, it'],
    { list: { format: 'link', parameters: ['/a/{{article_id}}', '{{article_title}}, it'] } },
  ],
  [['published', '--unset', 'list-format'], { list: undefined }],
];

for (const [argv, has] of FIELD_CASES) {
  test(`treadle field update article ${argv.join(' ')}`, async () => {
    const root = folders.makeProject();
    const { code, err } = await run(['field', 'update', 'article', ...argv], { cwd: root });
    assert.is(code, 0, err);
    const { fields } = read(root, 'config/schema/article.json') as { fields: Record<string, unknown>[] };
    const field = fields.find(({ name }) => name === argv[0]) ?? {};
    for (const [key, value] of Object.entries(has)) assert.equal(field[key], value, key);
  });
}

test("a fieldset's fields are added, changed and taken out by the same verbs", async () => {
  const root = await makeFull();
  const file = 'config/fieldset/address.json';
  const before = readFileSync(join(root, file), 'utf8');
  assert.is((await run(['field', 'add', 'address', 'city:text'], { cwd: root })).code, 0);
  assert.is((await run(['field', 'update', 'fieldset/address', 'city', '--required'], { cwd: root })).code, 0);
  assert.equal((read(root, file).fields as unknown[])[1], {
    name: 'city',
    label: 'City',
    type: 'text',
    required: true,
  });
  assert.is((await run(['field', 'remove', 'fieldset/address', 'city'], { cwd: root })).code, 0);
  assert.is(readFileSync(join(root, file), 'utf8'), before);
});

test('a new client secret is told once and its hash kept; a public app has none', async () => {
  const root = await makeFull();
  const { clientId } = read(root, APP);
  const { out } = await run(['app', 'update', 'reader', '--new-secret', '--json'], { cwd: root });
  const told = JSON.parse(out);
  assert.is(read(root, APP).secretHash, `sha256:${digest(told.clientSecret)}`);
  assert.is(told.clientId, clientId);
  await run(['app', 'update', 'reader', '--public'], { cwd: root });
  assert.is(read(root, APP).secretHash, undefined);
});

const COPIES: readonly (readonly [string, string, object])[] = [
  [
    'schema copy article post',
    'config/schema/post.json',
    { name: 'post', singular: 'Post', plural: 'Posts', display: '{{post_title}}', was: undefined },
  ],
  ['fieldset copy address place', 'config/fieldset/place.json', { name: 'place', singular: 'Place', plural: 'Places' }],
  [
    'rest copy public-article-search public-article-new --path /public/article/new --add-parameter sort=-article_id',
    'config/rest/public-article-new.json',
    { path: '/public/article/new', parameters: { schema: 'article', sort: '-article_id' } },
  ],
  [
    'scope copy profile_read profile_all --name All',
    'config/scope/profile_all.json',
    { slug: 'profile_all', name: 'All' },
  ],
  [
    'webhook copy profile-created other --type a.b',
    'config/webhook/other.json',
    { type: 'a.b', secretName: undefined },
  ],
  ['role copy editor author', 'config/role/author.json', { slug: 'author' }],
];

test('definitions are copied, and a copy is changed on the way', async () => {
  const root = await makeFull();
  for (const [line, file, has] of COPIES) {
    const { code, err } = await run(line.split(' '), { cwd: root });
    assert.is(code, 0, `${line}\n${err}`);
    for (const [key, value] of Object.entries(has)) assert.equal(read(root, file)[key], value, `${line}: ${key}`);
  }
  const told = JSON.parse((await run(['app', 'copy', 'reader', 'other', '--json'], { cwd: root })).out);
  const copy = read(root, 'config/app/other.json');
  assert.is(copy.clientId, told.clientId);
  assert.is(copy.secretHash, `sha256:${digest(told.clientSecret)}`);
  assert.is.not(copy.clientId, read(root, APP).clientId);
  assert.is((await run(['rest', 'copy', 'public-article-search', 'again'], { cwd: root })).code, 5);
  assert.is((await run(['check'], { cwd: root })).code, 0);
});

test('what is to be changed is asked for where no flag says it', async () => {
  const root = await makeFull();
  const prompt = createAnswers([['title', 'parameter'], 'Find', 'sort=-article_id', '']);
  const { code, err } = await run(['rest', 'update', 'public-article-search'], { cwd: root, isTTY: true, prompt });
  assert.is(code, 0, err);
  assert.match(err, 'treadle rest update public-article-search --title Find --add-parameter sort=-article_id');
  assert.equal(read(root, CALL).parameters, { schema: 'article', sort: '-article_id' });
});

/** Keys without a flag: names, fields, relations, secrets and the rules of a role have their own verbs. */
const OTHERWISE = new Set(['$schema', 'was', 'fields', 'relations', 'clientId', 'secretHash', 'data']);

test('every key of every shape has a flag', () => {
  const listMissing = (kind: DefinitionKind): string[] => {
    const flagged = new Set(KEYS[kind].map(({ key }) => key));
    return Object.keys(SHAPES[kind].shape).filter(
      (key) => !flagged.has(key) && !OTHERWISE.has(key) && key !== NAME_KEYS[kind],
    );
  };
  for (const kind of DEFINITION_KINDS) assert.equal(listMissing(kind), [], kind);
  const flagged = new Set(FIELD_KEYS.map(({ key }) => key));
  assert.equal(
    Object.keys(Field.shape).filter((key) => !flagged.has(key) && key !== 'name' && key !== 'was'),
    [],
  );
});

test.run();
