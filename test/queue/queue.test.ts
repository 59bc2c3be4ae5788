import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../src/core/log.ts';
import type { Handle, Job } from '../../src/queue/queue.ts';
import { jobTable } from '../../src/queue/table.ts';
import { createTableQueue } from '../../src/queue/table-queue.ts';
import { createFakeClock, createFakeRandom, openTestDatabase, passUntil } from './world.ts';

const queue = suite('queue');

async function createWorld() {
  const clock = createFakeClock();
  const opened = await openTestDatabase([jobTable]);
  const deps = { ...opened, clock, log: silentLog, random: createFakeRandom() };
  const count = async () => (await opened.database.kysely.selectFrom('treadle_job').selectAll().execute()).length;
  return { ...deps, count, queue: createTableQueue(deps, 'test'), now: () => Math.floor(clock.now() / 1000) };
}

/** A handler whose jobs end when the test says so. */
function createGate() {
  const started: Job[] = [];
  const ends = new Map<number, () => void>();
  const waiters: { count: number; resolve: () => void }[] = [];
  const handle: Handle = (job, signal) =>
    new Promise((resolve, reject) => {
      started.push(job);
      ends.set(job.id, () => resolve({}));
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      for (const waiter of waiters) if (started.length >= waiter.count) waiter.resolve();
    });
  const until = (count: number): Promise<void> =>
    started.length >= count ? Promise.resolve() : new Promise((resolve) => waiters.push({ count, resolve }));
  return { started, handle, until, end: (job: Job | undefined) => job && ends.get(job.id)?.() };
}

queue('does a job once it is committed, and removes it', async () => {
  const world = await createWorld();
  const done: string[] = [];
  const worker = world.queue.work({
    handle: async (job) => {
      done.push(`${job.kind}:${job.payload}`);
      return {};
    },
  });
  await worker.idle();
  await world.database.transaction(async () => {
    await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
    await worker.idle();
    assert.equal(done, []);
  });
  await worker.idle();
  assert.equal(done, ['a:1']);
  assert.is(await world.count(), 0);
  await worker.stop();
  await world.close();
});

queue('forgets a job with the transaction that is rolled back', async () => {
  const world = await createWorld();
  const failing = world.database.transaction(async () => {
    await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
    throw new Error('no');
  });
  await failing.catch(() => {});
  assert.is(await world.count(), 0);
  await world.close();
});

queue('tries again at the time that the handler names, and after a handler that throws', async () => {
  const world = await createWorld();
  const at: number[] = [];
  const start = world.now();
  const worker = world.queue.work({
    handle: async () => {
      at.push(world.now() - start);
      if (at.length === 1) return { retryAt: world.now() + 300 };
      if (at.length === 2) throw new Error('broken');
      return {};
    },
  });
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  for (let second = 0; second < 400; second += 1) {
    await worker.idle();
    world.clock.advance(1000);
  }
  await worker.idle();
  assert.equal(at, [0, 300, 360]);
  await worker.stop();
  await world.close();
});

queue('records with the end of the job, all or nothing', async () => {
  const world = await createWorld();
  const worker = world.queue.work({
    handle: async (job) => ({
      record: async () => {
        if (job.kind === 'a')
          await world.queue.enqueue([{ kind: 'b', payload: '1', lane: 'y', dueAt: world.now() + 60 }]);
      },
    }),
  });
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  await worker.idle();
  const rows = await world.database.kysely.selectFrom('treadle_job').select('kind').execute();
  assert.equal(rows, [{ kind: 'b' }]);
  await worker.stop();
  await world.close();
});

queue('one job a kind and payload: enqueuing again brings it forward', async () => {
  const world = await createWorld();
  const job = { kind: 'a', payload: '1', lane: 'x' };
  await world.queue.enqueue([{ ...job, dueAt: world.now() + 60 }]);
  await world.queue.enqueue([{ ...job, dueAt: world.now() + 90 }]);
  await world.queue.enqueue([job]);
  const rows = await world.database.kysely.selectFrom('treadle_job').select('due_at').execute();
  assert.equal(rows, [{ due_at: world.now() }]);
  await world.close();
});

