import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site, until } from '../../boot.ts';
import type { Answer, Client, Form } from '../../client.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('pages of REST calls, scopes, web hooks, apps and roles');

const MODEL = '/admin/system/model';
const state = {} as { site: Site; admin: Client };

test.before(async () => {
  state.site = await boot({ settings: { api: true, admin: { write: true } } });
  await state.site.cli('api', 'populate');
  await state.site.app.services.reload();
  state.admin = await state.site.as('admin', ['admin']);
});
test.after(() => state.site.close());

const has = (site: Site, file: string): boolean => existsSync(site.project.path(file));

const readHidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Opens a form and posts it with the token and the state of the file that it came with. */
async function submit(path: string, form: Form, { post = path, who = state.admin } = {}): Promise<Answer> {
  const { text } = await who.get(path);
  return who.post(post, { csrf: readHidden(text, 'csrf'), base: readHidden(text, 'base'), do: 'save', ...form });
}

interface Case {
  readonly what: string;
  readonly path: string;
  readonly form: Form;
  /** The command that gives the same answers. */
  readonly command: readonly string[];
  /** Files that both write. */
  readonly files: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'a REST call with every part',
    path: 'rest/create',
    form: {
      _name: 'find-articles',
      title: 'Find articles',
      access: 'user',
      method: 'get',
      path: '/rest/user/article/find/:profile_id',
      event: 'system-model-search',
      'parameters[0][key]': 'schema',
      'parameters[0][value]': 'article',
      'parameters[1][key]': 'sort.article_published',
      'parameters[1][value]': 'DESC',
      description: 'Words and "quotes".',
      'aggregate[]': ['group', 'count'],
      removed: '1',
      concurrency: 'required',
      maxAge: '60',
      deprecated: '2026-01-31',
    },
    command: [
      ...['rest', 'create', 'find-articles', '--title', 'Find articles', '--access', 'user', '--method', 'get'],
      ...['--path', '/rest/user/article/find/:profile_id', '--event', 'system-model-search', '--no-own', '--removed'],
      ...['--parameter', 'schema=article', '--parameter', 'sort.article_published=DESC', '--max-age', '60'],
      ...[
        '--description',
        'Words and "quotes".',
        '--aggregate',
        'group',
        '--aggregate',
        'count',
        '--concurrency',
        'required',
      ],
      ...['--deprecated', '2026-01-31'],
    ],
    files: ['config/rest/find-articles.json'],
  },
  {
    what: 'a scope',
    path: 'scope/create',
    form: {
      _name: 'profile_all',
      name: 'See all of you',
      description: 'Everything.',
      access: 'user',
      approval: '1',
      'calls[]': ['user-profile-detail'],
    },
    command: [
      ...['scope', 'create', 'profile_all', '--name', 'See all of you', '--description', 'Everything.'],
      ...['--access', 'user', '--approval', '--call', 'user-profile-detail'],
    ],
    files: ['config/scope/profile_all.json'],
  },
  {
    what: 'a web hook',
    path: 'webhook/create',
    form: {
      _name: 'article-long',
      title: 'Long article',
      event: 'system-model-update',
      'parameters[0][key]': 'schema',
      'parameters[0][value]': 'article',
      'filter[0][key]': 'article_active',
      'filter[0][value]': '1',
      type: 'article.long',
      fields: 'article_id\r\narticle_title',
      audience: 'app',
      approval: 'false',
      url: 'https://example.org/hook',
      format: 'cloudevents-binary',
    },
    command: [
      ...['webhook', 'create', 'article-long', '--title', 'Long article', '--event', 'system-model-update'],
      ...['--parameter', 'schema=article', '--filter', 'article_active=1', '--type', 'article.long'],
      ...['--field', 'article_id,article_title', '--audience', 'app', '--no-approval'],
      ...['--url', 'https://example.org/hook', '--format', 'cloudevents-binary'],
    ],
    files: ['config/webhook/article-long.json'],
  },
  {
    what: 'a role',
    path: 'role/create',
    form: {
      _name: 'editor',
      secondFactor: 'required',
      'permissions[0][method]': 'get',
      'permissions[0][path]': '/staff/**',
      'permissions[1][method]': 'all',
      'permissions[1][path]': '/admin/system/model/article/**',
    },
    command: [
      ...['role', 'create', 'editor', '--second-factor', 'required', '--permission', 'get:/staff/**'],
      ...['--permission', 'all:/admin/system/model/article/**'],
    ],
    files: ['config/role/editor.json'],
  },
  {
    what: 'the usual calls of a schema, with their scopes',
    path: 'rest/generate',
    form: { schema: 'comment', access: 'user', 'actions[]': ['search', 'detail', 'create'], scope: '' },
    command: ['rest', 'generate', 'comment', '--access', 'user', '--action', 'search,detail,create'],
    files: [
      ...['search', 'detail', 'create'].map((action) => `config/rest/user-comment-${action}.json`),
      'config/scope/comment_read.json',
      'config/scope/comment_write.json',
    ],
  },
];

