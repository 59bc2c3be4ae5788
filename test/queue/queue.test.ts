import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createEntries } from '../../src/queue/entry.ts';
import type { Handle, Job } from '../../src/queue/queue.ts';
import { jobTable } from '../../src/queue/table.ts';
import { createTableQueue } from '../../src/queue/table-queue.ts';
import { createFakeClock, createFakeRandom } from '../clock.ts';
import { only, placeDatabase } from '../database/_where.ts';
import { openTestDatabase, passUntil } from './world.ts';

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
      entry: createEntries<string>(async ([kind]) => {
        if (kind === 'a') await world.queue.enqueue([{ kind: 'b', payload: '1', lane: 'y', dueAt: world.now() + 60 }]);
      })(job.kind),
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
  // Left by a killed process: a job whose owner no longer extends its lease.
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
  // On PostgreSQL the worker's statement has a connection of its own: a few looks may come before it.
  const isLeased = async () => {
    const [row] = await world.database.kysely.selectFrom('treadle_job').selectAll().execute();
    return Number(row?.due_at) > world.now();
  };
  for (let second = 1; second <= 20; second += 1) {
    world.clock.advance(1000);
    let isHeld = await isLeased();
    for (let look = 0; look < 500 && !isHeld; look += 1) isHeld = await isLeased();
    assert.ok(isHeld, `still leased after ${second} s`);
  }
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

