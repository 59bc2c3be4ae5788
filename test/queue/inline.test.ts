import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../src/core/log/log.ts';
import { outsideTransaction } from '../../src/database/transaction.ts';
import type { Handle, JobRef, NewJob } from '../../src/queue/queue.ts';
import { jobTable } from '../../src/queue/table.ts';
import { createTableQueue } from '../../src/queue/table-queue.ts';
import { createFakeClock, createFakeRandom } from '../clock.ts';
import { openTestDatabase, passUntil } from './world.ts';

const inline = suite('queue/inline');

const HOLD_SECONDS = 25;

/** A queue with jobs that end when the test says so, or are aborted. */
async function createWorld() {
  const clock = createFakeClock();
  const opened = await openTestDatabase([jobTable]);
  const queue = createTableQueue({ ...opened, clock, log: silentLog, random: createFakeRandom() }, 'test');
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const handle: Handle = ({ payload }, signal) =>
    new Promise((resolve, reject) => {
      started.push(payload);
      ends.set(payload, () => {
        ends.delete(payload);
        resolve({});
      });
      signal.addEventListener('abort', () => {
        ends.delete(payload);
        reject(new Error('aborted'));
      });
    });
  const now = () => Math.floor(clock.now() / 1000);
  const add = async (prefix: string, count: number): Promise<JobRef[]> => {
    const jobs = Array.from(
      { length: count },
      (_, index): NewJob => ({ kind: 'a', payload: `${prefix}${index}`, lane: prefix, dueAt: now() + HOLD_SECONDS }),
    );
    await queue.enqueue(jobs);
    return jobs;
  };
  /** Waits until this many have started; returns true if there are more. */
  const until = async (count: number): Promise<void> => {
    for (let turn = 0; turn < 5000 && started.length < count; turn += 1) await opened.database.write(async () => {});
    for (let turn = 0; turn < 20; turn += 1) await opened.database.write(async () => {});
    assert.is(started.length, count);
  };
  const rows = () => opened.database.kysely.selectFrom('treadle_job').selectAll().orderBy('job_id').execute();
  const run = (jobs: readonly JobRef[]) => queue.runNow(jobs, handle, HOLD_SECONDS);
  return { ...opened, clock, queue, handle, started, ends, add, until, rows, run, now };
}

inline('64 at once for all calls together, begun in their order, the calls in turn', async () => {
  const world = await createWorld();
  const [many, few] = [await world.add('many', 100), await world.add('few', 3)];
  const runs = [world.run(many), world.run(few)];
  await world.until(64);
  const first = many.slice(0, 64).map(({ payload }) => payload);
  // PostgreSQL returns them in any order.
  assert.equal([...world.started].sort(), [...first].sort());
  for (const payload of first.slice(0, 5)) world.ends.get(payload)?.();
  await world.until(69);
  assert.equal(world.started.slice(64).sort(), ['few0', 'few1', 'many64', 'many65', 'many66']);
  for (const count of [103, 103]) {
    assert.ok(world.ends.size <= 64);
    for (const end of [...world.ends.values()]) end();
    await world.until(count);
  }
  await Promise.all(runs);
  assert.is(world.started.length, 103);
  assert.equal(await world.rows(), []);
  await world.close();
});

inline('what has not had its turn when the lease would end stays in the queue, and is due', async () => {
  const world = await createWorld();
  const jobs = await world.add('hangs', 70);
  const running = world.run(jobs);
  await world.until(64);
  world.clock.advance(1000 * (HOLD_SECONDS - 1));
  world.ends.get('hangs0')?.();
  await world.until(65);
  // The first ones have ended; the late one has its own lease.
  world.clock.advance(1000);
  await world.until(65);
  assert.equal([...world.ends.keys()], ['hangs64']);
  const untouched = (await world.rows()).filter((row) => row.owner === null);
  assert.equal(
    untouched.map(({ payload, due_at: dueAt }) => [payload, Number(dueAt) <= world.now()]),
    [65, 66, 67, 68, 69].map((index) => [`hangs${index}`, true]),
  );
  world.ends.get('hangs64')?.();
  await running;
  await world.close();
});

