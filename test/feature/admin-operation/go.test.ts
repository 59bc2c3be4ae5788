import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../../boot.ts';
import type { Client } from '../../client.ts';
import { writeRoles } from '../role/_site.ts';

const test = suite('going anywhere in the admin section');
const state = {} as { site: Site; admin: Client; id: number };

test.before(async () => {
  const reader = {
    slug: 'reader',
    permissions: ['all:/admin/go', 'all:/admin/go.json', 'get:/admin/system/model/comment/**'],
  };
  const data = { comment: { search: true, detail: true } };
  state.site = await boot({ change: (project) => writeRoles(project, [{ ...reader, data }]) });
  state.admin = await state.site.as('Ada Lovelace', ['admin']);
  state.id = await addArticle(state.site, 'Weaving a herringbone');
});
test.after(() => state.site?.close());

const find = async (client: Client, q: string): Promise<readonly { label: string; path: string; kind: string }[]> =>
  (await client.get(`/admin/go.json?q=${encodeURIComponent(q)}`)).json();

test('finds pages, schemas, rows by words and by id, definitions and people', async () => {
  const { admin, id } = state;
  const row = `/admin/system/model/article/detail/${id}`;
  for (const [q, path] of [
    ['hist', '/admin/history'],
    ['articles', '/admin/system/model/article/search'],
    ['new comment', '/admin/system/model/comment/create'],
    ['herringb', row],
    [`article ${id}`, row],
    [`Articles #${id}`, row],
    ['public-article-search', '/admin/system/model/rest/update/public-article-search'],
    ['schema profile', '/admin/system/schema/update/profile'],
    ['ada', '/admin/user/detail/1'],
    ['', '/admin'],
  ] as const) {
    const places = await find(admin, q);
    assert.ok(
      places.some((place) => place.path === path),
      `${q}: ${JSON.stringify(places)}`,
    );
  }
  assert.equal(await find(admin, 'nothing like this'), []);
});

test('the page does the same without a script, and escapes what was typed', async () => {
  const { admin, id } = state;
  assert.match(
    (await admin.get('/admin/go?q=herringbone')).text,
    new RegExp(`href="/admin/system/model/article/detail/${id}"`),
  );
  const page = await admin.get(`/admin/go?q=${encodeURIComponent('"><script>')}`);
  assert.not.match(page.text, /"><script>/);
  assert.match((await admin.get('/admin')).text, /<a href="\/admin\/go" id="t-go"/);
});

test('shows only what the role opens', async () => {
  const { site } = state;
  const reader = await site.as('Rita', ['reader']);
  const places = [...(await find(reader, 'e')), ...(await find(reader, 'herringbone')), ...(await find(reader, ''))];
  assert.ok(places.length > 0);
  assert.equal(
    places.filter(({ path }) => !path.startsWith('/admin/system/model/comment/')),
    [],
  );
  assert.is((await (await site.as('Eve')).get('/admin/go.json?q=a')).status, 403);
});

test.run();