queue('W7: hundred lanes that hang leave a live lane its turn', async () => {
  const world = await createWorld();
  const gate = createGate();
  const live: string[] = [];
  const worker = world.queue.work({
    concurrency: 160,
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

queue(
  'finds what no notifier told of: jobs of hundreds of lanes that were there before, and of another process',
  async () => {
    const world = await createWorld();
    const done = new Set<string>();
    const insert = (from: number, count: number) =>
      world.database.kysely
        .insertInto('treadle_job')
        .values(
          Array.from({ length: count }, (_, index) => ({
            queue: 'test',
            kind: 'a',
            payload: `${from + index}`,
            lane: `lane ${(from + index) % 600}`,
            due_at: world.now(),
          })),
        )
        .execute();
    await insert(0, 1200);
    const worker = world.queue.work({
      handle: async (job) => {
        done.add(job.payload);
        return {};
      },
    });
    await worker.idle();
    assert.is(done.size, 1200, 'the walk takes more than one step');
    await insert(1200, 3);
    await worker.idle();
    world.clock.advance(1000);
    await worker.idle();
    assert.is(done.size, 1203, 'seen within a second');
    await worker.stop();
    await world.close();
  },
);

queue('finds what is due after the clock was set back', async () => {
  const world = await createWorld();
  const done: string[] = [];
  const worker = world.queue.work({
    handle: async (job) => {
      done.push(job.payload);
      return {};
    },
  });
  await worker.idle();
  const row = { queue: 'test', kind: 'a', payload: '1', lane: 'x', due_at: world.now() - 3600 };
  await world.database.kysely.insertInto('treadle_job').values(row).execute();
  for (let second = 0; second < 70; second += 1) {
    world.clock.advance(1000);
    await worker.idle();
  }
  assert.equal(done, ['1'], 'at the latest by the walk of each minute');
  await worker.stop();
  await world.close();
});

queue('a job that could not be written down is tried until it can, and is not done again', async () => {
  const world = await createWorld();
  let [done, tries] = [0, 0];
  const worker = world.queue.work({
    handle: async () => {
      done += 1;
      return {
        entry: createEntries(async () => {
          tries += 1;
          if (tries < 8) throw new Error('the disk is full');
        })(undefined),
      };
    },
  });
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  await passUntil(world, worker.idle(), 500);
  assert.equal([done, tries], [1, 8]);
  assert.is(await world.count(), 0);
  await worker.stop();
  await world.close();
});

queue('a job that was claimed in vain is due again when its lease ends', async () => {
  const world = await createWorld();
  const gate = createGate();
  const worker = world.queue.work({ handle: gate.handle });
  await world.queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  await gate.until(1);
  // The answer was lost: the row has this worker's name, but the worker does not know it.
  const [first] = await world.database.kysely.selectFrom('treadle_job').selectAll().execute();
  const leaseEnd = world.now() + 5;
  const row = { queue: 'test', kind: 'a', payload: '2', lane: 'y', due_at: leaseEnd, owner: first?.owner };
  await world.database.kysely.insertInto('treadle_job').values(row).execute();
  await passUntil(world, gate.until(2), 1000);
  assert.ok(world.now() >= leaseEnd, 'not while its lease lasts');
  assert.equal(
    gate.started.map((job) => job.payload),
    ['1', '2'],
  );
  for (const job of gate.started) gate.end(job);
  await worker.idle();
  await worker.stop();
  await world.close();
});

queue('a clock that leaps forward starts nothing twice that is under way, and each ends once', async () => {
  const world = await createWorld();
  const leap = { milliseconds: 0 };
  const clock = { ...world.clock, now: () => world.clock.now() + leap.milliseconds };
  const own = createTableQueue({ ...world, clock }, 'test');
  const gate = createGate();
  const written: string[] = [];
  const record = createEntries<string>(async (items) => {
    written.push(...items);
  });
  const worker = own.work({
    handle: async (job, signal) => ({ ...(await gate.handle(job, signal)), entry: record(job.payload) }),
  });
  const add = (payload: string) => own.enqueue([{ kind: 'a', payload, lane: 'x' }]);
  // A lane that answered may have two calls in progress.
  await add('0');
  await gate.until(1);
  gate.end(gate.started[0]);
  await worker.idle();
  await add('1');
  await gate.until(2);
  // Its lease looks like that of a killed process; the next job of its lane waits behind it.
  for (const payload of ['2', '3', '4']) {
    leap.milliseconds += 3_600_000;
    await add(payload);
    for (let turn = 0; turn < 20; turn += 1) await world.database.write(async () => {});
  }
  for (let turn = 0; turn < 100 && written.length < 5; turn += 1) {
    for (const job of gate.started) gate.end(job);
    await world.database.write(async () => {});
  }
  await worker.idle();
  assert.equal(
    gate.started.map((job) => job.payload),
    ['0', '1', '2', '3', '4'],
  );
  assert.equal([...written].sort(), ['0', '1', '2', '3', '4']);
  assert.is(await world.count(), 0);
  await worker.stop();
  await world.close();
});

queue('holds lanes back that are known to fail', async () => {
  const world = await createWorld();
  const gate = createGate();
  const failing = Array.from({ length: 40 }, (_, index) => `failing ${index}`);
  await world.queue.enqueue(failing.map((lane, index) => ({ kind: 'a', payload: `${index}`, lane })));
  const worker = world.queue.work({ concurrency: 20, handle: gate.handle, findFailing: async () => failing });
  await gate.until(10);
  for (let turn = 0; turn < 50; turn += 1) await world.database.write(async () => {});
  assert.is(gate.started.length, 10);
  await passUntil(world, worker.stop(), 3000);
  await world.close();
});

queue('holds lanes back that answer slowly, and no lane that waits for nobody', async () => {
  const rows: readonly (readonly [milliseconds: number, isOwn: boolean, expected: number])[] = [
    [1200, false, 12 + 10],
    [1200, true, 12 + 15],
    [0, false, 12 + 15],
  ];
  for (const [milliseconds, isOwn, expected] of rows) {
    const world = await createWorld();
    const gate = createGate();
    const jobs = Array.from({ length: 100 }, (_, index) => ({ kind: 'a', payload: `${index}`, lane: `${index % 12}` }));
    await world.queue.enqueue(jobs);
    const worker = world.queue.work({ concurrency: 16, handle: gate.handle, isOwn: () => isOwn });
    await gate.until(12);
    for (let turn = 0; turn < 50; turn += 1) await world.database.write(async () => {});
    world.clock.advance(milliseconds);
    for (const job of gate.started) gate.end(job);
    await gate.until(expected);
    for (let turn = 0; turn < 50; turn += 1) await world.database.write(async () => {});
    assert.is(gate.started.length, expected);
    await passUntil(world, worker.stop(), 3000);
    await world.close();
  }
});

queue('measures waiting and running jobs', async () => {
  const world = await createWorld();
  const gate = createGate();
  const lanes = ['a', 'b', 'b'].map((lane, index) => ({ kind: 'a', payload: `${index}`, lane }));
  await world.queue.enqueue([...lanes, { kind: 'a', payload: 'later', lane: 'c', dueAt: world.now() + 60 }]);
  assert.equal(await world.queue.measure(), { depth: 4, waiting: 3, underWay: 0, waitSeconds: 0 });
  const worker = world.queue.work({ handle: gate.handle });
  await gate.until(2);
  world.clock.advance(1000);
  assert.equal(await world.queue.measure(), { depth: 4, waiting: 1, underWay: 2, waitSeconds: 1 });
  await passUntil(world, worker.stop(), 3000);
  await world.close();
});

only(
  'server',
  'queue',
  queue,
)('another process is told of what is committed, by NOTIFY', async () => {
  const place = await placeDatabase();
  const open = () => openDatabase({ url: place.url, root: '/', log: silentLog, clock: systemClock });
  const [here, there] = [await open(), await open()];
  const heard = new Promise<void>((resolve) => {
    const state = { calls: 0 };
    // The first call means that it listens.
    here.listen?.('test', () => {
      state.calls += 1;
      if (state.calls === 1) {
        here.announce?.('test');
        there.announce?.('other');
        there.announce?.('test');
      } else resolve();
    });
  });
  // Listening alone does not keep a process alive.
  const alive = setInterval(() => {}, 1000);
  await heard;
  clearInterval(alive);
  await Promise.all([here.close(), there.close()]);
  await place.remove();
});

queue.run();