inline('stopping a worker aborts what is under way after 3 s, and gives back all of it', async () => {
  const world = await createWorld();
  const worker = world.queue.work({ handle: async () => ({}) });
  await worker.idle();
  const running = world.run(await world.add('hangs', 70));
  await world.until(64);
  const start = world.clock.now();
  await passUntil(world, worker.stop(), 500);
  await running;
  // The clock continues while the database works; without the limit it would reach the lease of 25 s.
  assert.ok(world.clock.now() - start < 20_000, `${world.clock.now() - start} ms`);
  assert.is(world.started.length, 64, 'none began after the stop');
  const rows = await world.rows();
  assert.equal([...new Set(rows.map(({ owner }) => owner))], [null]);
  assert.is(rows.filter((row) => Number(row.due_at) <= world.now()).length, 64, 'due at once');
  assert.is(rows.length, 70);
  await world.close();
});

inline('a process that is about to end has 3 s for what is under way, and begins nothing more', async () => {
  const world = await createWorld();
  const worker = world.queue.work({ handle: async () => ({}) });
  const running = world.run(await world.add('hangs', 3));
  await world.until(3);
  await passUntil(world, worker.hurry(), 500);
  await running;
  await world.run(await world.add('late', 2));
  assert.is(world.started.length, 3);
  const rows = await world.rows();
  assert.equal([rows.length, [...new Set(rows.map(({ owner }) => owner))]], [5, [null]]);
  await passUntil(world, worker.stop(), 500);
  await world.close();
});

inline('what waits for its claim, or for a place, when the process is told to end stays in the queue', async () => {
  const world = await createWorld();
  const worker = world.queue.work({ handle: async () => ({}) });
  await worker.idle();
  const [many, few] = [await world.add('hangs', 70), await world.add('late', 2)];
  const first = world.run(many);
  await world.until(64);
  for (const payload of ['hangs0', 'hangs1']) world.ends.get(payload)?.();
  // If other processes may write meanwhile, their claims may be made before.
  const second = world.database.dialect === 'sqlite' ? undefined : world.run(few);
  const running = await world.database.transaction(async () => {
    const waiting = second ?? outsideTransaction(() => world.run(few));
    const ending = outsideTransaction(() => worker.hurry());
    return { waiting, ending };
  });
  await passUntil(world, running.ending, 500);
  await Promise.all([first, running.waiting]);
  const begun = world.started.length;
  assert.ok(begun <= 66, `${begun} begun`);
  for (let turn = 0; turn < 20; turn += 1) await world.database.write(async () => {});
  assert.is(world.started.length, begun, 'nothing is begun after the end');
  assert.equal([...new Set((await world.rows()).map(({ owner }) => owner))], [null]);
  await world.close();
});

inline('a claim that fails keeps no other job from its turn, and is told of at the end', async () => {
  const world = await createWorld();
  const jobs = await world.add('a', 3);
  let claims = 0;
  const database = new Proxy(world.database, {
    get(target, key) {
      claims += key === 'write' ? 1 : 0;
      if (key === 'write' && claims === 1) return () => Promise.reject(new Error('busy'));
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const queue = createTableQueue({ ...world, database, log: silentLog, random: createFakeRandom() }, 'test');
  const running = queue.runNow(jobs, world.handle, HOLD_SECONDS).then(
    () => 'done',
    (error: Error) => error.message,
  );
  await world.until(2);
  for (const end of [...world.ends.values()]) end();
  assert.is(await running, 'busy');
  assert.is((await world.rows()).length, 1);
  await world.close();
});

inline('a caller runs the job of its own queue, not one of another queue with the same kind and payload', async () => {
  const world = await createWorld();
  const other = createTableQueue({ ...world, log: silentLog, random: createFakeRandom(2) }, 'other');
  const job = { kind: 'a', payload: 'same', lane: 'x', dueAt: world.now() + HOLD_SECONDS };
  await other.enqueue([job]);
  await world.run([job]);
  assert.equal(world.started, []);
  await world.queue.enqueue([job]);
  const running = world.run([job]);
  await world.until(1);
  const owned = (await world.rows()).map(({ queue, owner }) => [queue, owner !== null]);
  assert.equal(owned, [
    ['other', false],
    ['test', true],
  ]);
  world.ends.get('same')?.();
  await running;
  assert.equal(
    (await world.rows()).map(({ queue }) => queue),
    ['other'],
  );
  await world.close();
});

inline.run();
