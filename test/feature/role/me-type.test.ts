import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../../boot.ts';

/** Filters that compare a column with a value of the person of another type. */
const FILTERS: readonly Record<string, unknown>[] = [
  { article_id: '$me.profile_name' },
  { article_id: { in: ['$me.profile_name'] } },
  { article_id: { nin: ['$me.profile_name'] } },
  { article_id: { ne: '$me.profile_name' } },
  { article_id: { between: ['$me.profile_name', 3] } },
  { article_published: { gte: '$me.profile_name' } },
  { article_published: { lt: '$me.profile_name' } },
  { article_active: '$me.profile_name' },
  { article_active: { ne: '$me.profile_name' } },
];

const test = suite<{ sites: Site[] }>('a value of the person that the column cannot have');
for (const filter of FILTERS) {
  test(`matches no row: ${JSON.stringify(filter)}`, async () => {
    const role = {
      slug: 'user',
      name: 'User',
      permissions: [],
      data: { article: { search: { filter }, detail: { filter }, update: { filter } } },
    };
    const site = await boot({ files: { 'config/role/user.json': role } });
    const id = await addArticle(site);
    const ann = await site.as('Ann');
    const list = await ann.get('/articles');
    assert.is(list.status, 200, list.text.slice(0, 300));
    assert.not.match(list.text, `/article/${id}`);
    assert.is((await ann.get(`/article/${id}`)).status, 404);
    await site.close();
  });
}
test.run();
