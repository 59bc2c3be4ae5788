import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Log, silentLog } from '../../src/core/log/log.ts';
import { busyError, constraintError } from '../../src/database/database-error.ts';
import { createEntries } from '../../src/queue/entry.ts';
import { jobTable } from '../../src/queue/table.ts';
import { createTableQueue } from '../../src/queue/table-queue.ts';
import { createFakeClock, createFakeRandom } from '../clock.ts';
import { openTestDatabase, passUntil } from './world.ts';

const settle = suite('queue/result-writer');

async function createWorld(write: (items: readonly string[]) => Promise<void>, log: Log = silentLog) {
  const clock = createFakeClock();
  const opened = await openTestDatabase([jobTable]);
  const queue = createTableQueue({ ...opened, clock, log, random: createFakeRandom() }, 'test');
  const record = createEntries(write);
  const ended: string[] = [];
  // All end at once, as when many receivers answer in one turn.
  const gate: { open: () => void } = { open: () => {} };
  const isOpen = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  const count = async () => (await opened.database.kysely.selectFrom('treadle_job').selectAll().execute()).length;
  const payloads = Array.from({ length: 40 }, (_, index) => String(index));
  await queue.enqueue(payloads.map((payload) => ({ kind: 'a', payload, lane: payload })));
  const worker = queue.work({
    handle: async ({ payload }) => {
      ended.push(payload);
      if (ended.length === payloads.length) gate.open();
      await isOpen;
      return { entry: record(payload) };
    },
  });
  return { ...opened, clock, worker, ended, count, payloads };
}

settle('jobs that end together are written by few calls, each once', async () => {
  const calls: (readonly string[])[] = [];
  const world = await createWorld(async (items) => {
    calls.push(items);
  });
  await world.worker.idle();
  assert.equal(calls.flat().sort(), [...world.payloads].sort());
  assert.ok(calls.length <= 10, `${calls.length} calls for 40 jobs`);
  assert.is(await world.count(), 0);
  await world.worker.stop();
  await world.close();
});

settle('a result that cannot be written delays no other, and no job runs twice', async () => {
  const written = new Set<string>();
  let refusals = 0;
  const world = await createWorld(async (items) => {
    if (items.includes('7') && refusals < 4) {
      refusals += 1;
      throw new Error('no');
    }
    for (const item of items) written.add(item);
  });
  await passUntil(world, world.worker.idle(), 500);
  assert.is(written.size, 40);
  assert.is(refusals, 4);
  assert.is(world.ended.length, 40);
  assert.is(await world.count(), 0);
  await world.worker.stop();
  await world.close();
});

/** Writes down what is told as an error. */
function createErrorLog() {
  const told: string[] = [];
  const error: Log['error'] = (event, fields) => {
    told.push(`${event} ${fields?.payload}`);
  };
  return { told, log: { ...silentLog, error } };
}

settle('what the rows forbid is told of once, its job ends, and the others are written', async () => {
  const written = new Set<string>();
  let refusals = 0;
  const { told, log } = createErrorLog();
  const world = await createWorld(async (items) => {
    if (items.includes('7')) {
      refusals += 1;
      throw constraintError({ kind: 'foreign', table: undefined, columns: [] }, undefined);
    }
    for (const item of items) written.add(item);
  }, log);
  await world.worker.idle();
  assert.equal(told, ['queue.result.dropped 7']);
  assert.ok(refusals <= 2, `${refusals} tries`);
  assert.is(written.size, 39);
  assert.is(await world.count(), 0);
  assert.is(world.ended.length, 40, 'done once');
  await world.worker.stop();
  await world.close();
});

settle('what cannot be written yet is tried at growing distances, and not told of each time', async () => {
  const at: number[] = [];
  const { told, log } = createErrorLog();
  const world = await createWorld(async (items) => {
    if (!items.includes('7')) return;
    if (items.length === 1) at.push(world.clock.now() / 1000);
    if (at.length < 9) throw busyError();
  }, log);
  await passUntil(world, world.worker.idle(), 500);
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  // The clock goes on while the database works.
  for (const [index, least] of [1, 2, 4, 8, 16, 30, 30, 30].entries()) {
    const pause = pauses[index] ?? 0;
    assert.ok(pause >= least && pause < least + 60, `${pause} s instead of ${least} s`);
  }
  assert.equal(
    told,
    Array.from({ length: 4 }, () => 'queue.result.unsaved 7'),
  );
  assert.is(await world.count(), 0);
  await world.worker.stop();
  await world.close();
});

settle.run();