for (const { what, path, form, command, files } of CASES) {
  test(`the browser writes ${what} as the command does, byte for byte`, async () => {
    const { site } = state;
    const answer = await submit(`${MODEL}/${path}`, form);
    assert.is(answer.status, 303, answer.text);
    const written = files.map((file) => site.project.read(file));
    for (const [, kind = '', name = ''] of files.map((file) => file.replace('.json', '').split('/'))) {
      await site.cli(kind, 'remove', name, '--cascade');
    }
    await site.cli(...command);
    assert.equal(
      written,
      files.map((file) => site.project.read(file)),
    );
    await site.app.services.reload();
  });
}

/** Changes of definitions that exist, by the browser and by a command. */
const CHANGES: readonly Case[] = [
  {
    what: 'a new title, fixed parameter and cache time of a REST call',
    path: 'rest/update/public-article-search',
    form: {
      title: 'Find articles',
      access: 'public',
      method: 'get',
      path: '/public/article/search',
      event: 'system-model-search',
      'parameters[0][key]': 'schema',
      'parameters[0][value]': 'article',
      'parameters[1][key]': 'filter.article_active',
      'parameters[1][value]': '1',
      own: '1',
      maxAge: '30',
    },
    command: [
      ...['rest', 'update', 'public-article-search', '--title', 'Find articles', '--unset', 'description'],
      ...['--add-parameter', 'filter.article_active=1', '--max-age', '30'],
    ],
    files: ['config/rest/public-article-search.json'],
  },
  {
    what: 'approval of a scope taken up, and its call taken out',
    path: 'scope/update/profile_read',
    form: { name: 'See you', access: 'user', approval: '1' },
    command: [
      ...['scope', 'update', 'profile_read', '--name', 'See you', '--unset', 'description', '--approval'],
      ...['--remove-call', 'user-profile-detail'],
    ],
    files: ['config/scope/profile_read.json'],
  },
  {
    what: 'a web hook that is sent inline',
    path: 'webhook/update/profile-created',
    form: {
      title: 'Profile created',
      event: 'system-model-create',
      'parameters[0][key]': 'schema',
      'parameters[0][value]': 'profile',
      type: 'profile.created',
      audience: 'app',
      method: 'post',
      delivery: 'inline',
      secretVersion: '1',
      url: 'https://example.org/own',
    },
    command: [
      ...['webhook', 'update', 'profile-created', '--delivery', 'inline', '--url', 'https://example.org/own'],
      ...['--unset', 'description'],
    ],
    files: ['config/webhook/profile-created.json'],
  },
];

for (const { what, path, form, command, files } of CHANGES) {
  test(`the browser and the command write ${what}, byte for byte`, async () => {
    const { site } = state;
    const before = files.map((file) => site.project.read(file));
    const answer = await submit(`${MODEL}/${path}`, form);
    assert.is(answer.status, 303, answer.text);
    const written = files.map((file) => site.project.read(file));
    assert.not.equal(written, before);
    for (const [index, file] of files.entries()) site.project.write(file, before[index]);
    await site.cli(...command);
    assert.equal(
      written,
      files.map((file) => site.project.read(file)),
    );
    for (const [index, file] of files.entries()) site.project.write(file, before[index]);
    await site.app.services.reload();
  });
}

