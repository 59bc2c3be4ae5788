import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEYED } from '../../src/database/load/read-cost.ts';
import { type SlowRead, SlowReads } from '../../src/database/load/slow-reads.ts';
import { DIALECT, only } from './_where.ts';
import { insertNote, withDatabase } from './temporary-database.ts';

const test = suite('slow reads');
const sqlite = only('sqlite', 'slow reads', test);

const sign = DIALECT === 'sqlite' ? '?' : '$1';
const FIND = CompiledQuery.raw(`select note_text from note where note_text = ${sign}`);

test('a read is told with its milliseconds and rows, before its caller has them; without a listener none is', async () => {
  const slow = new SlowReads();
  await withDatabase(
    async ({ database }) => {
      await insertNote(database, 'one');
      const told: SlowRead[] = [];
      await database.run(FIND, ['one']);
      const end = slow.listen(0, (read) => told.push(read));
      await database.run(FIND, ['one']);
      assert.is(told.length, 1);
      assert.is(told[0]?.sql, FIND.sql);
      assert.is(told[0]?.rows, 1);
      assert.ok((told[0]?.milliseconds ?? 0) >= 1);
      await database.run(CompiledQuery.raw('select nothing from nowhere')).catch(() => {});
      assert.is(told[1]?.rows, undefined, 'one that failed');
      slow.listen(60_000, (read) => told.push(read));
      await database.run(FIND, ['one']);
      assert.is(told.length, 2, 'a fast one');
      end();
      assert.is(slow.least, 60_000, 'the end of an earlier listener changes nothing');
    },
    { slow },
  );
});

test('reads in a transaction, and writes, are not told', async () => {
  const slow = new SlowReads();
  await withDatabase(
    async ({ database }) => {
      const told: SlowRead[] = [];
      slow.listen(0, (read) => told.push(read));
      await database.transaction(() => database.run(FIND, ['one']));
      await insertNote(database, 'one');
      assert.equal(told, []);
    },
    { slow },
  );
});

test('a search that begins with `with` is a read', async () => {
  const slow = new SlowReads();
  await withDatabase(
    async ({ database, trace }) => {
      const told: SlowRead[] = [];
      slow.listen(0, (read) => told.push(read));
      const search = CompiledQuery.raw('with w(n) as (select 1) select n from w');
      trace.length = 0;
      assert.equal(await database.run(search, [], KEYED), [{ n: 1 }]);
      assert.is(told.length, 1);
      // The trace is of SQLite's writer, and of all connections of PostgreSQL.
      if (DIALECT === 'sqlite') assert.equal(trace, []);
    },
    { slow },
  );
});

sqlite('a connection that explained a statement sees what is committed later', () =>
  withDatabase(async ({ database }) => {
    const count = CompiledQuery.raw('select count(*) as n from note');
    await database.run(count);
    for (const parameters of [[], ['x']]) {
      const where = parameters.length === 0 ? '' : ' where note_text = ?';
      await database.run(CompiledQuery.raw(`explain query plan select * from note${where}`, parameters));
    }
    // The view of the data is taken by the next read.
    await database.run(count);
    await insertNote(database, 'one');
    const found = await Promise.all([1, 2, 3, 4].map(() => database.run(count)));
    assert.equal(
      found.map(([row]) => row?.n),
      [1, 1, 1, 1],
    );
  }),
);

test.run();
