import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isError } from '../../src/core/errors.ts';
import { addArticle, boot, type Site } from '../boot.ts';

const reload = suite('reload');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
const file = (path: string): string => join(site().root, path);
const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(file(path), change(readFileSync(file(path), 'utf8')));

reload.before(async () => {
  at.site = await boot({ mode: 'development' });
  await addArticle(site());
});
reload.after(() => site().close());

reload('serves a saved template, controller and definition', async () => {
  edit('app/www/src/template/article/search.html', (text) => `${text}<p>a new line</p>`);
  edit('app/www/src/controller/static.ts', (text) =>
    text.replace(/\n}\s*$/, `\n  app.get('/new', (request, response) => { response.setContent('new route'); });\n}\n`),
  );
  writeFileSync(
    file('config/rest/public-comment-search.json'),
    JSON.stringify({
      title: 'Comments',
      access: 'public',
      method: 'get',
      path: '/public/comment/search',
      event: 'system-model-search',
      parameters: { schema: 'comment' },
    }),
  );
  assert.equal((await site().app.reload()).filter(isError), []);
  assert.match((await site().browser().get('/articles')).text, /a new line/);
  assert.is((await site().browser().get('/new')).text.includes('new route'), true);
  assert.is((await site().browser().get('/rest/public/comment/search')).status, 200);
});

reload('adds the column of a new field without losing a row', async () => {
  edit('config/schema/article.json', (text) => {
    const schema = JSON.parse(text);
    schema.fields.splice(1, 0, { name: 'subtitle', type: 'text' });
    return JSON.stringify(schema, null, 2);
  });
  assert.equal((await site().app.reload()).filter(isError), []);
  const made = await site().app.emit('system-model-create', {
    schema: 'article',
    article_title: 'T',
    article_subtitle: 'S',
    article_detail: 'x',
  });
  assert.is(made.getResults('article_subtitle'), 'S');
  assert.is((await site().app.emit('system-model-search', { schema: 'article' })).getResults('total'), 2);
});

reload('keeps the column of a removed field, required or not, and goes on taking rows', async () => {
  const before = readFileSync(file('config/schema/article.json'), 'utf8');
  edit('config/schema/article.json', (text) => {
    const schema = JSON.parse(text);
    schema.fields = schema.fields.filter(({ name }: { name: string }) => name !== 'title' && name !== 'subtitle');
    schema.display = '{{article_slug}}';
    return JSON.stringify(schema, null, 2);
  });
  const problems = await site().app.reload();
  assert.equal(problems.filter(isError), []);
  assert.ok(
    problems.some(({ message }) => message.includes('article_title')),
    'says what stayed',
  );
  const made = await site().app.emit('system-model-create', { schema: 'article', article_detail: 'x' });
  assert.is(made.isError(), false, String(made));
  const kept = await site()
    .app.services.database.kysely.selectFrom('article')
    .select('article_title')
    .orderBy('article_id')
    .execute();
  assert.is(kept[0]?.article_title, 'A title');
  writeFileSync(file('config/schema/article.json'), before);
  assert.equal(await listErrors(), []);
});

const listErrors = async () => (await site().app.reload()).filter(isError);

const broken: [string, string, (text: string) => string, RegExp][] = [
  ['a definition', 'config/schema/comment.json', () => '{ "name": ', /comment\.json/],
  ['an unknown key', 'config/rest/public-profile-search.json', (text) => text.replace('"title"', '"titel"'), /title/],
  ['a controller', 'app/www/src/controller/article.ts', (text) => `${text}\nconst a: = 1;`, /article\.ts/],
  [
    'a controller that throws',
    'app/www/src/controller/article.ts',
    (text) => `${text}\nthrow new Error('at load');`,
    /at load/,
  ],
  ['a template', 'app/www/src/template/article/detail.html', (text) => `${text}{{#if}`, /detail\.html/],
];
for (const [what, path, change, says] of broken) {
  reload(`${what} that is broken is named, while the last good version goes on serving`, async () => {
    const before = readFileSync(file(path), 'utf8');
    writeFileSync(file(path), change(before));
    const problems = await listErrors();
    writeFileSync(file(path), before);
    assert.ok(problems.length > 0);
    assert.ok(
      problems.some((problem) => says.test(`${problem.file} ${problem.message} ${problem.hint}`)),
      JSON.stringify(problems),
    );
    assert.is((await site().browser().get('/articles')).status, 200);
    assert.is((await site().browser().get('/article/1')).status, 200);
    writeFileSync(file(path), before);
    assert.equal((await site().app.reload()).filter(isError), []);
  });
}

reload('a request keeps the plan that it started with', async () => {
  const held: { go?: () => void } = {};
  edit('app/www/src/controller/static.ts', (text) => text.replace("'new route'", 'await globalThis.treadleHeld'));
  edit('app/www/src/controller/static.ts', (text) =>
    text.replace("app.get('/new', (request", "app.get('/new', async (request"),
  );
  (globalThis as Record<string, unknown>).treadleHeld = new Promise<string>((done) => {
    held.go = () => done('old');
  });
  await site().app.reload();
  const answer = site().browser().get('/new');
  await new Promise((done) => setImmediate(done));
  edit('app/www/src/controller/static.ts', (text) => text.replace('await globalThis.treadleHeld', "'newer'"));
  await site().app.reload();
  assert.match((await site().browser().get('/new')).text, /newer/);
  held.go?.();
  assert.match((await answer).text, /old|newer/);
  delete (globalThis as Record<string, unknown>).treadleHeld;
});

reload('refuses to migrate what would lose data when a schema goes, and keeps its rows', async () => {
  rmSync(file('config/rest/public-comment-search.json'));
  edit('config/schema/article.json', (text) => JSON.stringify({ ...JSON.parse(text), relations: [] }, null, 2));
  rmSync(file('config/schema/comment.json'));
  const problems = await site().app.reload();
  assert.equal(problems.filter(isError), []);
  const count = await site().app.services.database.kysely.selectFrom('comment').selectAll().execute();
  assert.equal(count, []);
});

reload.run();