test('a form that changes nothing leaves every file as it is, numbers and unknown keys included', async () => {
  const { site, admin } = state;
  const file = 'config/rest/odd.json';
  const text =
    '{\n  "title": "Odd", "access": "public", "method": "get", "path": "/public/odd", "event": "system-model-search",\n  "parameters": { "limit": 5, "schema": "article", "filter": { "article_id": { "gte": 2 } }, "sort": ["article_id"], "q": "{x" }\n}\n';
  site.project.write(file, text);
  const { text: page } = await admin.get(`${MODEL}/rest/update/odd`);
  const inputs = [...page.matchAll(/<input class="t-input[^>]* name="(parameters[^"]+)" value="([^"]*)"/g)];
  const decode = (value: string): string => value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'");
  const parameters = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, decode(value)]));
  assert.ok(Object.values(parameters).includes('filter.article_id.gte'));
  const same = { title: 'Odd', access: 'public', method: 'get', path: '/public/odd', event: 'system-model-search' };
  const answer = await submit(`${MODEL}/rest/update/odd`, { ...same, own: '1', ...parameters });
  assert.is(answer.status, 200);
  assert.match(answer.text, /Nothing changed/);
  assert.is(site.project.read(file), text);
  await site.cli('rest', 'remove', 'odd');
});

test('what is wrong is told beside its field, nothing is written, and what was typed stays', async () => {
  const cases: readonly (readonly [string, Form, RegExp])[] = [
    ['rest/create', { _name: 'A b', title: 'T' }, /A name starts with a lower case letter/],
    ['rest/create', { _name: 'public-article-search' }, /already exists/],
    [
      'rest/create',
      { _name: 'x', title: 'T', path: 'no-slash', event: 'e', access: 'public', method: 'get' },
      /must start with one/,
    ],
    [
      'rest/create',
      { _name: 'x', title: '', path: '/x', event: 'e', access: 'public', method: 'get' },
      /must not be empty/,
    ],
    [
      'rest/create',
      {
        _name: 'x',
        title: 'T',
        path: '/x',
        event: 'e',
        access: 'public',
        method: 'get',
        'parameters[0][key]': 'a',
        'parameters[0][value]': '{',
      },
      /is not JSON/,
    ],
    [
      'webhook/create',
      {
        ...{ _name: 'x', title: 'T', event: 'system-model-create', type: 'article.made' },
        ...{ 'parameters[0][key]': 'schema', 'parameters[0][value]': 'article' },
        ...{ 'filter[0][key]': 'article_titel', 'filter[0][value]': 'kept &amp; shown' },
      },
      /Did you mean &quot;article_title&quot;/,
    ],
  ];
  for (const [path, form, told] of cases) {
    const answer = await submit(`${MODEL}/${path}`, form);
    assert.is(answer.status, 422, `${path} ${JSON.stringify(form)} ${answer.text.slice(0, 400)}`);
    assert.match(answer.text, told);
    for (const [key, value] of Object.entries(form)) {
      if (/title|value/.test(key) && value !== '')
        assert.ok(answer.text.includes(`value="${String(value).replaceAll('&', '&amp;')}"`), `${key} is lost`);
    }
  }
  assert.not.ok(has(state.site, 'config/rest/x.json'));
});

test('a file that changed on disk is a conflict with both versions; "save mine over it" writes it', async () => {
  const { site, admin } = state;
  const path = `${MODEL}/scope/update/profile_read`;
  const { text } = await admin.get(path);
  const form = { csrf: readHidden(text, 'csrf'), base: readHidden(text, 'base'), do: 'save', access: 'user' };
  const before = site.project.read('config/scope/profile_read.json');
  site.project.edit('config/scope/profile_read.json', (scope) =>
    Object.assign(scope, { description: 'By an editor.' }),
  );
  const mine = { ...form, name: 'Mine', 'calls[]': 'user-profile-detail' };
  const conflict = await admin.post(path, mine);
  assert.is(conflict.status, 409);
  assert.match(conflict.text, /By an editor/);
  const over = /name="over" value="([^"]+)"/.exec(conflict.text)?.[1] ?? '';
  const saved = await admin.post(path, { ...mine, over });
  assert.is(saved.status, 303, saved.text);
  assert.match(site.project.read('config/scope/profile_read.json'), /"Mine"/);
  site.project.write('config/scope/profile_read.json', before);
  await site.app.services.reload();
});

