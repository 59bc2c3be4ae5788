import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../../src/core/errors.ts';
import { compileCron } from '../../../src/plan/cron.ts';
import { DIALECT } from '../../database/_where.ts';
import { createWorld } from './_world.ts';

const test = suite('feature/job: schedule');

const HOUR = 3600;
/** Processes on one database: workers of one machine on SQLite. */
const COUNT = DIALECT === 'postgres' ? 3 : 2;

test(`a schedule runs once an hour across ${COUNT} processes`, async () => {
  const seen: string[] = [];
  const world = await createWorld(
    (app) => void app.schedule('reminder', '0 * * * *', ({ data }) => seen.push(data.at)),
    {
      count: COUNT,
    },
  );
  for (let hour = 0; hour < 24; hour += 1) await world.pass(HOUR);
  const hours = Array.from({ length: 23 }, (_, index) => `2026-01-01 ${String(index + 1).padStart(2, '0')}:00:00`);
  assert.equal(seen, [...hours, '2026-01-02 00:00:00']);
  await world.close();
});

test('after a time without a server it runs once, for the last time that was missed', async () => {
  const seen: string[] = [];
  const world = await createWorld((app) => void app.schedule('report', '30 2 * * *', ({ data }) => seen.push(data.at)));
  await world.pass(3 * HOUR);
  await world.first.stop();
  world.clock.advance(70 * HOUR * 1000);
  const second = await world.start('process 2');
  await second.worker().idle();
  await second.worker().idle();
  assert.equal(seen, ['2026-01-01 02:30:00', '2026-01-03 02:30:00']);
  await world.close();
});

test('a run that is due while the one before has not ended is left out', async () => {
  const seen: string[] = [];
  const state = { isBroken: true };
  const world = await createWorld((app) => {
    app.schedule('often', '* * * * *', ({ data }) => {
      seen.push(data.at.slice(11));
      if (state.isBroken) throw new Error('not yet');
    });
  });
  // Attempts at 60, 70, 130 seconds; the runs of 120 and 180 find it unfinished.
  await world.pass(200);
  state.isBroken = false;
  await world.pass(300);
  assert.equal(seen.slice(0, 4), ['00:01:00', '00:01:00', '00:01:00', '00:01:00']);
  assert.equal(seen.slice(4), ['00:08:00']);
  assert.equal(
    world.lines.filter(({ event }) => event === 'job.skipped').map(({ fields }) => String(fields.at).slice(11)),
    ['00:02:00', '00:03:00', '00:04:00', '00:05:00', '00:06:00', '00:07:00'],
  );
  await world.close();
});

test('a run that is due while the handler of the one before still works is left out', async () => {
  const seen: string[] = [];
  const gate: { end: () => void } = { end() {} };
  const world = await createWorld((app) => {
    const work = async ({ data }: { data: { at: string } }): Promise<void> => {
      seen.push(data.at.slice(11));
      if (seen.length > 1) return;
      await new Promise<void>((resolve) => {
        gate.end = resolve;
      });
    };
    app.schedule('slow', '* * * * *', work, { seconds: 3600 });
  });
  const skipped = (): string[] =>
    world.lines.filter(({ event }) => event === 'job.skipped').map(({ fields }) => String(fields.at).slice(11));
  await world.until(() => world.clock.waits().length > 0);
  world.clock.advance(60_000);
  await world.until(() => seen.length === 1);
  const [job] = await world.jobs();
  assert.equal([job?.state, job?.attempts], ['running', 1]);
  for (let minute = 2; minute < 4; minute += 1) {
    world.clock.advance(60_000);
    await world.until(() => skipped().length === minute - 1);
  }
  assert.is((await world.jobs()).length, 1, 'no second run waits behind the first one');
  gate.end();
  await world.idle();
  await world.pass(60);
  assert.equal(seen, ['00:01:00', '00:04:00']);
  assert.equal(skipped(), ['00:02:00', '00:03:00']);
  await world.close();
});

test('another pattern counts from now; a schedule that the code no longer has is removed', async () => {
  const seen: string[] = [];
  const world = await createWorld((app) => void app.schedule('a', '0 0 * * *', () => {}));
  await world.pass(10);
  await world.first.reload((app) => void app.schedule('a', '*/10 * * * * *', ({ data }) => seen.push(data.at)));
  await world.pass(25);
  assert.equal(seen, ['2026-01-01 00:00:20', '2026-01-01 00:00:30']);
  await world.first.reload((app) => void app.schedule('b', '@hourly', () => {}));
  await world.pass(60);
  assert.is(seen.length, 2);
  const found = (await world.first.emit('job-search', {})).getResults('schedules') as { name: string }[];
  assert.equal(
    found.map(({ name }) => name),
    ['b'],
  );
  await world.close();
});

test('a clock that is set back runs nothing twice', async () => {
  const seen: string[] = [];
  const world = await createWorld((app) => void app.schedule('a', '0 * * * *', ({ data }) => seen.push(data.at)));
  await world.pass(HOUR);
  world.clock.advance(-1800 * 1000);
  await world.pass(1799);
  await world.pass(1);
  assert.equal(seen, ['2026-01-01 01:00:00']);
  await world.pass(HOUR);
  assert.equal(seen, ['2026-01-01 01:00:00', '2026-01-01 02:00:00']);
  await world.close();
});

test('times are UTC, and a run on the second belongs to that second', () => {
  const cron = compileCron('0 9 * * MON');
  const at = Date.UTC(2026, 0, 5, 9);
  assert.is(cron.next(at - 1), at);
  assert.is(cron.next(at), at + 7 * 86_400_000);
  assert.is(cron.last(at), at);
  assert.is(cron.last(at - 1), at - 7 * 86_400_000);
});

test('what cannot be a job is refused with its place and remedy', async () => {
  const faults: [string, RegExp, (app: Parameters<Parameters<typeof createWorld>[0]>[0]) => unknown][] = [
    ['JOB_NAME_INVALID', /"a b" is not a name of a job/, (app) => app.job('a b', () => {})],
    ['JOB_HANDLER_INVALID', /handler of the job "a" is not a function/, (app) => app.job('a', undefined as never)],
    ['JOB_SECONDS_INVALID', /cannot run for 0 seconds/, (app) => app.job('a', () => {}, { seconds: 0 })],
    [
      'JOB_TWICE',
      /There is a job "a" already, at app\/www\/src\/controller\/job.ts:1/,
      (app) => app.job('a', () => {}).schedule('a', '@daily', () => {}),
    ],
    [
      'JOB_CRON_INVALID',
      /no valid cron pattern: Invalid value for minute: 61/,
      (app) => app.schedule('a', '61 * * * *', () => {}),
    ],
    ['JOB_CRON_INVALID', /never falls due: "0 0 31 2 \*"/, (app) => app.schedule('a', '0 0 31 2 *', () => {})],
    ['JOB_CRON_INVALID', /A date is not a cron pattern/, (app) => app.schedule('a', '2030-01-01T00:00:00', () => {})],
  ];
  const world = await createWorld(() => {});
  for (const [code, message, define] of faults) {
    const error = await world.first.reload((app) => void define(app)).catch((thrown: unknown) => thrown);
    assert.instance(error, TreadleError, code);
    assert.is((error as TreadleError).code, code);
    assert.match((error as TreadleError).message, message);
    assert.ok((error as TreadleError).hint);
  }
  await world.close();
});

test.run();
