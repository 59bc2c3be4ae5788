import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const test = suite('the frame of the admin section');

const FILES = {
  'config/role/editor.json': {
    slug: 'editor',
    name: 'Editor',
    permissions: [
      { method: 'all', path: '/admin' },
      { method: 'all', path: '/admin/system/model/article/**' },
    ],
  },
};

const EDITOR = {
  'config/role/editor.json': { slug: 'editor', name: 'Editor', permissions: [{ method: 'get', path: '/admin' }] },
};

const PROFILE = {
  'config/schema/profile.json': {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [{ name: 'name', type: 'text' }],
  },
};

test('the built-in role admin opens it; a visitor is sent to the login; others get 403', async () => {
  const site = await boot({ files: FILES });
  try {
    const visitor = await site.get('/admin');
    assert.is(visitor.status, 303);
    assert.match(visitor.location, /^\/auth\/login\?redirect_uri=%2Fadmin/);
    const user = await site.as('user');
    assert.is((await user.get('/admin')).status, 403);
    const admin = await site.as('admin', ['admin']);
    const page = await admin.get('/admin');
    assert.is(page.status, 200);
    assert.match(page.text, /<h1>Overview<\/h1>/);
    assert.match(page.text, /href="#menu"[\s\S]*<nav [^>]*id="menu"/);
    assert.match(page.text, /href="\/admin\/system\/model\/article\/search"/);
    assert.is(page.headers['cache-control'], 'no-store');
    const editor = await (await site.as('editor', ['editor'])).get('/admin');
    assert.match(editor.text, /"\/admin\/system\/model\/article\/search"/);
    assert.not.match(editor.text, /"\/admin\/system\/(?:schema|model\/comment)\/search"/);
  } finally {
    await site.close();
  }
});

for (const [template, path] of [
  ['blog', '/articles'],
  ['bare', '/'],
  ['none', '/'],
  ['blog', '/developer/app/search'],
] as const)
  test(`${path} of a project (${template}) links the admin section for whoever may open it`, async () => {
    const site = await boot({
      template,
      settings: { api: true },
      files: template === 'none' ? { ...PROFILE, ...EDITOR } : EDITOR,
    });
    try {
      const hasLink = async (page: Promise<{ text: string }>): Promise<boolean> =>
        /href="\/admin"/.test((await page).text);
      assert.is(await hasLink((await site.as('Ada', ['admin'])).get(path)), true);
      assert.is(await hasLink((await site.as('Ben')).get(path)), false);
      assert.is(await hasLink(site.get(path)), false);
      assert.is(await hasLink((await site.as('Cleo', ['editor'])).get(path)), true, 'a role that opens it');
    } finally {
      await site.close();
    }
  });

test('a page shows the roles that the person has now, in the navigation and in a list', async () => {
  const permissions = ['/admin', '/admin/system/model/article/**', '/admin/system/model/comment/**'].map((path) => ({
    method: 'all',
    path,
  }));
  const role = { slug: 'commenter', name: 'Commenter', permissions };
  const site = await boot({ files: { ...FILES, 'config/role/commenter.json': role } });
  try {
    await site.emit('system-model-create', { schema: 'profile', profile_name: 'Bea' });
    await site.emit('system-model-create', { schema: 'comment', comment_detail: 'Hello', profile_id: 1 });
    const person = await site.as('Cleo', ['commenter']);
    const list = '/admin/system/model/comment/search';
    const who = { auth_slug: 'cleo@example.org' };
    for (let round = 0; round < 2; round += 1) {
      const before = await person.get(list);
      assert.is(before.status, 200);
      assert.match(before.text, '>Bea</td>');
      assert.not.match(before.text, '/admin/system/model/profile/');
      await site.emit('auth-role', { ...who, add: 'admin' });
      const after = await person.get(list);
      assert.match(after.text, '<a href="/admin/system/model/profile/detail/1">Bea</a>');
      assert.match(after.text, '"/admin/system/schema/search"');
      await site.emit('auth-role', { ...who, remove: 'admin' });
    }
    await site.emit('auth-role', { ...who, remove: 'commenter' });
    assert.is((await person.get(list)).status, 403);
  } finally {
    await site.close();
  }
});

test('in development the login tells where the link for the first administrator is, until there is one', async () => {
  const site = await boot({ mode: 'development' });
  try {
    const visitor = site.browser();
    const { location } = await visitor.get('/admin');
    assert.match((await visitor.get(location)).text, /There is no administrator yet/);
    assert.not.match((await visitor.get('/auth/login')).text, /There is no administrator yet/);
    await site.as('admin', ['admin']);
    assert.not.match((await visitor.get(location)).text, /There is no administrator yet/);
  } finally {
    await site.close();
  }
});

test.run();
