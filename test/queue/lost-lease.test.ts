import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../src/database/row-statement.ts';
import { createEntries } from '../../src/queue/entry.ts';
import type { Outcome } from '../../src/queue/queue.ts';
import { jobTable } from '../../src/queue/table.ts';
import { createTableQueue } from '../../src/queue/table-queue.ts';
import { createFakeClock, createFakeRandom } from '../clock.ts';
import { openTestDatabase, passUntil } from './world.ts';

/** A worker that was held longer than its lease lasts, so that another one claimed its job. */
const test = suite('queue/lost lease');

type World = Awaited<ReturnType<typeof createWorld>>;

async function createWorld(outcome: (now: number) => Outcome) {
  const clock = createFakeClock();
  const opened = await openTestDatabase([jobTable]);
  const lines: { readonly event: string; readonly fields: unknown }[] = [];
  const note = (event: string, fields?: unknown): void => void lines.push({ event, fields });
  const log = { debug() {}, info() {}, warn: note, error: note };
  const queue = createTableQueue({ ...opened, clock, log, random: createFakeRandom() }, 'test');
  const written: string[] = [];
  const record = createEntries<string>(async (items) => void written.push(...items));
  const gate: { end: () => void; begun: () => void } = { end() {}, begun() {} };
  const started = new Promise<void>((resolve) => {
    gate.begun = resolve;
  });
  const worker = queue.work({
    handle: async ({ payload }, signal) => {
      await new Promise<void>((resolve, reject) => {
        gate.end = resolve;
        signal.addEventListener('abort', () => reject(new Error('returned')));
        gate.begun();
      });
      return { entry: record(payload), ...outcome(Math.floor(clock.now() / 1000)) };
    },
  });
  await queue.enqueue([{ kind: 'a', payload: '1', lane: 'x' }]);
  await started;
  const { kysely } = opened.database;
  const find = async (): Promise<Row | undefined> => kysely.selectFrom('treadle_job').selectAll().executeTakeFirst();
  return { ...opened, clock, queue, lines, written, worker, find, end: () => gate.end() };
}

/** Another worker claims the job, as if the first one's lease had ended. */
async function claimByAnother({ database, clock, find }: World): Promise<Row> {
  const claimed = { owner: 'another', due_at: Math.floor(clock.now() / 1000) + 4 };
  await database.kysely.updateTable('treadle_job').set(claimed).execute();
  return (await find()) as Row;
}

const OUTCOMES: Readonly<Record<string, (now: number) => Outcome>> = {
  'is done': () => ({}),
  'is put off': (now) => ({ retryAt: now + 60 }),
};

for (const [title, outcome] of Object.entries(OUTCOMES))
  test(`a job that ${title} by the first worker stays with the second one, and only that one records`, async () => {
    const world = await createWorld(outcome);
    const row = await claimByAnother(world);
    world.end();
    await world.worker.idle();
    assert.equal(await world.find(), row);
    assert.equal(world.written, [], 'what the first worker did is not recorded twice');
    assert.equal(world.lines, [{ event: 'queue.job.lost', fields: { kind: 'a', payload: '1' } }]);
    await world.worker.stop();
    await world.close();
  });

test('the first worker does not renew the lease of the second one', async () => {
  const world = await createWorld(() => ({}));
  const row = await claimByAnother(world);
  for (let second = 0; second < 3; second += 1) {
    world.clock.advance(1000);
    for (let turn = 0; turn < 5; turn += 1) await world.database.write(async () => {});
  }
  assert.equal(await world.find(), row);
  world.end();
  await world.worker.idle();
  await world.worker.stop();
  await world.close();
});

test('a stop of the first worker does not give back the job of the second one', async () => {
  const world = await createWorld(() => ({}));
  const row = await claimByAnother(world);
  await passUntil(world, world.worker.stop(), 3000);
  assert.equal(await world.find(), row);
  assert.equal(world.written, []);
  await world.close();
});

test('a job that a worker runs is not run by a caller at the same time, and is not due before its lease ends', async () => {
  const world = await createWorld(() => ({}));
  const row = await world.find();
  const ran: string[] = [];
  const job = { kind: 'a', payload: '1' };
  await world.queue.runNow(
    [job],
    async ({ payload }) => {
      ran.push(payload);
      return {};
    },
    25,
  );
  assert.equal(ran, []);
  // Whoever queues it again does not end the lease.
  await world.queue.enqueue([{ ...job, lane: 'x' }]);
  assert.equal(await world.find(), row);
  world.end();
  await world.worker.idle();
  assert.is(await world.find(), undefined);
  assert.equal(world.written, ['1']);
  await world.worker.stop();
  await world.close();
});

test.run();
