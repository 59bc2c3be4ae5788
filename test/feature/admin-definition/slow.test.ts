import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../../boot.ts';
import { askSlowly, bootMany, listSlow, SEARCH } from '../slow/_site.ts';

const test = suite('page of slow searches');

const READER = {
  slug: 'reader',
  name: 'Reader',
  permissions: [{ method: 'all', path: '/admin/slow/**' }],
};
/** The text of a page without the escapes of its markup. */
const toPlain = (text: string): string => text.replaceAll('&#x3D;', '=').replaceAll('&quot;', '"');
const FILE = 'config/schema/paper.json';

const listIndexes = (text: string): unknown => (JSON.parse(text) as { readonly indexes?: unknown }).indexes;

test('it shows how a search is read, adds the index by one click, and begins anew', async () => {
  const site = await bootMany({ settings: { admin: { write: true } } });
  try {
    const admin = await site.as('admin', ['admin']);
    await site.emit('slow-remove');
    await askSlowly(site);
    const page = await admin.get('/admin/slow');
    assert.is(page.status, 200);
    assert.match(toPlain(page.text), SEARCH);
    assert.match(page.text, /The database reads [^<]*paper/);
    assert.match(toPlain(page.text), '"indexes": [{ "columns": ["published", "-views"] }]');
    assert.not.match(page.text, '4711');
    const id = String((await listSlow(site)).get(SEARCH)?.slow_id);
    const added = await admin.post(`/admin/slow/index/${id}`, {});
    assert.is(added.status, 303, added.text);
    assert.is(added.location, '/admin/slow');
    assert.match((await admin.get('/admin/slow')).text, 'The index was added to config/schema/paper.json');
    assert.equal(listIndexes(site.project.read(FILE)), [{ columns: ['published', '-views'] }]);
    const row = await until(async () => {
      const found = (await listSlow(site)).get(SEARCH)?.index as { readonly state: string } | undefined;
      return found?.state === 'there' ? found : undefined;
    });
    assert.ok(row);
    assert.match((await admin.get('/admin/slow')).text, 'The index for it is there by now');
    await admin.post(`/admin/slow/index/${id}`, {});
    assert.match((await admin.get('/admin/slow')).text, 'No index is proposed for this search any more');
    await admin.post('/admin/slow/clear', {});
    assert.not.match(toPlain((await admin.get('/admin/slow')).text), SEARCH);
  } finally {
    await site.close();
  }
});

test('a role that opens the page alone sees it and changes no schema; production without admin.write neither', async () => {
  const site = await bootMany({ files: { 'config/role/reader.json': READER } });
  try {
    await askSlowly(site);
    const reader = await site.as('reader', ['reader']);
    const { text } = await reader.get('/admin/slow');
    assert.match(toPlain(text), SEARCH);
    assert.not.match(text, 'Add this index');
    const id = String((await listSlow(site)).get(SEARCH)?.slow_id);
    const before = site.project.read(FILE);
    await reader.post(`/admin/slow/index/${id}`, {});
    assert.is(site.project.read(FILE), before);
    assert.is((await (await site.as('user')).get('/admin/slow')).status, 403);
    const admin = await site.as('admin', ['admin']);
    const closed = (await admin.get('/admin/slow')).text;
    assert.not.match(closed, 'Add this index');
    assert.match(closed, 'This server shows definitions and does not change them');
    await admin.post(`/admin/slow/index/${id}`, {});
    assert.is(site.project.read(FILE), before);
  } finally {
    await site.close();
  }
});

test('who was not asked for the password for ten minutes is asked, and the click goes on afterwards', async () => {
  const site = await bootMany({ settings: { admin: { write: true } } });
  try {
    const admin = await site.as('admin', ['admin']);
    await askSlowly(site);
    const id = String((await listSlow(site)).get(SEARCH)?.slow_id);
    const { kysely } = site.app.services.database;
    const [session] = await site.rows('treadle_session');
    const data = { ...JSON.parse(String(session?.data)), proof: undefined };
    await kysely
      .updateTable('treadle_session')
      .set({ data: JSON.stringify(data) })
      .execute();
    const asked = await admin.post(`/admin/slow/index/${id}`, {});
    assert.match(asked.location, '/auth/confirm');
    assert.is(listIndexes(site.project.read(FILE)), undefined);
  } finally {
    await site.close();
  }
});

test('without slow searches the page says so', async () => {
  const site = await bootMany({ settings: { limits: { slowMilliseconds: 99 } } });
  try {
    const admin = await site.as('admin', ['admin']);
    await site.emit('slow-remove');
    assert.match((await admin.get('/admin/slow')).text, 'No search was slow.');
  } finally {
    await site.close();
  }
});

test.run();