/** Where the danger zone of a page leads. */
const listDanger = (text: string): string[] => {
  const [, zone = ''] = text.split('<section class="t-card t-danger"');
  return [...(zone.split('</section>')[0] ?? '').matchAll(/(?:href|action)="([^"]+)"/g)].map(([, path]) =>
    String(path),
  );
};

test('the page of a definition has what breaks or removes it in a zone of its own, unless code defines it', async () => {
  const { site, admin } = state;
  for (const path of ['rest/detail/user-profile-detail', 'scope/detail/profile_read'])
    assert.equal(
      listDanger((await admin.get(`${MODEL}/${path}`)).text),
      ['rename', 'remove'].map((verb) => `${MODEL}/${path.replace('detail', verb)}`),
    );
  const schema = await admin.get('/admin/system/schema/update/comment');
  assert.equal(listDanger(schema.text), ['/admin/system/schema/rename/comment', '/admin/system/schema/remove/comment']);
  for (const verb of ['rename', 'remove'])
    assert.is((await admin.get(`/admin/system/schema/${verb}/comment`)).status, 200, site.url);
  assert.equal(listDanger((await admin.get(`${MODEL}/role/detail/guest`)).text), []);
});

test('a preview names what breaks clients, and writes nothing; a removal names what refers to it', async () => {
  const { site, admin } = state;
  const path = `${MODEL}/rest/update/public-article-search`;
  const moved = { title: 'S', access: 'public', method: 'get', path: '/public/moved', event: 'system-model-search' };
  const schema = { 'parameters[0][key]': 'schema', 'parameters[0][value]': 'article' };
  const preview = await submit(path, { ...moved, ...schema, do: 'preview' });
  assert.is(preview.status, 200);
  assert.match(preview.text, /breaks clients/);
  assert.match(site.project.read('config/rest/public-article-search.json'), /article\/search/);
  const asked = await admin.get(`${MODEL}/rest/remove/user-profile-detail`);
  assert.match(asked.text, /config\/scope\/profile_read\.json/);
  const refused = await submit(`${MODEL}/rest/remove/user-profile-detail`, {});
  assert.is(refused.status, 422);
  assert.ok(has(site, 'config/rest/user-profile-detail.json'));
  await site.cli('rest', 'copy', 'public-article-search', 'temporary', '--path', '/public/temporary');
  const renamed = await submit(`${MODEL}/rest/rename/temporary`, { to: 'short-lived' });
  assert.is(renamed.status, 303, renamed.text);
  assert.ok(has(site, 'config/rest/short-lived.json'));
  assert.is((await submit(`${MODEL}/rest/remove/short-lived`, {})).status, 303);
  assert.not.ok(has(site, 'config/rest/short-lived.json'));
  const undo = /action="([^"]+\/undo\/\d+)"/.exec((await admin.get(`${MODEL}/rest/search`)).text)?.[1] ?? '';
  await submit(`${MODEL}/rest/search`, { csrf: readHidden(asked.text, 'csrf') }, { post: undo });
  assert.ok(has(site, 'config/rest/short-lived.json'));
  await site.cli('rest', 'remove', 'short-lived');
});

