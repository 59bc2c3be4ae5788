import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../../boot.ts';
import type { Client, Form } from '../../client.ts';

const test = suite('what stays open as roles begin to rule a schema of the blog');

const MODEL = '/admin/system/model';

interface World {
  readonly site: Site;
  readonly admin: Client;
  readonly user: Client;
  readonly path: string;
}

async function start(): Promise<World> {
  const site = await boot({ settings: { admin: { write: true } } });
  await site.cli('role', 'create', 'editor', '--permission', 'get:/staff/**');
  await site.app.services.reload();
  const [admin, user] = [await site.as('Ada', ['admin']), await site.as('Una')];
  const path = `/article/${await addArticle(site)}`;
  assert.is((await user.post(path, { comment_detail: 'The first word' })).status, 303);
  return { site, admin, user, path };
}

const readHidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

async function tick({ admin }: World, form: Form) {
  const { text } = await admin.get(`${MODEL}/role/detail/editor`);
  const hidden = { csrf: readHidden(text, 'csrf'), base: readHidden(text, 'base'), do: 'save' };
  return admin.post(`${MODEL}/role/data/editor`, { ...hidden, ...form });
}

const readRole = ({ site }: World, slug: string) =>
  JSON.parse(site.project.read(`config/role/${slug}.json`)).data as Record<string, Record<string, unknown>>;

/** Everything that visitors and users do in a new blog. */
async function useBlog({ site, user, path }: World, words: string): Promise<void> {
  const visitor = site.browser();
  assert.match((await visitor.get(path)).text, /The first word/, 'a visitor reads comments');
  assert.match((await visitor.get(path)).text, /Una/, 'with the name of who wrote them');
  assert.match((await visitor.get('/articles')).text, /A title/);
  assert.match((await visitor.get('/feed.xml')).text, /A title/);
  const sent = await user.post(path, { comment_detail: words });
  assert.is(sent.status, 303, `a user comments: ${sent.text}`);
  assert.match((await visitor.get(path)).text, new RegExp(words), 'and it is linked');
}

const WAYS: readonly {
  readonly what: string;
  readonly schema: string;
  readonly rule: (world: World, schema: string) => Promise<unknown>;
}[] = ['comment', 'article', 'profile'].flatMap((schema) => [
  {
    what: `a tick in the matrix for ${schema}, with the answer that is preselected`,
    schema,
    async rule(world: World) {
      const cells = { [`data[${schema}][search]`]: 'true' };
      const asked = await tick(world, cells);
      assert.is(asked.status, 422);
      assert.match(asked.text, /value="keep" checked/);
      assert.match(
        asked.text,
        /Everybody keeps reading, users keep writing and linking \(recommended\)<br><span[^>]*>Nobody loses/,
      );
      assert.match(asked.text, /Only what API calls do<br><span[^>]*>Lost: /);
      assert.match(asked.text, /<h3>Who may do what with/);
      const saved = await tick(world, { ...cells, [`open[${schema}]`]: 'keep' });
      assert.is(saved.status, 303, saved.text);
    },
  },
  {
    what: `role allow by command for ${schema}`,
    schema,
    async rule({ site }: World) {
      const argv = ['role', 'allow', 'editor', schema, 'search', 'detail', 'create', 'update'];
      const dry = await site.cli(...argv, '--dry-run');
      const done = await site.cli(...argv);
      const table = done.data.table as { who: string; loses: string[] }[];
      assert.equal(dry.data.table, table, 'a dry run shows the same table');
      assert.equal(
        table.flatMap(({ loses }) => loses),
        [],
      );
      assert.ok(['guest', 'user', 'app', 'editor'].every((who) => table.some((row) => row.who === who)));
      await site.app.services.reload();
    },
  },
]);

for (const { what, schema, rule } of WAYS) {
  test(`after ${what} everybody does what they did`, async () => {
    const world = await start();
    try {
      await useBlog(world, 'before');
      await rule(world, schema);
      await useBlog(world, 'after');
      const guest = readRole(world, 'guest')[schema] ?? {};
      assert.equal(Object.keys(guest).sort(), ['detail', 'search'], 'visitors get nothing that they did not have');
    } finally {
      await world.site.close();
    }
  });
}

test('users keep writing and linking: the roles say so', async () => {
  const world = await start();
  try {
    await world.site.cli('role', 'allow', 'editor', 'comment', 'update');
    await world.site.cli('role', 'allow', 'editor', 'article', 'update');
    const user = readRole(world, 'user');
    assert.is(user.comment?.create, true);
    assert.is(user.article?.link, true);
  } finally {
    await world.site.close();
  }
});

test('each answer keeps what its table says, and a reader never reads the name of an action', async () => {
  const world = await start();
  const { site, admin, user, path } = world;
  try {
    const calls = await site.cli('role', 'allow', 'editor', 'article', 'search', '--open', 'calls', '--dry-run');
    const rows = calls.data.table as { who: string; before: string[]; after: string[]; loses: string[] }[];
    assert.equal(rows.find(({ who }) => who === 'guest')?.after, ['search', 'detail']);
    assert.equal(rows.find(({ who }) => who === 'user')?.loses, ['link']);
    const closed = await tick(world, { 'data[comment][search]': 'true', 'open[comment]': 'none', sure: '1' });
    assert.is(closed.status, 303, closed.text);
    for (const client of [site.browser(), user]) {
      const shown = await client.get(path);
      assert.is(shown.status, 200);
      assert.not.match(shown.text, /The first word/);
    }
    const refused = await user.post(path, { comment_detail: 'no' });
    assert.match(refused.text, /You may not do this here\./);
    assert.not.match(refused.text, /not allowed to|create comment|link article/);
    const german = await user.send('POST', path, {
      form: { comment_detail: 'no' },
      headers: { 'accept-language': 'de', 'sec-fetch-site': 'same-origin' },
    });
    assert.not.match(german.text, /create comment/);
    const overview = await admin.get('/admin');
    assert.match(overview.text, /Refused by roles in the last hour: \d+, [^<]*comment: (?:detail|create)/);
    const back = await tick(world, { 'data[comment][search]': '' });
    assert.ok(back.status === 303 || back.status === 422, back.text);
  } finally {
    await site.close();
  }
});

test.run();
