import { existsSync, rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { boot, type Site } from '../../boot.ts';
import { type Answer, type Client, type Form, PASSWORD } from '../../client.ts';
import { readForm } from '../../definition-form.ts';
import { writeRoles } from '../role/_site.ts';

const test = suite('who may edit definitions may not rise');

const MODEL = '/admin/system/model';
const KINDS = ['rest', 'scope', 'webhook', 'app', 'role'];
// Runs on from the true time, and jumps past the ten minutes of a proof.
const state = { late: 0 } as { site: Site; people: Map<string, Client>; late: number };
const clock = { ...systemClock, now: () => Date.now() + state.late };
const forget = (): void => {
  state.late += 700_000;
};

const EDITOR = {
  slug: 'editor',
  permissions: [
    'all:/admin',
    ...KINDS.map((kind) => `all:${MODEL}/${kind}/**`),
    ...['schema/**', 'fieldset/**', 'settings', 'settings/**'].map((path) => `all:/admin/system/${path}`),
    'all:/admin/history/**',
    'get:/staff/**',
  ],
  data: { article: { search: true, update: { filter: { article_id: 1 }, read: ['title'], write: ['title'] } } },
};

const APP = {
  title: 'Seed',
  clientId: 'app_seed',
  redirectUris: ['https://seed.example/back'],
  scopes: [],
  secretHash: `sha256:${'a'.repeat(64)}`,
};

/** Starts a project; each definition of the table exists. */
async function start(): Promise<Site> {
  return boot({
    clock,
    settings: { api: true, admin: { write: true } },
    async change(project) {
      await project.cli('api', 'populate');
      writeRoles(project, [
        EDITOR,
        { slug: 'whole', permissions: ['all:/admin/**'] },
        { slug: 'victim', permissions: ['all:/vault/**'], data: { article: { remove: true } } },
        { slug: 'plain', permissions: ['get:/staff/**'], data: { article: { search: true } } },
      ]);
      project.write('config/app/seed.json', APP);
      project.write('config/fieldset/place.json', {
        name: 'place',
        singular: 'Place',
        plural: 'Places',
        fields: [{ name: 'street', type: 'text' }],
      });
    },
  });
}

test.before(async () => {
  state.site = await start();
  state.people = new Map([
    ['administrator', await state.site.as('Ada', ['admin'])],
    ['holder of all:/admin/**', await state.site.as('Wil', ['whole'])],
    ['holder of the paths of definitions', await state.site.as('Eva', ['editor'])],
  ]);
});
test.after(() => state.site?.close());

const WHO = ['administrator', 'holder of all:/admin/**', 'holder of the paths of definitions'] as const;
const EDITOR_INDEX = 2;

interface Case {
  readonly what: string;
  /** Page that the form is opened at, where it matters what the form comes with. */
  readonly page?: string;
  readonly path: string;
  readonly form: Form;
  /** Files that a save changes. */
  readonly files: readonly string[];
  /** Whether somebody without `/admin/**` may do it. */
  readonly isOpen: boolean;
}

const role = (name: string) => `config/role/${name}.json`;
const toPermissions = (list: readonly string[]): Form =>
  Object.fromEntries(
    list.flatMap((text, index) => {
      const [method = '', path = ''] = text.split(':');
      return [
        [`permissions[${index}][method]`, method],
        [`permissions[${index}][path]`, path],
      ];
    }),
  );
const update = (
  what: string,
  name: string,
  permissions: readonly string[],
  isOpen: boolean,
  more: Form = {},
): Case => ({
  what: `update a role: ${what}`,
  path: `${MODEL}/role/update/${name}`,
  form: { name, ...toPermissions(permissions), ...more },
  files: [role(name)],
  isOpen,
});
const rule = (what: string, name: string, cell: string, form: Form, isOpen: boolean): Case => ({
  what: `a rule of a role: ${what}`,
  path: `${MODEL}/role/rule/${name}/${cell}`,
  form: { sure: '1', 'open[comment]': 'close', ...form },
  files: [role(name)],
  isOpen,
});
const matrix = (what: string, name: string, form: Form, isOpen: boolean): Case => ({
  what: `the matrix of a role: ${what}`,
  path: `${MODEL}/role/data/${name}`,
  form: { sure: '1', 'open[comment]': 'keep', ...form },
  files: [role(name)],
  isOpen,
});

const CASES: readonly Case[] = [
  update('all of the admin section', 'editor', [...EDITOR.permissions, 'all:/admin/**'], false),
  update('the admin section by another pattern', 'plain', ['get:/staff/**', 'all:/:room/**'], false),
  update('all definitions', 'plain', ['get:/staff/**', 'all:/admin/system/**'], false),
  {
    what: 'create the file of a role that everybody has: people',
    path: `${MODEL}/role/create`,
    form: { _name: 'user', ...toPermissions(['all:/admin/user/**']) },
    files: [role('user')],
    isOpen: false,
  },
  update('another method', 'plain', ['all:/staff/**'], false),
  update('a path that they have', 'plain', ['get:/staff/**', 'get:/staff/desk'], true),
  update('a guard taken away', 'victim', ['all:'], false),
  update('a second factor asked for in front of a path that they do not have', 'victim', ['all:/vault/**'], false, {
    secondFactor: 'required',
  }),
  matrix(
    'an action that they do not have',
    'plain',
    { 'data[article][search]': 'true', 'data[article][remove]': 'true' },
    false,
  ),
  matrix('an action taken from others', 'victim', { 'data[article][remove]': '' }, false),
  matrix(
    'a schema that no role rules',
    'plain',
    { 'data[article][search]': 'true', 'data[comment][search]': 'true' },
    false,
  ),
  matrix(
    'an action that they have',
    'victim',
    { 'data[article][search]': 'true', 'data[article][remove]': 'true' },
    true,
  ),
  rule('every row', 'plain', 'article/update', { state: 'true' }, false),
  rule(
    'other rows',
    'plain',
    'article/update',
    {
      state: 'rule',
      'filter[0][key]': 'article_id',
      'filter[0][value]': '2',
      read_mode: 'only',
      'read[]': 'title',
      write_mode: 'only',
      'write[]': 'title',
    },
    false,
  ),
  rule(
    'other columns',
    'plain',
    'article/update',
    {
      state: 'rule',
      'filter[0][key]': 'article_id',
      'filter[0][value]': '1',
      read_mode: 'only',
      'read[]': 'title',
      write_mode: 'all',
    },
    false,
  ),
  rule(
    'the rows and columns that they have',
    'plain',
    'article/update',
    {
      state: 'rule',
      'filter[0][key]': 'article_id',
      'filter[0][value]': '1',
      read_mode: 'only',
      'read[]': 'article_title',
      write_mode: 'only',
      'write[]': 'article_title',
    },
    true,
  ),
  {
    what: 'create a role with more',
    path: `${MODEL}/role/create`,
    form: { _name: 'fresh', ...toPermissions(['all:/admin/backup']) },
    files: [role('fresh')],
    isOpen: false,
  },
  {
    what: 'create a role with what they have',
    path: `${MODEL}/role/create`,
    form: { _name: 'fresh', ...toPermissions(['get:/staff/x']) },
    files: [role('fresh')],
    isOpen: true,
  },
  {
    what: 'copy a role',
    page: `${MODEL}/role/copy/victim`,
    path: `${MODEL}/role/create`,
    form: { _name: 'copied', copy: 'victim', name: 'Copied', ...toPermissions(['all:/vault/**']) },
    files: [role('copied')],
    isOpen: false,
  },
  {
    what: 'rename a role',
    path: `${MODEL}/role/rename/victim`,
    form: { to: 'renamed' },
    files: [role('victim'), role('renamed')],
    isOpen: false,
  },
  { what: 'remove a role', path: `${MODEL}/role/remove/victim`, form: {}, files: [role('victim')], isOpen: false },
  ...[
    [
      'rest',
      'public-article-search',
      {
        title: 'Other',
        access: 'public',
        method: 'get',
        path: '/public/article/search',
        event: 'system-model-search',
        'parameters[0][key]': 'schema',
        'parameters[0][value]': 'article',
        own: '1',
      },
      {
        _name: 'fresh',
        title: 'Fresh',
        access: 'public',
        method: 'get',
        path: '/public/fresh',
        event: 'system-model-search',
        'parameters[0][key]': 'schema',
        'parameters[0][value]': 'comment',
      },
    ],
    [
      'scope',
      'profile_read',
      { name: 'Other', access: 'user', 'calls[]': ['user-profile-detail'] },
      { _name: 'fresh', name: 'Fresh', access: 'user' },
    ],
    [
      'webhook',
      'profile-created',
      {
        title: 'Other',
        event: 'system-model-create',
        'parameters[0][key]': 'schema',
        'parameters[0][value]': 'profile',
        type: 'profile.created',
        audience: 'app',
        method: 'post',
      },
      {
        _name: 'fresh',
        title: 'Fresh',
        event: 'system-model-create',
        'parameters[0][key]': 'schema',
        'parameters[0][value]': 'profile',
        type: 'fresh.made',
        audience: 'app',
      },
    ],
    [
      'app',
      'seed',
      { title: 'Other', redirectUris: 'https://seed.example/back' },
      { _name: 'fresh', title: 'Fresh', redirectUris: 'https://fresh.example/back' },
    ],
  ].flatMap(([kind, name, changed, made]): Case[] => {
    const file = `config/${kind}/${name}.json`;
    return [
      {
        what: `update: ${kind}`,
        path: `${MODEL}/${kind}/update/${name}`,
        form: changed as Form,
        files: [file],
        isOpen: false,
      },
      {
        what: `create: ${kind}`,
        path: `${MODEL}/${kind}/create`,
        form: made as Form,
        files: [`config/${kind}/fresh.json`],
        isOpen: false,
      },
      {
        what: `copy: ${kind}`,
        page: `${MODEL}/${kind}/copy/${name}`,
        path: `${MODEL}/${kind}/create`,
        form: { ...(made as Form), copy: name as string },
        files: [`config/${kind}/fresh.json`],
        isOpen: false,
      },
      {
        what: `rename: ${kind}`,
        path: `${MODEL}/${kind}/rename/${name}`,
        form: { to: 'renamed' },
        files: [file, `config/${kind}/renamed.json`],
        isOpen: false,
      },
      {
        what: `remove: ${kind}`,
        path: `${MODEL}/${kind}/remove/${name}`,
        form: { cascade: '1' },
        files: [file],
        isOpen: false,
      },
    ];
  }),
  {
    what: 'generate calls',
    path: `${MODEL}/rest/generate`,
    form: { schema: 'comment', access: 'public', 'actions[]': ['search'] },
    files: ['config/rest/public-comment-search.json'],
    isOpen: false,
  },
  {
    what: 'new signing secrets of an app',
    page: `${MODEL}/app/detail/seed`,
    path: `${MODEL}/app/rotate/seed`,
    form: {},
    files: ['config/app/seed.json'],
    isOpen: false,
  },
  {
    what: 'a new signing secret of a web hook',
    page: `${MODEL}/webhook/detail/profile-created`,
    path: `${MODEL}/webhook/rotate/profile-created`,
    form: {},
    files: ['config/webhook/profile-created.json'],
    isOpen: false,
  },
  {
    what: 'update the settings',
    path: '/admin/system/settings',
    form: { 's[name]': 'Other' },
    files: ['config/settings.json'],
    isOpen: false,
  },
  {
    what: 'update a schema',
    path: '/admin/system/schema/update/comment',
    form: { plural: 'Replies' },
    files: ['config/schema/comment.json'],
    isOpen: true,
  },
  {
    what: 'create a schema',
    path: '/admin/system/schema/create',
    form: { name: 'fresh', singular: 'Fresh', plural: 'Fresh', 'field[k0]': '{"name":"title","type":"text"}' },
    files: ['config/schema/fresh.json'],
    isOpen: true,
  },
  {
    what: 'copy a schema',
    page: '/admin/system/schema/create?copy=comment',
    path: '/admin/system/schema/create',
    form: { name: 'fresh', singular: 'Fresh', plural: 'Fresh', display: '' },
    files: ['config/schema/fresh.json'],
    isOpen: true,
  },
  {
    what: 'rename a field',
    path: '/admin/system/schema/rename/comment?field=detail',
    form: { to: 'words' },
    files: ['config/schema/comment.json'],
    isOpen: true,
  },
  {
    what: 'rename a schema that calls and roles name',
    path: '/admin/system/schema/rename/article',
    form: { to: 'story' },
    files: ['config/schema/article.json', 'config/schema/story.json'],
    isOpen: false,
  },
  {
    what: 'remove a schema that calls and roles name',
    path: '/admin/system/schema/remove/article',
    form: { cascade: '1' },
    files: ['config/schema/article.json'],
    isOpen: false,
  },
  {
    what: 'import schemas',
    path: '/admin/system/schema/import',
    form: { text: '{"name":"fresh","singular":"F","plural":"F","fields":[{"name":"title","type":"text"}]}' },
    files: ['config/schema/fresh.json'],
    isOpen: true,
  },
  {
    what: 'update a field set',
    path: '/admin/system/fieldset/update/place',
    form: { plural: 'Spots' },
    files: ['config/fieldset/place.json'],
    isOpen: true,
  },
  {
    what: 'rename a field set',
    path: '/admin/system/fieldset/rename/place',
    form: { to: 'spot' },
    files: ['config/fieldset/place.json', 'config/fieldset/spot.json'],
    isOpen: true,
  },
  {
    what: 'remove a field set',
    path: '/admin/system/fieldset/remove/place',
    form: {},
    files: ['config/fieldset/place.json'],
    isOpen: true,
  },
];

type Texts = readonly (string | undefined)[];
const readAll = (files: readonly string[]): Texts =>
  files.map((file) => (existsSync(state.site.project.path(file)) ? state.site.project.read(file) : undefined));

const readHidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Opens the form of a case and posts it. Pages of kinds are posted as the case says, those of schemas with what the form has. */
async function send(who: Client, { page, path, form }: Case): Promise<Answer> {
  const { text } = await who.get(page ?? path.replace('/role/data/', '/role/detail/'));
  const hidden = { csrf: readHidden(text, 'csrf'), base: readHidden(text, 'base') };
  return who.post(path, { ...readForm(text), ...hidden, do: 'save', ...form });
}

/** Puts the project back as it was. */
async function undo(): Promise<void> {
  const { site } = state;
  const [last] = (await site.rows('treadle_definition_save')).slice(-1);
  const files = (typeof last?.files === 'string' ? JSON.parse(last.files) : last?.files) as {
    file: string;
    before?: string;
    text?: string;
  }[];
  for (const { file, before } of files) {
    if (before === undefined) rmSync(site.project.path(file), { force: true });
    else site.project.write(file, before);
  }
  await site.app.services.reload({ allowLoss: true, defaults: new Map() });
}

for (const [index, who] of WHO.entries()) {
  for (const each of CASES) {
    const isAllowed = each.isOpen || index !== EDITOR_INDEX;
    test(`${who}: ${each.what}: ${isAllowed ? 'after the password' : 'refused'}`, async () => {
      const client = state.people.get(who) as Client;
      forget();
      const before = readAll(each.files);
      const asked = await send(client, each);
      assert.equal(readAll(each.files), before, 'nothing is written before the password');
      if (!isAllowed && !asked.location.startsWith('/auth/confirm')) {
        assert.is(asked.status, 403, asked.text);
        return;
      }
      assert.match(asked.location, /^\/auth\/confirm/, asked.text);
      const redirect = decodeURIComponent(/redirect_uri=([^&]*)/.exec(asked.location)?.[1] ?? '');
      const wrong = await client.post('/auth/confirm', { auth_current: 'not it', redirect_uri: redirect });
      assert.is(wrong.status, 422);
      const done = await client.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: redirect });
      if (!isAllowed) {
        assert.is(done.status, 403, done.text);
        assert.equal(readAll(each.files), before);
        return;
      }
      assert.ok(done.status === 303 || done.status === 200, `${done.status} ${done.text}`);
      assert.not.equal(readAll(each.files), before, done.text);
      await undo();
      assert.equal(readAll(each.files), before, 'the next case begins as this one did');
    });
  }
}

