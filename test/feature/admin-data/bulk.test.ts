import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Form } from '../../client.ts';
import { startThings, type Things } from './_things.ts';

const test = suite('changes of many rows in the admin section');

const SEARCH = '/admin/system/model/thing/search';
const world = {} as Things;

test.before(async () => {
  Object.assign(world, await startThings());
});
test.before.each(async () => {
  const { kysely } = world.site.app.services.database;
  await kysely.updateTable('thing').set({ thing_active: 1 }).where('thing_id', '<', 12).execute();
  await kysely.updateTable('thing').set({ thing_active: 0 }).where('thing_id', '=', 12).execute();
});
test.after(() => world.site.close());

/** Ids of the rows that are not removed. */
async function listActive(): Promise<number[]> {
  const rows = await world.site.rows('thing');
  return rows.filter((row) => row.thing_active === 1).map((row) => Number(row.thing_id));
}

const post = (form: Form, query = '') => world.admin.post(`${SEARCH}${query}`, form);

test('ticked rows are removed after a question, and restored', async () => {
  const asked = await post({ action: 'remove', 'ids[]': ['1', '2', '12'] });
  assert.is(asked.status, 200);
  // Row 12 is removed already.
  assert.match(asked.text, /<h1>Remove 2 Things\?<\/h1>/);
  assert.match(asked.text, />Thing 1 </);
  assert.equal((await listActive()).length, 11);
  const done = await post({ action: 'remove', 'ids[]': ['1', '2', '12'], confirm: '2' }, '?sort=thing_name');
  assert.is(done.status, 303);
  assert.is(done.location, `${SEARCH}?sort=thing_name`);
  assert.match((await world.admin.get(done.location)).text, /role="status">2 Things removed\./);
  assert.equal(await listActive(), [3, 4, 5, 6, 7, 8, 9, 10, 11]);
  await post({ action: 'restore', 'ids[]': ['1', '12'], confirm: '2' });
  assert.equal(await listActive(), [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('all that match are removed, and only those that were asked about', async () => {
  const query = '?filter[thing_kind]=b';
  const asked = await post({ action: 'remove', all: '1' }, query);
  assert.match(asked.text, /Remove 5 Things\?/);
  await world.site.emit('system-model-update', { schema: 'thing', thing_id: 1, thing_kind: 'b' });
  const again = await post({ action: 'remove', all: '1', confirm: '5' }, query);
  assert.match(again.text, /Remove 6 Things\?/);
  assert.is((await listActive()).length, 11);
  assert.is((await post({ action: 'remove', all: '1', confirm: '6' }, query)).status, 303);
  assert.equal(await listActive(), [3, 5, 7, 9, 11]);
});

test('if one row cannot be removed, none is, and the page says why', async () => {
  const { site, admin } = world;
  for (const box_name of ['One', 'Two', 'Three']) await site.emit('system-model-create', { schema: 'box', box_name });
  await site.emit('system-model-create', { schema: 'tag', tag_name: 'On two', box_id: 2 });
  const form = { action: 'remove', 'ids[]': ['1', '2', '3'], confirm: '3' };
  const failed = await admin.post('/admin/system/model/box/search', form);
  assert.is(failed.status, 422);
  assert.match(failed.text, /Nothing was changed/);
  assert.match(failed.text, /<a href="\/admin\/system\/model\/box\/detail\/2">Two<\/a> \(#2\): [^<]*referenced by/);
  assert.is((await site.rows('box')).length, 3);
});

test('without a ticked row nothing happens', async () => {
  const answer = await post({ action: 'remove' });
  assert.is(answer.location, SEARCH);
  assert.match((await world.admin.get(SEARCH)).text, /Tick rows first/);
});

test('a role that may not remove is refused, and finds no button', async () => {
  const page = await world.editor.get(SEARCH);
  assert.not.match(page.text, /value="remove"/);
  const refused = await world.editor.post(SEARCH, { action: 'remove', 'ids[]': ['1'], confirm: '1' });
  assert.is(refused.status, 403);
  assert.is((await listActive()).length, 11);
});

test('one field of many rows is changed, after the field and its value were asked for', async () => {
  const which = await post({ action: 'update', 'ids[]': ['1', '3'] });
  assert.match(which.text, /<option value="thing_kind">Kind<\/option>/);
  const asked = await post({ action: 'update', 'ids[]': ['1', '3'], column: 'thing_kind' });
  assert.match(asked.text, /<h1>Change 2 Things<\/h1>/);
  assert.match(asked.text, /<select[^>]*name="thing_kind"/);
  const form = { action: 'update', 'ids[]': ['1', '3'], column: 'thing_kind', confirm: '2' };
  const refused = await post({ ...form, thing_kind: 'nothing' });
  assert.is(refused.status, 422);
  assert.is((await post({ ...form, thing_kind: 'b' })).status, 303);
  const rows = await world.site.rows('thing');
  assert.equal(
    rows.slice(0, 4).map((row) => row.thing_kind),
    ['b', 'b', 'b', 'b'],
  );
});

test('a role changes the fields that it may write', async () => {
  const form = { action: 'update', 'ids[]': ['5'], confirm: '1' };
  const { editor, site } = world;
  const which = await editor.post(SEARCH, { action: 'update', 'ids[]': ['5'] });
  assert.match(which.text, /<option value="thing_name">/);
  assert.not.match(which.text, /<option value="thing_kind">/);
  await editor.post(SEARCH, { ...form, column: 'thing_kind', thing_kind: 'b' });
  await editor.post(SEARCH, { ...form, column: 'thing_name', thing_name: 'Five' });
  const row = (await site.rows('thing'))[4];
  assert.equal([row?.thing_kind, row?.thing_name], ['a', 'Five']);
});

test('ticked rows are exported', async () => {
  const answer = await post({ action: 'export', 'ids[]': ['2', '4'] }, '?fields=thing_name');
  assert.is(answer.status, 303);
  const file = await world.admin.get(answer.location);
  assert.is(file.text, 'thing_id,thing_name\n2,Thing 2\n4,Thing 4\n');
});

test('many rows are changed in slices; a fault ends the change, and the page says how many are done', async () => {
  const { site, admin } = world;
  const rows = Array.from({ length: 600 }, (_, n) => ({ box_name: `Bulk ${n}` }));
  await site.emit('system-model-import', { schema: 'box', rows });
  const listBulk = async () => (await site.rows('box')).filter((row) => String(row.box_name).startsWith('Bulk'));
  const ids = (await listBulk()).map((row) => String(row.box_id));
  const last = Number(ids.at(-1));
  await site.emit('system-model-create', { schema: 'tag', tag_name: 'On the last', box_id: last });
  const cut = await admin.post('/admin/system/model/box/search', { action: 'remove', 'ids[]': ids, confirm: '600' });
  assert.is(cut.status, 422);
  const done = Number(/(\d+) rows are done\. The rest was not changed/.exec(cut.text)?.[1]);
  assert.ok(done >= 250 && done < 600, String(done));
  assert.is((await listBulk()).length, 600 - done, 'the slice with the fault is rolled back');
});

test.run();
