import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { only } from './_where.ts';
import { codeOf, insertNote, readNotes, withDatabase } from './temporary-database.ts';

const test = suite('database/busy');
const sqlite = only('sqlite', 'database/busy', test);

/** Another process that holds the write lock until it reads a line. */
const HOLDER = `
const sqlite3 = require('sqlite3');
const db = new sqlite3.Database(process.argv[1]);
db.exec('begin immediate', (error) => {
  process.stdout.write(error ? String(error) : 'held');
  process.stdin.once('data', () => db.exec('rollback', () => db.close(() => process.exit(0))));
});`;

async function hold(root: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', HOLDER, join(root, 'var/app.db')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  assert.is(text.toString(), 'held');
  return child;
}

async function letGo(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.write('go\n');
  await ended;
}

sqlite('another process holds the lock: reads go on, the loop is free, the write comes through', () =>
  withDatabase(async ({ database, root }) => {
    await insertNote(database, 'before');
    const child = await hold(root);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    let isWritten = false;
    const writing = database
      .write(() => insertNote(database, 'during'))
      .then(() => {
        isWritten = true;
      });
    for (let reads = 0; reads < 100; reads += 1) assert.equal(await readNotes(database), ['before']);
    await new Promise((resolve) => setTimeout(resolve, 150));
    delay.disable();
    assert.not(isWritten);
    await letGo(child);
    await writing;
    assert.equal(await readNotes(database), ['before', 'during']);
    assert.ok(delay.max < 500e6, `the event loop stood still for ${delay.max / 1e6} ms`);
  }),
);

sqlite('after 5 s it is refused as busy, with a time to try again', () => {
  let ahead = 0;
  const clock = { now: () => systemClock.now() + ahead, after: systemClock.after };
  return withDatabase(
    async ({ database, root }) => {
      const child = await hold(root);
      const writing = database.write(() => insertNote(database, 'never')).catch((error) => error);
      await readNotes(database);
      ahead = 6000;
      const error = await writing;
      assert.equal([error.code, error.status, error.headers['retry-after']], ['DATABASE_BUSY', 503, '1']);
      await letGo(child);
      assert.is(await codeOf(insertNote(database, 'later')), undefined);
      assert.equal(await readNotes(database), ['later']);
    },
    { clock },
  );
});

sqlite('a rebuild that could not begin leaves foreign keys enforced', () => {
  let ahead = 0;
  const clock = { now: () => systemClock.now() + ahead, after: systemClock.after };
  return withDatabase(
    async ({ database, root }) => {
      await insertNote(database, 'a');
      const child = await hold(root);
      const rebuilding = codeOf(database.restructure(async () => {}, true));
      await readNotes(database);
      ahead = 6000;
      assert.is(await rebuilding, 'DATABASE_BUSY');
      await letGo(child);
      const orphan = () => database.kysely.insertInto('tag').values({ note_id: 999 }).execute();
      assert.is(await codeOf(database.write(orphan)), 'DATABASE_CONSTRAINT');
    },
    { clock },
  );
});

test.run();
