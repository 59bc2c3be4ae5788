import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestSite } from 'treadle/test';

// The whole site, with a database of its own, mail that is kept, and a clock to move.
const site = await startTestSite();
after(() => site.close());

test('the newest article comes first', async () => {
  await site.create('article', { article_title: 'Warp', article_published: '2026-01-01 09:00:00' });
  await site.create('article', { article_title: 'Weft', article_published: '2026-02-01 09:00:00' });

  const page = await site.get('/articles');
  assert.equal(page.status, 200);
  assert.match(page.text, /Weft[\s\S]*Warp/);
});

test('a comment needs a login and shows who wrote it', async () => {
  const { article_id } = await site.create('article', { article_title: 'Looms' });
  const path = `/article/${article_id}`;

  const refused = await site.post(path, { comment_detail: 'Hello' });
  assert.equal(refused.status, 403);
  assert.match(refused.text, /Must be logged in to comment/);

  const ada = await site.person('Ada');
  const sent = await ada.post(path, { comment_detail: 'Hello' });
  assert.equal(sent.location, path);

  const page = await site.get(path);
  assert.match(page.text, /Ada[\s\S]*Hello/);
});

test('the API gives the articles', async () => {
  const found = await site.emit('system-model-search', { schema: 'article', sort: 'article_id' });
  const titles = found.getResults('rows')?.map((row) => row.article_title);

  const { results } = (await site.get('/rest/public/article/search')).json();
  assert.deepEqual(
    results.rows.map((row: { article_title: string }) => row.article_title),
    titles,
  );
});