test('an undo, and the history, put back nothing that the person may not write, and ask for the password', async () => {
  const { site, people } = state;
  const [admin, , editor] = WHO.map((name) => people.get(name) as Client) as [Client, Client, Client];
  const path = `${MODEL}/role/update/victim`;
  await admin.post('/auth/login', { auth_slug: 'ada@example.org', auth_password: PASSWORD });
  const page = await admin.get(path);
  const hidden = { csrf: readHidden(page.text, 'csrf'), base: readHidden(page.text, 'base') };
  const saved = await admin.post(path, { ...hidden, do: 'save', name: 'victim', ...toPermissions(['all:/cellar/**']) });
  assert.is(saved.status, 303, saved.text);
  const now = site.project.read(role('victim'));
  const [save] = (await site.rows('treadle_definition_save')).slice(-1);
  const [entry] = (await site.rows('treadle_history')).slice(-1);
  const doors = [`${MODEL}/role/undo/${save?.save_id}`, `/admin/history/${entry?.history_id}/revert`];
  for (const door of doors) {
    forget();
    for (const who of [editor, admin]) {
      const asked = await who.post(door, {});
      assert.match(asked.location, /^\/auth\/confirm/, `${door} ${asked.status}`);
      assert.is(site.project.read(role('victim')), now);
    }
    const redirect = door.includes('history') ? `/admin/history/${entry?.history_id}` : `${MODEL}/role/search`;
    await editor.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: redirect });
    assert.is(site.project.read(role('victim')), now, `${door} by the editor`);
  }
  const redirect = `${MODEL}/role/search`;
  const done = await admin.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: redirect });
  assert.is(done.status, 303, done.text);
  assert.match(site.project.read(role('victim')), /vault/);
});

