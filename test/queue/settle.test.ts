import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../src/core/log.ts';
import { createEntries } from '../../src/queue/entry.ts';
import { jobTable } from '../../src/queue/table.ts';
import { createTableQueue } from '../../src/queue/table-queue.ts';
import { createFakeClock, createFakeRandom, openTestDatabase, passUntil } from './world.ts';

const settle = suite('queue/settle');

async function createWorld(write: (items: readonly string[]) => Promise<void>) {
  const clock = createFakeClock();
  const opened = await openTestDatabase([jobTable]);
  const queue = createTableQueue({ ...opened, clock, log: silentLog, random: createFakeRandom() }, 'test');
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

settle('one that cannot be written keeps no other from it, and none is done twice', async () => {
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

settle.run();