queue('takes over the work of a killed process within 30 s, and not while its lease lasts', async () => {
  const world = await createWorld();
  const gate = createGate();
  const done: number[] = [];
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  // What a killed process leaves behind: a job with an owner that prolongs no more.
  await world.database.kysely
    .updateTable('treadle_job')
    .set({ owner: 'dead', due_at: world.now() + 5 })
    .execute();
  const start = world.now();
  const worker = world.queue.work({
    handle: async () => {
      done.push(world.now() - start);
      return {};
    },
  });
  for (let second = 0; second < 30; second += 1) {
    await worker.idle();
    world.clock.advance(1000);
  }
  await worker.idle();
  assert.equal(done, [5]);
  assert.equal(gate.started, []);
  await worker.stop();
  await world.close();
});

queue('prolongs the lease of what is under way', async () => {
  const world = await createWorld();
  const gate = createGate();
  const worker = world.queue.work({ handle: gate.handle });
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  await gate.until(1);
  for (let second = 0; second < 20; second += 1) {
    world.clock.advance(1000);
    await world.database.write(async () => {});
  }
  const [row] = await world.database.kysely.selectFrom('treadle_job').selectAll().execute();
  assert.ok(Number(row?.due_at) > world.now(), 'still leased after 20 s');
  assert.is(gate.started.length, 1);
  gate.end(gate.started[0]);
  await worker.idle();
  assert.is(await world.count(), 0);
  await worker.stop();
  await world.close();
});

queue('gives back on stop what does not end in time', async () => {
  const world = await createWorld();
  const gate = createGate();
  const worker = world.queue.work({ handle: gate.handle });
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  await gate.until(1);
  const stopping = worker.stop();
  await passUntil(world, stopping, 3000);
  const [row] = await world.database.kysely.selectFrom('treadle_job').selectAll().execute();
  assert.is(row?.owner, null);
  assert.ok(Number(row?.due_at) <= world.now());
  await world.close();
});

queue('hundred lanes that hang leave a live lane its turn', async () => {
  const world = await createWorld();
  const gate = createGate();
  const live: string[] = [];
  const worker = world.queue.work({
    concurrency: 120,
    handle: (job, signal) => {
      if (job.lane !== 'zz-live') return gate.handle(job, signal);
      live.push(job.payload);
      return Promise.resolve({});
    },
  });
  await world.queue.enqueue(
    Array.from({ length: 300 }, (_, index) => ({ kind: 'a', payload: `${index}`, lane: `dead-${index % 100}` })),
  );
  await gate.until(100);
  await world.queue.enqueue(
    Array.from({ length: 20 }, (_, index) => ({ kind: 'live', payload: `${index}`, lane: 'zz-live' })),
  );
  for (let turn = 0; turn < 1000 && live.length < 20; turn += 1) await world.database.write(async () => {});
  assert.is(live.length, 20);
  assert.is(gate.started.length, 100, 'one place for each lane that has not shown that it answers');
  const stopping = worker.stop();
  while (gate.started.length < 100) await new Promise((resolve) => setImmediate(resolve));
  await passUntil(world, stopping, 3000);
  await world.close();
});

queue('two workers on one table share the jobs without doing one twice', async () => {
  const world = await createWorld();
  const done: string[] = [];
  const handle: Handle = async (job) => {
    done.push(job.payload);
    return {};
  };
  const workers = [world.queue.work({ handle }), world.queue.work({ handle })];
  await world.queue.enqueue(
    Array.from({ length: 200 }, (_, index) => ({ kind: 'a', payload: `${index}`, lane: `${index % 7}` })),
  );
  while ((await world.count()) > 0) await Promise.all(workers.map((worker) => worker.idle()));
  assert.is(done.length, 200);
  assert.is(new Set(done).size, 200);
  await Promise.all(workers.map((worker) => worker.stop()));
  await world.close();
});

queue.run();
