import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../../boot.ts';

const test = suite('feature/schema/expand-fields');
const started: { site?: Site; comment?: number } = {};

test.before(async () => {
  const site = await boot();
  await site.as('Ann');
  const { profile_id } = (await site.rows('profile'))[0] ?? {};
  await addArticle(site);
  const comment = { schema: 'comment', comment_detail: 'Hello', profile_id };
  started.comment = Number((await site.emit('system-model-create', comment)).getResults('comment_id'));
  started.site = site;
});
test.after(() => started.site?.close());

for (const event of ['system-model-search', 'system-model-detail'] as const) {
  test(`${event}: expand of a 1:1 adds its columns to the fields`, async () => {
    const site = started.site as Site;
    const stage = { schema: 'comment', comment_id: started.comment, fields: ['comment_id'] };
    const read = async (more: object): Promise<Record<string, unknown>> => {
      const results = (await site.emit(event, { ...stage, ...more })).getResults() as Record<string, unknown>;
      return event === 'system-model-search' ? ((results.rows as Record<string, unknown>[])[0] ?? {}) : results;
    };
    assert.equal(Object.keys(await read({})), ['comment_id']);
    const row = await read({ expand: ['profile'] });
    assert.is(row.profile_name, 'Ann');
    assert.is(row.comment_detail, undefined);
  });
}

const DETAILS: readonly (readonly [stage: object, keys: readonly string[]])[] = [
  [{}, ['article_id', 'comment']],
  [{ expand: '' }, ['article_id']],
  [{ expand: [] }, ['article_id']],
  [{ fields: 'article_title' }, ['article_id', 'article_title']],
  [{ fields: 'article_title,comment' }, ['article_id', 'article_title', 'comment']],
  [{ fields: 'article_title', expand: '' }, ['article_id', 'article_title']],
  [{ fields: 'article_title', expand: 'comment' }, ['article_id', 'article_title', 'comment']],
];

for (const [more, keys] of DETAILS) {
  test(`system-model-detail: ${JSON.stringify(more)} gives ${keys.join(', ')}`, async () => {
    const site = started.site as Site;
    const response = await site.emit('system-model-detail', { schema: 'article', article_id: 1, ...more });
    const names = Object.keys(response.getResults() as object);
    const isWhole = !('fields' in more);
    assert.equal(isWhole ? names.filter((name) => keys.includes(name)) : names, keys);
    assert.is(names.includes('comment'), keys.includes('comment'));
  });
}

test.run();
