import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Form } from '../../client.ts';
import { startThings, type Things } from './_things.ts';

const test = suite('saved views of lists in the admin section');

const SEARCH = '/admin/system/model/thing/search';
const QUERY = 'filter[thing_kind]=b&sort=-thing_price';
const world = {} as Things;

test.before(async () => {
  Object.assign(world, await startThings());
});
test.after(() => world.site.close());

const post = (form: Form, client = world.admin) => client.post('/admin/system/model/thing/view', form);

const listNames = (html: string): string[] =>
  [...html.matchAll(/<li><a href="\?[^"]*"[^>]*>([^<]+)<\/a><\/li>/g)].map(([, name]) => String(name));

test('a view is saved, opened, renamed and removed by its owner only', async () => {
  const { admin, editor } = world;
  const saved = await post({ action: 'save', name: 'Bananas', query: QUERY });
  assert.is(saved.location, `${SEARCH}?${QUERY}`);
  const page = await admin.get(saved.location);
  assert.match(page.text, /The view &quot;Bananas&quot; was saved\./);
  assert.equal(listNames(page.text), ['All', 'Bananas']);
  assert.match(page.text, /aria-current="page">Bananas</);
  assert.equal(listNames((await editor.get(SEARCH)).text), []);
  const [view] = await world.site.rows('treadle_view');
  const id = String(view?.view_id);
  await post({ action: 'rename', view: id, name: 'Stolen', query: '' }, editor);
  await post({ action: 'remove', view: id, query: '' }, editor);
  await post({ action: 'rename', view: id, name: 'Yellow', query: '' });
  assert.equal(listNames((await admin.get(SEARCH)).text), ['All', 'Yellow']);
  await post({ action: 'remove', view: id, query: '' });
  assert.is((await world.site.rows('treadle_view')).length, 0);
});

test('the list opens with the default view, and with all rows where that is asked', async () => {
  const { admin, site } = world;
  await post({ action: 'save', name: 'Bananas', query: QUERY });
  const [view] = await site.rows('treadle_view');
  await post({ action: 'default', view: String(view?.view_id), query: '' });
  assert.is((await admin.get(SEARCH)).location, `${SEARCH}?${QUERY}`);
  assert.is((await admin.get(`${SEARCH}?all=1`)).status, 200);
  await post({ action: 'undefault', query: '' });
  assert.is((await admin.get(SEARCH)).status, 200);
});

test('a view needs a name, and one of the same name is replaced', async () => {
  const { admin, site } = world;
  await post({ action: 'save', name: ' ', query: QUERY });
  assert.match((await admin.get(SEARCH)).text, /Give the view a name\./);
  await post({ action: 'save', name: 'Bananas', query: 'q=x' });
  const views = await site.rows('treadle_view');
  assert.equal(
    views.map((row) => row.query),
    ['q=x'],
  );
});

test.run();
