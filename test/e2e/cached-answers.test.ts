// Also on PostgreSQL: answers are kept until a table changes.
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { createFakeClock } from '../clock.ts';

/** Answers and pages that are kept until a row of what they were made of changes. */
const test = suite('kept answers');
const at: { site?: Site; asked: number } = { asked: 0 };
const site = (): Site => at.site as Site;
const SEARCH = '/rest/public/article/search';

const STALE = `export default function stale(app) {
  app.get('/stale/:what', async (request, response) => {
    const what = request.getStage('what');
    if (what === 'session') request.setSession('seen', 1);
    if (what === 'cookie') response.addHeader('set-cookie', 'a=b');
    if (what === 'missing') response.setStatus(404);
    globalThis.made = (globalThis.made ?? 0) + 1;
    let titles = '';
    if (what === 'query') {
      await app.emit('system-model-detail', { schema: 'article', article_id: 1 });
      const rows = await app.query.selectFrom('article').select('article_title').execute();
      titles = rows.map((row) => row.article_title).join();
    }
    response.setContent('<p>' + what + ' ' + globalThis.made + titles + '</p>').setCache(what === 'unknown' ? 'artcle' : 'article');
  });
}`;

test.before(async () => {
  at.site = await boot({
    change: (project) => {
      project.write('app/www/src/controller/stale.ts', STALE);
      const includes = project.read('app/www/.treadle.ts');
      const added = includes
        .replace('export default [', 'export default [stale, ')
        .replace(/^/, "import stale from './src/controller/stale';\n");
      project.write('app/www/.treadle.ts', added);
    },
  });
  await addArticle(site(), 'First', '<p>Body</p>');
  const { database } = site().app.services;
  const run = database.run.bind(database);
  database.run = (query, ...rest) => {
    if (query.sql.includes('"article"')) at.asked += 1;
    return run(query, ...rest);
  };
});
test.after(() => site().close());

/** Asks until the answer is kept; gives the last two. */
async function repeat(path: string, headers: Record<string, string> = {}) {
  const answers = [];
  for (let time = 0; time < 4; time += 1) {
    at.asked = 0;
    answers.push(await site().get(path, headers));
  }
  return answers.slice(-2);
}

const own = ['date', 'x-request-id', 'keep-alive', 'connection'];
const toSame = ({ status, headers, text }: { status: number; headers: object; text: string }) => ({
  status,
  text,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))),
});

for (const [title, path] of [
  ['a search', `${SEARCH}?limit=1`],
  ['a search with pages', `${SEARCH}?limit=1&offset=1`],
  ['a detail', '/rest/public/article/detail/1'],
  ['the page of articles', '/articles'],
  ['the page of an article', '/article/1'],
] as const) {
  for (const encoding of ['identity', 'gzip']) {
    test(`${title} (${encoding}) is given again without a statement, until a row changes`, async () => {
      const headers = { 'accept-encoding': encoding };
      const first = await site().get(path, headers);
      const [before, kept] = await repeat(path, headers);
      assert.is(at.asked, 0, 'no row is read');
      assert.equal(toSame(kept as never), toSame(before as never));
      assert.is(kept?.text, first.text);
      const known = await site().get(path, { ...headers, 'if-none-match': String(kept?.headers.etag) });
      assert.is(known.status, 304);
      await site().emit('system-model-update', {
        schema: 'article',
        article_id: 1,
        article_title: `${encoding} ${title}`,
      });
      const after = await site().get(path, { ...headers, 'if-none-match': String(kept?.headers.etag) });
      if (path.includes('offset=1')) assert.is(after.status, 304, 'the same rows');
      else {
        assert.is(after.status, 200);
        assert.is.not(after.text, kept?.text);
      }
    });
  }
}

