import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/core/log/log.ts';
import type { Database } from '../../../src/database/database.ts';
import { readStatistics, refreshStatistics } from '../../../src/database/statistics/refresh.ts';
import { only } from '../_where.ts';
import { withDatabase } from '../temporary-database.ts';

const test = suite('database/statistics/postgres');
const server = only('server', 'database/statistics/postgres', test);

const run = (database: Database, text: string) => database.run(CompiledQuery.raw(text));
const insert = (database: Database) =>
  run(database, "insert into note (note_text) select 'Note ' || i from generate_series(1, 2000) as n(i)");
const find = async (database: Database) => (await readStatistics(database)).find(({ table }) => table === 'note');

server('a table of which much was written is analyzed, though the server has not counted it yet', () =>
  withDatabase(async ({ database }) => {
    await insert(database);
    const written = new Map([
      ['note', 2000],
      ['tag', 5],
    ]);
    assert.equal(await refreshStatistics(database, { log: silentLog, written }), ['note']);
    const note = await find(database);
    assert.is(note?.rows, 2000);
    assert.type(note?.at, 'number');
    // A tenth of the rows is not written.
    const few = new Map([['note', 150]]);
    assert.equal(await refreshStatistics(database, { log: silentLog, written: few }), []);
  }),
);

server('a table of another owner stays as it was, and nothing fails', () =>
  withDatabase(async ({ database }) => {
    await insert(database);
    const role = `treadle_test_${Math.random().toString(36).slice(2)}`;
    await run(database, `create role ${role}`);
    try {
      const [schema] = await run(database, 'select current_schema() as name');
      await run(database, `grant usage on schema "${String(schema?.name)}" to ${role}`);
      const told: string[] = [];
      const log = { warn: (event: string) => void told.push(event) };
      await database.transaction(async () => {
        await run(database, `set local role ${role}`);
        await refreshStatistics(database, { log, written: new Map([['note', 2000]]) });
      });
      assert.equal(told, []);
      assert.is((await find(database))?.rows, 0);
      await run(database, `revoke usage on schema "${String(schema?.name)}" from ${role}`);
    } finally {
      await run(database, `drop role ${role}`);
    }
  }),
);

test.run();
