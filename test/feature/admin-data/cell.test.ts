import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readForm } from '../../form-post.ts';
import { startThings, type Things } from './_things.ts';

const test = suite('cells that are edited in place');

const CELL = '/admin/system/model/thing/cell/1';
const world = {} as Things;

test.before(async () => {
  Object.assign(world, await startThings());
});
test.after(() => world.site.close());

/** The posted form of a cell, as it was opened. */
const open = async (column: string): Promise<Record<string, string | string[]>> =>
  readForm((await world.admin.get(`${CELL}/${column}?part=1`)).text, 't-cell-form');

const post = (column: string, form: Record<string, string | string[]>, query = '?part=1') =>
  world.admin.post(`${CELL}/${column}${query}`, form);

test('a cell is changed, and only its column', async () => {
  const form = await open('thing_price');
  await world.site.emit('system-model-update', { schema: 'thing', thing_id: 1, thing_note: 'meanwhile' });
  const saved = await post('thing_price', { ...form, thing_price: '99' });
  assert.equal(saved.json(), { html: '99.00' });
  const [row] = await world.site.rows('thing');
  assert.is(row?.thing_price, 99);
  assert.is(row?.thing_note, 'meanwhile');
});

test('a change that somebody else made meanwhile is shown, and replaced only by a second save', async () => {
  const form = await open('thing_name');
  await world.site.emit('system-model-update', { schema: 'thing', thing_id: 1, thing_name: 'Theirs' });
  const refused = await post('thing_name', { ...form, thing_name: 'Mine' });
  assert.is(refused.status, 412);
  assert.match(refused.text, /Somebody else saved &quot;Theirs&quot;/);
  assert.match(refused.text, /value="Mine"/);
  const again = await post('thing_name', readForm(refused.text, 't-cell-form'), '?part=1&linked=1');
  assert.equal(again.json(), { html: '<a href="detail/1">Mine</a>' });
});

test('a value that is not valid stays in its field, with the reason', async () => {
  const refused = await post('thing_price', { ...(await open('thing_price')), thing_price: 'abc' });
  assert.is(refused.status, 422);
  assert.match(refused.text, /class="t-error"[^>]*>Price/);
  assert.match(refused.text, /value="abc"/);
});

test('without scripts the form is a page that leads back', async () => {
  const page = await world.admin.get(`${CELL}/thing_kind`);
  assert.match(page.text, /<h1>Edit /);
  const saved = await post('thing_kind', { ...readForm(page.text, 't-cell-form'), thing_kind: 'b' }, '');
  assert.is(saved.location, '/admin/system/model/thing/search');
});

test('a column that needs more room, or that the role may not write, is not edited here', async () => {
  assert.is((await world.admin.get(`${CELL}/thing_meta`)).location, '/admin/system/model/thing/update/1');
  const { editor } = world;
  assert.is((await editor.get(`${CELL}/thing_note`)).location, '/admin/system/model/thing/update/1');
  const page = await editor.get('/admin/system/model/thing/search');
  assert.match(page.text, /data-edits="thing_name"/);
  assert.not.match(page.text, /data-edits="thing_kind"/);
});

test.run();