test('a page follows rows that it read of other schemas', async () => {
  await repeat('/article/1');
  const profile = await site().emit('system-model-create', { schema: 'profile', profile_name: 'Ann Before' });
  const profile_id = profile.getResults('profile_id');
  const comment = await site().emit('system-model-create', { schema: 'comment', comment_detail: 'Hello', profile_id });
  await site().emit('system-relation-link', {
    schema1: 'article',
    schema2: 'comment',
    article_id: 1,
    comment_id: comment.getResults('comment_id'),
  });
  const [page] = await repeat('/article/1');
  assert.match(String(page?.text), 'Ann Before');
  await site().emit('system-model-update', { schema: 'profile', profile_id, profile_name: 'Ann After' });
  assert.match((await site().get('/article/1')).text, 'Ann After');
});

test('a person with a cookie gets a page of their own', async () => {
  await repeat('/articles');
  const ann = await site().as('Ann');
  const page = await ann.get('/articles');
  assert.match(page.text, 'Ann');
  assert.match(String(page.headers['cache-control']), 'no-store');
  assert.not.match((await site().get('/articles')).text, 'Ann');
});

for (const [what, isKept] of [
  ['plain', true],
  ['session', false],
  ['cookie', false],
  ['missing', false],
] as const) {
  test(`a page of its own code is ${isKept ? '' : 'not '}kept: ${what}`, async () => {
    const [before, last] = await repeat(`/stale/${what}`);
    assert.is(before?.text === last?.text, isKept);
  });
}

test('every address is a page of its own: host, query', async () => {
  const ask = async (path: string, host: string) => (await site().get(path, { host })).text;
  const texts = new Set<string>();
  for (const [path, host] of [
    ['/stale/x', 'one.example'],
    ['/stale/x', 'two.example'],
    ['/stale/x?a=1', 'one.example'],
  ] as const) {
    for (let time = 0; time < 3; time += 1) await ask(path, host);
    texts.add(await ask(path, host));
  }
  assert.is(texts.size, 3);
});

test('a schema that does not exist is an error of the page', async () => {
  assert.is((await site().get('/stale/unknown')).status, 500);
  const line = site().log.find((text) => text.includes('CACHE_SCHEMA_UNKNOWN')) ?? site().log.join('\n');
  assert.match(line, 'Did you mean \\"article\\"?');
});

test('posts and HEAD are never answered from what is kept', async () => {
  await repeat('/article/1');
  assert.is((await site().send('HEAD', '/article/1')).status, 200);
  const answer = await site().send('POST', '/article/1', { form: { comment_detail: 'x' } });
  assert.is(answer.status, 403);
});

test('a kept page is made again when a relative time on it changes', async () => {
  const clock = createFakeClock(Date.UTC(2026, 5, 3, 12, 0, 30));
  const other = await boot({ clock });
  try {
    const values = { article_title: 'Timed', article_detail: 'x', article_published: '2026-06-03 12:00:29' };
    await other.emit('system-model-create', { schema: 'article', ...values });
    const read = async (): Promise<string> => {
      for (let time = 0; time < 3; time += 1) await other.get('/articles');
      return /<time datetime="[^"]*" title="3 June 2026">([^<]*)</.exec((await other.get('/articles')).text)?.[1] ?? '';
    };
    const minute = 60_000;
    assert.is(await read(), 'Now');
    const said: string[] = [];
    for (const milliseconds of [minute, minute, 58 * minute, 60 * minute, 22 * 60 * minute, 6 * 24 * 60 * minute]) {
      clock.jump(milliseconds);
      said.push(await read());
    }
    assert.equal(said, ['1 minute ago', '2 minutes ago', '1 hour ago', '2 hours ago', 'Yesterday', '1 week ago']);
  } finally {
    await other.close();
  }
});

test('a page that reads one row by an event and others by app.query waits for all of them', async () => {
  await addArticle(site(), 'Second', '<p>Body</p>');
  const [before, again] = await repeat('/stale/query');
  assert.is(before?.text, again?.text);
  assert.match(again?.text ?? '', 'Second');
  const { database } = site().app.services;
  await database.run(CompiledQuery.raw("update article set article_title = 'Renamed' where article_title = 'Second'"));
  assert.match((await site().get('/stale/query')).text, 'Renamed');
});

test.run();