test('what was typed survives the password step: a long form, a query, lists, and a form in each of two tabs', async () => {
  const { site, people } = state;
  const admin = people.get('administrator') as Client;
  forget();
  const long = `${'word '.repeat(18_000)}end`;
  const values = { title: 'Long', access: 'public', method: 'get', path: '/public/long', event: 'system-model-search' };
  const parameters = { 'parameters[0][key]': 'schema', 'parameters[0][value]': 'article' };
  const first = await admin.post(`${MODEL}/rest/create`, {
    _name: 'long',
    ...values,
    ...parameters,
    description: long,
    'aggregate[]': ['group', 'count'],
    do: 'save',
  });
  const page = await admin.get('/admin/system/schema/rename/comment?field=detail');
  const form = { ...readForm(page.text), to: 'words', do: 'save' };
  const second = await admin.post('/admin/system/schema/rename/comment?field=detail', form);
  for (const answer of [first, second]) assert.match(answer.location, /^\/auth\/confirm/, answer.text);
  const [one, two] = [first, second].map(
    ({ location }) => new URLSearchParams(location.split('?')[1]).get('redirect_uri') ?? '',
  );
  const done = await admin.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: one ?? '' });
  assert.is(done.location, `${MODEL}/rest/detail/long`, done.text);
  const written = JSON.parse(site.project.read('config/rest/long.json'));
  assert.is(written.description, long);
  assert.equal(written.aggregate, ['group', 'count']);
  const waiting = await admin.get(`/auth/confirm?redirect_uri=${encodeURIComponent(two ?? '')}`);
  assert.match(waiting.text, /Your last form waits to be sent/);
  const renamed = await admin.post('/auth/confirm', { action: 'go-on', redirect_uri: two ?? '' });
  assert.is(renamed.status, 303, renamed.text);
  assert.match(site.project.read('config/schema/comment.json'), /"name": "words"/);
});

test('a form that waited too long is not sent, and the page says so', async () => {
  const { people, site } = state;
  const admin = people.get('administrator') as Client;
  forget();
  const asked = await admin.post(`${MODEL}/scope/create`, { _name: 'slow', name: 'Slow', access: 'user', do: 'save' });
  const redirect = new URLSearchParams(asked.location.split('?')[1]).get('redirect_uri') ?? '';
  state.late += 3_700_000;
  const done = await admin.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: redirect });
  assert.is(done.location, redirect);
  assert.not.ok(existsSync(site.project.path('config/scope/slow.json')));
  assert.match((await admin.get(redirect)).text, /waited too long and was not sent/);
});

test.run();
