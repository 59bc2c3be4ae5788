import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { shareReading } from '../../src/database/version/table-version.ts';
import { openPlaced, placeUrl, removePlace, unlessAlone } from './_where.ts';

const test = suite('database/share-reading');

const version = (database: Database): Promise<string> => database.version?.() ?? Promise.reject(new Error('none'));
const write = (database: Database, value: number): Promise<unknown> =>
  database.write(() => sql`insert into note (value) values (${value})`.execute(database.kysely));

test('a version in memory, or on a server, is another one after a write', async () => {
  const database = await openPlaced();
  try {
    await database.write(() => sql`create table note (value integer)`.execute(database.kysely));
    const before = await version(database);
    if (database.dialect === 'sqlite') assert.is(await version(database), before);
    await write(database, 1);
    assert.is.not(await version(database), before);
  } finally {
    await database.close();
  }
});

unlessAlone('database/share-reading', test)(
  'a version knows of what this and another process committed, and of nothing else',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'treadle-version-'));
    const url = placeUrl('app.db');
    const open = (): Promise<Database> => openDatabase({ url, root, log: silentLog, clock: systemClock });
    const [left, right] = [await open(), await open()];
    try {
      await left.write(() => sql`create table note (value integer)`.execute(left.kysely));
      for (const database of [left, right, left]) {
        const before = await version(left);
        const rows = (await sql`select * from note`.execute(left.kysely)).rows.length;
        // Another project on the server may commit meanwhile, which only causes another read.
        if (left.dialect === 'sqlite') {
          for (let round = 0; round < 3; round += 1) assert.is(await version(left), before);
          await left
            .write(async () => {
              await write(left, 9);
              throw new Error('undone');
            })
            .catch(() => {});
          assert.is(await version(left), before);
        }
        await write(database, 1);
        assert.is.not(await version(left), before);
        assert.is((await sql`select * from note`.execute(left.kysely)).rows.length, rows + 1);
      }
    } finally {
      await left.close();
      await right.close();
      await removePlace(url);
      rmSync(root, { recursive: true, force: true });
    }
  },
);

test('who asks while a reading is under way shares the next one, which begins after they asked', async () => {
  const state = { begun: 0, value: 'before' };
  const ends: (() => void)[] = [];
  const read = shareReading(() => {
    state.begun += 1;
    const { value } = state;
    return new Promise<string>((resolve) => ends.push(() => resolve(value)));
  });
  const first = read();
  await Promise.resolve();
  const alike = read();
  assert.is(state.begun, 0, 'who asks in the same turn shares it');
  state.value = 'a';
  await new Promise((resolve) => setImmediate(resolve));
  state.value = 'b';
  const others = [read(), read(), read()];
  assert.is(state.begun, 1);
  ends.shift()?.();
  assert.equal(await Promise.all([first, alike]), ['a', 'a']);
  while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.is(state.begun, 2);
  ends.shift()?.();
  assert.equal(await Promise.all(others), ['b', 'b', 'b']);
  const failing = shareReading(() => Promise.reject(new Error('gone')));
  for (const asked of [failing(), failing()])
    await asked.then(assert.unreachable, (error) => assert.is(error.message, 'gone'));
});

test.run();