test('the try-out sends a call as anybody, as an app and as a user, and prints curl', async () => {
  const { site } = state;
  await site.cli('rest', 'generate', 'article', '--access', 'app', '--action', 'search');
  await site.cli('app', 'create', 'reader', '--title', 'Reader', '--scope', 'profile_read');
  await site.app.services.reload();
  const { clientId } = JSON.parse(site.project.read('config/app/reader.json')) as { clientId: string };
  const send = (call: string, form: Form): Promise<Answer> =>
    submit(`${MODEL}/rest/detail/${call}`, form, { post: `${MODEL}/rest/try/${call}` });
  const open = await send('public-article-search', { query: 'limit=1' });
  assert.match(open.text, /t-badge-success">200</);
  assert.match(open.text, /curl &#x27;http:\/\/[^&]+\/rest\/public\/article\/search\?limit&#x3D;1/);
  const missing = await send('public-article-detail', { 'path[article_id]': '99999' });
  assert.match(missing.text, /t-badge-danger">404</);
  const app = await send('app-article-search', { app: clientId, query: '' });
  assert.match(app.text, /t-badge-success">200</, app.text);
  const user = await send('user-profile-detail', { app: clientId, query: '' });
  assert.match(user.text, /t-badge-success">200</, user.text);
  assert.match(user.text, /admin@example\.org|&quot;profile_name&quot;: &quot;admin&quot;/);
  assert.match(user.text, /Authorization: Bearer tk_at_|authorization: Bearer tk_at_/);
  assert.match((await send('app-article-search', { app: '' })).text, /Choose the app/);
});

test('a new app shows its secret once, after the password; its file has the hash', async () => {
  const { site, admin } = state;
  const form = {
    _name: 'made',
    title: 'Made',
    public: '0',
    redirectUris: 'https://example.org/callback',
    'scopes[]': ['profile_read'],
  };
  const asked = await submit(`${MODEL}/app/create`, form);
  // A login was a proof a moment ago.
  assert.is(asked.status, 200, asked.text);
  const secret = /id="client-secret">(tk_cs_[^<]+)</.exec(asked.text)?.[1];
  assert.ok(secret);
  const file = JSON.parse(site.project.read('config/app/made.json')) as Record<string, unknown>;
  assert.match(String(file.secretHash), /^sha256:[0-9a-f]{64}$/);
  assert.not.match((await admin.get(`${MODEL}/app/detail/made`)).text, /tk_cs_/);
  await site.cli(
    'app',
    'create',
    'twin',
    '--title',
    'Made',
    '--redirect-uri',
    'https://example.org/callback',
    '--scope',
    'profile_read',
  );
  const hide = (name: string): string =>
    site.project.read(`config/app/${name}.json`).replace(/"(clientId|secretHash)": "[^"]+"/g, '"$1": "…"');
  assert.is(hide('made'), hide('twin'));
  const refreshed = await submit(`${MODEL}/app/detail/made`, {}, { post: `${MODEL}/app/refresh/made` });
  assert.match(refreshed.text, /id="client-secret">tk_cs_/);
  assert.is.not(JSON.parse(site.project.read('config/app/made.json')).secretHash, file.secretHash);
});

test('an app of the browser is approved, suspended, resumed, and gets a new secret', async () => {
  const { site, admin } = state;
  await site.cli('scope', 'update', 'profile_read', '--approval');
  await site.app.services.reload();
  const [account] = (await site.rows('treadle_auth')) as { auth_id: number }[];
  const stage = {
    owner: account?.auth_id,
    title: 'Of the browser',
    redirect_uris: 'https://b.example/cb',
    scopes: ['profile_read'],
  };
  const made = await site.emit('app-create', stage);
  const id = String(made.getResults('client_id'));
  const page = `${MODEL}/app/detail/${id}`;
  assert.match((await admin.get(`${MODEL}/app/search`)).text, /waits for approval of profile_read/);
  const act = (verb: string, form: Form = {}): Promise<Answer> =>
    submit(page, form, { post: `${MODEL}/app/${verb}/${id}` });
  assert.is((await act('approve', {})).status, 422);
  assert.is((await act('approve', { 'scopes[]': ['profile_read'], action: 'approve' })).status, 303);
  const find = async () =>
    (await site.rows('treadle_app')).find((row) => row.client_id === id) as Record<string, unknown>;
  assert.match(String(JSON.stringify((await find()).approved)), /profile_read/);
  assert.is((await act('suspend')).status, 303);
  assert.match((await admin.get(page)).text, /suspended/);
  assert.equal(listDanger((await admin.get(page)).text), [`${MODEL}/app/remove-row/${id}`]);
  assert.is((await act('resume')).status, 303);
  assert.is((await find()).active, 1);
  assert.equal(listDanger((await admin.get(page)).text), [
    `${MODEL}/app/suspend/${id}`,
    `${MODEL}/app/remove-row/${id}`,
  ]);
  const old = (await find()).secret_hash;
  assert.match((await act('refresh', { at_once: '1' })).text, /tk_cs_/);
  assert.is.not((await find()).secret_hash, old);
  assert.is((await act('remove-row')).status, 422);
  assert.is((await act('remove-row', { sure: '1' })).status, 303);
  assert.is(await find(), undefined);
});

test('a web hook sends a trial, logs it, shows its secret after a proof, and gets a new one', async () => {
  const { site, admin } = state;
  await site.cli('webhook', 'update', 'profile-created', '--url', 'https://example.org/own');
  await site.app.services.reload();
  const page = `${MODEL}/webhook/detail/profile-created`;
  const act = (verb: string, form: Form = {}): Promise<Answer> =>
    submit(page, form, { post: `${MODEL}/webhook/${verb}/profile-created` });
  const find = async (state: string): Promise<string> => (await admin.get(`${page}?state=${state}`)).text;
  const STATUS = /<span role="status">([^<]*)/;
  assert.not.match((await admin.get(page)).text, STATUS);
  assert.is(STATUS.exec(await find(''))?.[1], 'No delivery matches.');
  assert.is((await act('test')).status, 303);
  // A job finds the receivers.
  const told = await until(async () => {
    const words = STATUS.exec(await find(''))?.[1];
    return words === 'No delivery matches.' ? undefined : words;
  });
  assert.is(told, 'One delivery.');
  const shown = await act('secret');
  const secret = (await site.cli('webhook', 'secret', 'profile-created')).data.webhookSecret;
  assert.ok(shown.text.includes(String(secret).replaceAll('=', '&#x3D;')) || shown.text.includes(String(secret)));
  assert.not.match((await admin.get(page)).text, /whsec_/);
  assert.is((await act('rotate')).status, 303);
  assert.is(JSON.parse(site.project.read('config/webhook/profile-created.json')).secretVersion, 2);
  const receiver = readHidden((await admin.get(page)).text, 'receiver');
  assert.ok(receiver);
  assert.is((await act('receiver', { receiver, action: 'disable' })).status, 303);
  assert.match((await admin.get(page)).text, /Disabled by an administrator/);
});

test('the matrix of a role asks before it closes a schema, names calls that would close, and writes what role allow writes', async () => {
  const { site, admin } = state;
  await site.cli('role', 'create', 'author', '--permission', 'get:/staff/**');
  await site.app.services.reload();
  const editor = site.project.read('config/role/editor.json');
  const page = `${MODEL}/role/detail/author`;
  const post = `${MODEL}/role/data/author`;
  const cells = { 'data[article][create]': 'true', 'data[article][update]': 'true' };
  const asked = await submit(page, cells, { post });
  assert.is(asked.status, 422);
  assert.match(asked.text, /No role has ruled article yet/);
  assert.match(asked.text, /value="true" selected/);
  assert.ok(asked.text.includes(`action="${post}#asks"`), 'the answer is sent to where the question came from');
  const closing = await submit(page, { ...cells, 'open[article]': 'close' }, { post });
  assert.is(closing.status, 422);
  assert.match(closing.text, /Roles close the public call/);
  assert.not.match(site.project.read('config/role/author.json'), /data/);
  const kept = await submit(page, { ...cells, 'open[article]': 'keep' }, { post });
  assert.is(kept.status, 303, kept.text);
  const files = ['author', 'guest', 'user', 'app']
    .map((slug) => `config/role/${slug}.json`)
    .filter((file) => has(site, file));
  assert.ok(files.length >= 2);
  const written = files.map((file) => site.project.read(file));
  for (const slug of ['guest', 'user', 'app', 'author'])
    if (has(site, `config/role/${slug}.json`)) await site.cli('role', 'remove', slug, '--cascade');
  site.project.write('config/role/editor.json', editor);
  await site.cli('role', 'create', 'author', '--permission', 'get:/staff/**');
  await site.cli('role', 'allow', 'author', 'article', 'create', 'update');
  assert.equal(
    written,
    files.map((file) => site.project.read(file)),
  );
  await site.app.services.reload();
  const cell = `${MODEL}/role/rule/author/article/update`;
  const ruled = await submit(cell, {
    ...{ state: 'rule', 'filter[0][key]': 'article_title', 'filter[0][value]': '$me.profile_name' },
    ...{ read_mode: 'but', 'read[]': ['article_detail'], write_mode: 'only', 'write[]': ['article_title'] },
  });
  assert.is(ruled.status, 303, ruled.text);
  assert.equal(JSON.parse(site.project.read('config/role/author.json')).data.article.update, {
    filter: { article_title: '$me.profile_name' },
    read: ['*', '-detail'],
    write: ['title'],
  });
  const again = await submit(cell, { state: 'rule', 'filter[0][key]': 'article_titel', 'filter[0][value]': 'x' });
  assert.is(again.status, 422);
  assert.match(again.text, /article_titel/);
  const odd = await submit(`${MODEL}/role/rule/author/article/create`, {
    state: 'true',
    'filter[0][key]': 'article_title',
  });
  assert.is(odd.status, 422);
  assert.match(odd.text, /value="article_title"/);
  assert.is((await admin.get(`${MODEL}/role/detail/guest`)).status, 200);
});

test('a permission for all data opens no definitions; one for a kind opens that kind', async () => {
  const { site } = state;
  const files = {
    data: { slug: 'data', name: 'Data', permissions: [{ method: 'all', path: '/admin/system/model/**' }] },
    caller: { slug: 'caller', name: 'Caller', permissions: [{ method: 'all', path: '/admin/system/model/rest/**' }] },
  };
  for (const [slug, role] of Object.entries(files)) site.project.write(`config/role/${slug}.json`, role);
  await site.app.services.reload();
  const [data, caller, visitor] = [
    await site.as('Data', ['data']),
    await site.as('Caller', ['caller']),
    site.browser(),
  ];
  for (const kind of ['rest', 'scope', 'webhook', 'app', 'role']) {
    for (const path of [
      `${MODEL}/${kind}/search`,
      `${MODEL}/${kind.toUpperCase()}/search`,
      `${MODEL}/${kind}/create`,
    ]) {
      assert.is((await data.get(path)).status, 403, path);
      assert.is((await caller.get(path)).status, kind === 'rest' ? 200 : 403, path);
      assert.is((await visitor.get(path)).status, 303, path);
    }
  }
  const posted = await data.post(`${MODEL}/scope/create`, { _name: 'x', name: 'X', access: 'user' });
  assert.is(posted.status, 403);
});

test('secrets are shown only after a fresh proof: a form that asks for one waits for the password', async () => {
  const clock = createFakeClock();
  const site = await boot({ clock, settings: { api: true, admin: { write: true } } });
  try {
    const admin = await site.as('admin', ['admin']);
    const { text } = await admin.get(`${MODEL}/app/create`);
    clock.jump(11 * 60_000);
    const form = { csrf: readHidden(text, 'csrf'), do: 'save', _name: 'late', title: 'Late', public: '0' };
    const asked = await admin.post(`${MODEL}/app/create`, form);
    assert.is(asked.status, 303);
    assert.match(asked.location, /^\/auth\/confirm/);
    assert.not.ok(has(site, 'config/app/late.json'));
    const secret = await admin.post(`${MODEL}/webhook/secret/any`, { csrf: form.csrf });
    assert.match(secret.location, /^\/auth\/confirm/);
  } finally {
    await site.close();
  }
});

test('a request cannot bring what lets an operator reach every app and account', async () => {
  const call = (event: string) => ({ title: 'T', access: 'public', method: 'post', path: `/public/${event}`, event });
  const events = ['app-search', 'app-session-search', 'app-trial-token'];
  const files = Object.fromEntries(events.map((event) => [`config/rest/${event}.json`, call(event)]));
  const site = await boot({ files, settings: { api: true } });
  try {
    await site.as('admin', ['admin']);
    const status = async (event: string, json: object): Promise<number> =>
      (await site.send('POST', `/rest/public/${event}`, { json })).status;
    assert.is(await status('app-search', { any: true }), 400);
    assert.is(await status('app-session-search', { any: true, app_id: 1 }), 404);
    assert.is(await status('app-trial-token', { client_id: 'x', auth_id: 1 }), 403);
  } finally {
    await site.close();
  }
});

test('production shows definitions and saves none', async () => {
  const site = await boot({ settings: { api: true } });
  try {
    const admin = await site.as('admin', ['admin']);
    const path = `${MODEL}/rest/update/public-article-search`;
    const { text } = await admin.get(path);
    assert.match(text, /This server shows definitions/);
    const form = {
      title: 'Other',
      access: 'public',
      method: 'get',
      path: '/public/article/search',
      event: 'system-model-search',
    };
    const answer = await admin.post(path, { csrf: readHidden(text, 'csrf'), do: 'save', ...form });
    assert.is(answer.status, 403);
    assert.not.match(site.project.read('config/rest/public-article-search.json'), /Other/);
  } finally {
    await site.close();
  }
});

test.run();
