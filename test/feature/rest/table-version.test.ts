import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import { createFakeClock } from '../../clock.ts';
import { bearer, SECRET, startWorld, type World } from './_server.ts';

const test = suite('rest: what is remembered by table');
const NOTES = ['note', 'profile'];
const SEARCH = '/rest/public/note/search';
const clock = createFakeClock(Date.UTC(2026, 0, 31, 12));
const at: { world?: World; database?: Database; asked: string[] } = { asked: [] };
const world = (): World => at.world as World;
const database = (): Database => at.database as Database;
const forget = (): void => void at.asked.splice(0);
/** Later statements that read rows of the table `note`. */
const listAsked = (): string[] => at.asked.filter((text) => text.includes('"note"'));
const add = (more: object = {}) =>
  world().send('POST', '/rest/public/note/create', { note_title: 'A', profile_id: 1, ...more });

test.before(async () => {
  at.world = await startWorld({ clock });
  at.database = world().app.context.services.database;
  const run = at.database.run.bind(at.database);
  at.database.run = (query, ...rest) => {
    at.asked.push(query.sql);
    return run(query, ...rest);
  };
});
test.after(() => world().close());

/** Requests until the answer and its total are remembered; returns its ETag. */
async function learn(path: string): Promise<string> {
  const etag = String((await world().ask(path)).headers.etag);
  for (let time = 0; time < 40; time += 1) {
    forget();
    await world().ask(path, { headers: { 'if-none-match': etag } });
    await world().ask(path);
    if (listAsked().length === 0) return etag;
  }
  throw new Error(`${path} is never remembered`);
}

test('26 reads of an app and its user in 6 s leave totals and 304s of others in place', async () => {
  assert.is((await add()).status, 201);
  const etag = await learn(SEARCH);
  const { whole, basisOf } = await database().tableVersions();
  const notes = basisOf(NOTES);
  assert.ok(notes.places, 'the tables are counted');
  const seen = new Set([whole]);
  const credentials = `client_id=reader&client_secret=${SECRET}`;
  for (let time = 0; time < 26; time += 1) {
    const path = time % 2 === 0 ? `/rest/public/app/note/search?${credentials}` : '/rest/user/note/search';
    const read = await world().ask(path, time % 2 === 0 ? {} : { headers: bearer });
    assert.is(read.status, 200, read.text);
    clock.advance(231);
    // Runs after the writes that the clock started.
    await database().write(async () => {});
    forget();
    assert.is((await world().ask(SEARCH, { headers: { 'if-none-match': etag } })).status, 304);
    assert.equal(listAsked(), [], 'no row is read for a 304');
    assert.is((await world().ask(SEARCH)).status, 200);
    assert.equal(listAsked(), [], 'nor for an answer that was given before');
    const now = await database().tableVersions();
    assert.ok(now.holds(notes));
    seen.add(now.whole);
  }
  assert.ok(seen.size > 4, `the database was written: ${seen.size} versions`);
});

test('an answer is asked in full after a write of any row that it was read from', async () => {
  const made = JSON.parse((await add()).text).results.note_id;
  for (const path of [
    SEARCH,
    `/rest/public/note/detail/${made}`,
    `${SEARCH}?sort[note_title]=DESC`,
    `${SEARCH}?filter[profile_id]=1`,
  ]) {
    for (const [table, write] of [
      ['note', () => world().send('PATCH', `/rest/public/note/update/${made}`, { note_text: path })],
      ['profile', () => database().kysely.updateTable('profile').set({ profile_name: path }).execute()],
    ] as const) {
      await learn(path);
      const known = await world().ask(path);
      await write();
      const after = await world().ask(path, { headers: { 'if-none-match': String(known.headers.etag) } });
      assert.is(after.status, 200, `${path} after a write of ${table}`);
    }
  }
});

test.run();
