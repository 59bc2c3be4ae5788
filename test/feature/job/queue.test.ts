import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getAccess } from '../../../src/core/access.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import type { JobRun } from '../../../src/plan/app.ts';
import { createWorld, type World } from './_world.ts';

const test = suite('feature/job: queue');

const shown = (rows: readonly Record<string, unknown>[], ...keys: string[]) =>
  rows.map((row) => keys.map((key) => (typeof row[key] === 'bigint' ? Number(row[key]) : row[key])));

test('a handler gets the data, the attempt and a log, and acts as the system', async () => {
  const seen: unknown[] = [];
  const world = await createWorld((app) => {
    app.job('mail', ({ id, name, data, attempt, signal, log, app: own }: JobRun) => {
      log.info('own line', { more: 1 });
      seen.push({ id, name, data, attempt, isAborted: signal.aborted, isApp: own === app, as: getAccess().kind });
    });
  });
  const id = await world.first.app.queue('mail', { to: 'ada', list: [1, { two: null }], at: new Date(0) });
  await world.idle();
  const data = { to: 'ada', list: [1, { two: null }], at: '1970-01-01T00:00:00.000Z' };
  assert.equal(seen, [{ id, name: 'mail', data, attempt: 1, isAborted: false, isApp: true, as: 'system' }]);
  assert.equal(shown(await world.jobs(), 'state', 'data'), [['done', null]]);
  const own = { job: 'mail', id, attempt: 1 };
  assert.equal(world.lines, [
    { level: 'info', event: 'own line', fields: { ...own, more: 1 } },
    { level: 'info', event: 'job.done', fields: { ...own, milliseconds: 0 } },
  ]);
  await world.close();
});

test('a job commits with the transaction: rolled back, it never runs', async () => {
  const seen: unknown[] = [];
  const world = await createWorld((app) => void app.job('note', ({ data }) => seen.push(data)));
  const { app } = world.first;
  await app.transaction(async () => void (await app.queue('note', { n: 1 })));
  const undone = app.transaction(async () => {
    await app.queue('note', { n: 2 });
    throw new Error('undone');
  });
  assert.match(await undone.catch((error: Error) => error.message), 'undone');
  await world.pass(3600);
  assert.equal(seen, [{ n: 1 }]);
  assert.is((await world.jobs()).length, 1);
  await world.close();
});

test('a delay, and a failed job that is tried again with growing pauses until it is given up', async () => {
  const begun: number[] = [];
  const at = (world: World): number => (world.clock.now() - Date.UTC(2026, 0, 1)) / 1000;
  const world: World = await createWorld((app) => {
    app.job('fail', ({ attempt }) => {
      begun.push(at(world));
      throw new Error(`no ${attempt}`);
    });
  });
  const id = await world.first.app.queue('fail', {}, { delay: 100, attempts: 4 });
  await world.pass(86_400);
  assert.equal(begun, [100, 110, 170, 470]);
  const [row] = await world.jobs();
  assert.equal(shown([row ?? {}], 'state', 'attempts', 'reason', 'data'), [['failed', 4, 'no 4', '{}']]);
  assert.equal(
    world.lines.map(({ level, event, fields: { job, attempt, reason } }) => [level, event, job, attempt, reason]),
    [
      ['warn', 'job.delayed', 'fail', 1, 'no 1'],
      ['warn', 'job.delayed', 'fail', 2, 'no 2'],
      ['warn', 'job.delayed', 'fail', 3, 'no 3'],
      ['error', 'job.failed', 'fail', 4, 'no 4'],
    ],
  );
  assert.not.ok((await world.first.emit('job-retry', { job_id: id })).isError());
  await world.idle();
  assert.is(begun.length, 5, 'it runs again at once, with all its attempts');
  await world.close();
});

test('one job waits with a key; another one only brings it forward; one that has started does not count', async () => {
  const seen: unknown[] = [];
  const gate: { open: () => void; opened?: Promise<void> } = { open: () => {} };
  const world = await createWorld((app) => {
    app.job('index', async ({ data }) => {
      seen.push(data);
      await gate.opened;
    });
  });
  const { app } = world.first;
  const first = await app.queue('index', { n: 1 }, { key: 'a', delay: 1000 });
  assert.is(await app.queue('index', { n: 2 }, { key: 'a', delay: 2000 }), first);
  const other = await app.queue('index', { n: 3 }, { key: 'b', delay: 3000 });
  assert.is.not(other, first);
  gate.opened = new Promise((resolve) => {
    gate.open = resolve;
  });
  assert.is(await app.queue('index', { n: 4 }, { key: 'a', delay: 10 }), first);
  world.clock.advance(10_000);
  await world.until(() => seen.length > 0);
  const next = await app.queue('index', { n: 5 }, { key: 'a' });
  assert.is.not(next, first);
  gate.open();
  await world.pass(4000);
  assert.equal(seen, [{ n: 1 }, { n: 5 }, { n: 3 }]);
  await world.close();
});

test('a job that fails while another one waits with its key is replaced by that one', async () => {
  const seen: unknown[] = [];
  const world: World = await createWorld((app) => {
    app.job('index', async ({ data: { n } }) => {
      seen.push(n);
      if (n !== 1) return;
      await app.queue('index', { n: 2 }, { key: 'a', delay: 60 });
      throw new Error('broken');
    });
  });
  await world.first.app.queue('index', { n: 1 }, { key: 'a' });
  await world.pass(3600);
  assert.equal(seen, [1, 2]);
  assert.equal(shown(await world.jobs(), 'state', 'reason'), [
    ['replaced', 'broken'],
    ['done', null],
  ]);
  await world.close();
});

test('many with one key at once make one job', async () => {
  const world = await createWorld((app) => void app.job('index', () => {}), { count: 2 });
  const queued = Array.from({ length: 20 }, (_, index) =>
    world.processes[index % 2]?.app.queue('index', {}, { key: 'a', delay: 60 }),
  );
  assert.is(new Set(await Promise.all(queued)).size, 1);
  await world.close();
});

test('what cannot be queued is refused with its reason', async () => {
  const world = await createWorld((app) => void app.job('mail', () => {}));
  const { app } = world.first;
  const loop: Record<string, unknown> = {};
  loop.loop = loop;
  const faults: [unknown, object, RegExp][] = [
    [{ fn() {} }, {}, /data\.fn is a function/],
    [{ list: [1n] }, {}, /data\.list\[0\] is a bigint/],
    [{ n: Number.NaN }, {}, /data\.n is NaN/],
    [{ map: new Map() }, {}, /data\.map is a Map/],
    [loop, {}, /nested deeper than 32 levels, or in itself/],
    [{ text: 'x'.repeat(70_000) }, {}, /at most 65536 bytes of JSON, not 70011: queue an id/],
    [{}, { delay: -1 }, /delay/],
    [{}, { delay: 'soon' }, /delay/],
    [{}, { attempts: 0 }, /attempts/],
    [{}, { attempts: 21 }, /attempts/],
    [{}, { key: '' }, /key/],
  ];
  for (const [data, options, expected] of faults) {
    const error = await app.queue('mail', data, options).catch((thrown: unknown) => thrown);
    assert.is((error as { code: string }).code, 'JOB_REFUSED');
    const answered = await world.first.emit('job-queue', { name: 'mail', data, ...options });
    const text = JSON.stringify(answered.getValidation());
    assert.match(text, expected);
    assert.match((error as Error).message, /^The job "mail" was not queued: /);
  }
  assert.equal(await world.jobs(), []);
  await world.close();
});

test('a request cannot choose the job', async () => {
  const world = await createWorld((app) => void app.job('mail', () => {}));
  const request = new Request({ get: () => ({ name: 'mail', delay: '0' }) } as never);
  const response = new Response(request);
  await world.first.context.emit('job-queue', request, response);
  assert.is(response.getStatus(), 422);
  assert.equal(Object.keys(response.getValidation() as object), ['name', 'delay']);
  await world.close();
});

test('a job without a handler waits, is named in the log, and runs once a reload brings the handler', async () => {
  const seen: unknown[] = [];
  const world = await createWorld((app) => void app.job('reminder', () => {}));
  await world.first.app.queue('remindr', { n: 1 });
  await world.idle();
  const [queued, put] = world.lines;
  assert.is(queued?.fields.hint, 'Did you mean "reminder"?');
  assert.is(put?.event, 'job.unhandled');
  await world.pass(300);
  assert.equal(shown(await world.jobs(), 'state', 'attempts'), [['unhandled', 0]]);
  assert.is(world.lines.length, 2, 'the log tells it once');
  await world.first.reload((app) => void app.job('remindr', ({ data }) => seen.push(data)));
  await world.idle();
  assert.equal(seen, [{ n: 1 }]);
  await world.close();
});

test('a slow handler does not hold up the jobs of other names', async () => {
  const seen: string[] = [];
  const gate: { open: () => void; opened?: Promise<void> } = { open: () => {} };
  gate.opened = new Promise((resolve) => {
    gate.open = resolve;
  });
  const world = await createWorld((app) => {
    for (const name of ['slow-1', 'slow-2', 'slow-3']) app.job(name, () => gate.opened);
    app.job('quick', ({ data: { n } }) => seen.push(String(n)));
  });
  const { app } = world.first;
  for (let n = 0; n < 30; n += 1) for (const name of ['slow-1', 'slow-2', 'slow-3']) await app.queue(name, { n });
  for (let n = 0; n < 20; n += 1) await app.queue('quick', { n });
  await world.until(() => seen.length === 20);
  gate.open();
  await world.idle();
  assert.is((await world.jobs()).filter(({ state }) => state === 'done').length, 110);
  await world.close();
});

test('a handler that takes longer than its seconds is aborted, and the attempt has failed', async () => {
  const seen: unknown[] = [];
  const begun: unknown[] = [];
  const world = await createWorld((app) => {
    const wait = ({ signal }: JobRun) =>
      new Promise<void>((resolve) => {
        begun.push(signal);
        signal.addEventListener('abort', () => resolve(void seen.push(signal.reason.message)));
      });
    app.job('hang', wait, { seconds: 30 });
  });
  await world.first.app.queue('hang', {}, { attempts: 1 });
  // The row says so before the handler runs and its time begins.
  await world.until(() => begun.length > 0);
  world.clock.advance(30_000);
  await world.idle();
  assert.equal(seen, ['It took longer than 30 seconds.']);
  assert.equal(shown(await world.jobs(), 'state', 'reason'), [['failed', 'It took longer than 30 seconds.']]);
  await world.close();
});

test('what runs at shutdown gets 3 s, goes back, and runs elsewhere without a lost attempt', async () => {
  const seen: unknown[] = [];
  const world = await createWorld((app, name) => {
    app.job('long', async ({ attempt }) => {
      seen.push([name, attempt]);
      if (name === 'process 1') await new Promise(() => {});
    });
  });
  await world.first.app.queue('long');
  await world.until(() => seen.length > 0);
  const stopping = world.first.stop();
  // It begins to count once the claims that it made have ended, which takes a busy database server a while.
  await world.until(() => world.clock.waits().includes(3000));
  world.clock.advance(3000);
  await stopping;
  assert.equal(shown(await world.jobs(), 'state', 'attempts'), [['waiting', 0]]);
  const second = await world.start('process 2');
  second.worker().wake();
  await second.worker().idle();
  assert.equal(seen, [
    ['process 1', 1],
    ['process 2', 1],
  ]);
  await world.close();
});

test('a job of a process that died runs again, and is given up if that was its last attempt', async () => {
  const seen: unknown[] = [];
  const world = await createWorld((app) => void app.job('work', ({ attempt }) => seen.push(attempt)));
  const { app, database } = world.first;
  // What a killed process leaves: a begun attempt, and a lease that ends.
  const leave = async (attempts: number): Promise<void> => {
    await app.queue('work', {}, { attempts, delay: 60 });
    await database.kysely
      .updateTable('treadle_own_job')
      .set({ state: 'running', attempts: 1 })
      .where('state', '=', 'waiting')
      .execute();
  };
  await leave(5);
  await leave(1);
  await world.pass(120);
  assert.equal(seen, [2]);
  assert.equal(shown(await world.jobs(), 'state', 'reason'), [
    ['done', null],
    ['failed', 'The process ended during the last attempt.'],
  ]);
  await world.close();
});

test('done jobs are kept for a day, failed ones for 30', async () => {
  const world = await createWorld((app) => {
    app.job('good', () => {});
    app.job('bad', () => {
      throw new Error('no');
    });
  });
  await world.first.app.queue('good');
  await world.first.app.queue('bad', {}, { attempts: 1 });
  const states = async () => (await world.jobs()).map(({ state }) => state);
  const pass = async (hours: number): Promise<void> => {
    for (let hour = 0; hour < hours; hour += 1) {
      // Not advance: a PostgreSQL that answers no ping of this hour would count as silent.
      world.clock.jump(3_600_000);
      for (let turn = 0; turn < 3; turn += 1) await world.first.database.write(async () => {});
    }
  };
  await world.idle();
  await pass(23);
  assert.equal(await states(), ['done', 'failed']);
  // Old jobs are removed once an hour: a busy database server may be a few hours of this clock behind.
  const passUntil = async (wanted: readonly string[]): Promise<void> => {
    for (let hour = 0; hour < 24 && (await states()).join() !== wanted.join(); hour += 1) await pass(1);
    assert.equal(await states(), wanted);
  };
  await pass(3);
  await passUntil(['failed']);
  await pass(30 * 24);
  await passUntil([]);
  await world.close();
});

test('lists, shows and retries by events, with reasons where it cannot', async () => {
  const world = await createWorld((app) => {
    app.job('good', () => {});
    app.schedule('hourly', '0 * * * *', () => {});
  });
  const { emit, app } = world.first;
  const id = await app.queue('good', { n: 1 }, { key: 'k' });
  await world.idle();
  const later = await app.queue('good', { n: 2 }, { delay: 3600 });
  const all = (await emit('job-search', {})).getResults() as { rows: Record<string, unknown>[]; schedules: unknown };
  assert.equal(
    all.rows.map((row) => [row.job_id, row.state, row.key]),
    [
      [later, 'waiting', null],
      [id, 'done', 'k'],
    ],
  );
  assert.equal(all.schedules, [{ name: 'hourly', cron: '0 * * * *', next: '2026-01-01 01:00:00' }]);
  const page = (await emit('job-search', { limit: 1 })).getResults() as { rows: unknown[]; next: number };
  assert.equal([page.rows.length, page.next], [1, later]);
  assert.is((await emit('job-search', { limit: 0 })).getStatus(), 422);
  const found = (await emit('job-search', { state: 'failed,done' })).getResults('rows') as unknown[];
  assert.is(found.length, 1);
  assert.match(
    (await emit('job-search', { state: 'faild' })).getMessage() ?? '',
    'A job is never faild. Did you mean "failed"?',
  );
  assert.is((await emit('job-detail', { job_id: 77 })).getMessage(), 'There is no job 77.');
  assert.is((await emit('job-retry', { job_id: 77 })).getStatus(), 404);
  const done = await emit('job-retry', { job_id: id });
  assert.equal(
    [done.getStatus(), done.getMessage()],
    [409, `The job ${id} is done, and its data is gone. Queue another one.`],
  );
  await emit('job-retry', { job_id: later });
  await world.idle();
  const row = (await emit('job-detail', { job_id: later })).getResults() as Record<string, unknown>;
  assert.is(row.state, 'done', 'one that waits is brought forward');
  await world.close();
});

const circular = (): Error => {
  const error = new Error('circular');
  error.cause = error;
  return error;
};
const fail = (): never => {
  throw new Error('no');
};
/** What a handler may throw, and the reason that is kept. */
const THROWN: readonly (readonly [() => unknown, string])[] = [
  [circular, 'circular'],
  [() => new Error('a\u0000b\ud800c'), 'a\ufffdb\ufffdc'],
  [() => new Error('x'.repeat(100_000)), `${'x'.repeat(999)}…`],
  [() => ({ code: 7 }), '{"code":7}'],
  [() => undefined, 'undefined'],
  [() => 7n, '7'],
  [() => new Proxy({}, { getPrototypeOf: fail, get: fail, ownKeys: fail }), 'An error that cannot be read.'],
  [() => Object.defineProperty(new Error('x'), 'message', { get: fail }), 'An error that cannot be read.'],
];

test('a failure is recorded and tried again, whatever the handler throws and logs', async () => {
  const world = await createWorld((app) => {
    app.job<{ n: number }>('throw', ({ data, log }) => {
      const thrown = THROWN[data.n]?.[0]();
      log.warn('about to throw', thrown as Record<string, unknown>);
      throw thrown;
    });
  });
  for (let n = 0; n < THROWN.length; n += 1) await world.first.app.queue('throw', { n }, { attempts: 2 });
  await world.idle();
  const first = shown(await world.jobs(), 'state', 'attempts', 'reason');
  assert.equal(
    first,
    THROWN.map(([, reason]) => ['waiting', 1, reason]),
  );
  await world.pass(20);
  const last = shown(await world.jobs(), 'state', 'attempts', 'reason');
  assert.equal(
    last,
    THROWN.map(([, reason]) => ['failed', 2, reason]),
  );
  await world.close();
});

test('a log that throws keeps no outcome from being saved', async () => {
  const world = await createWorld((app) => app.job('throw', fail) && app.job('done', () => {}));
  const { log } = world.first.context.services;
  Object.assign(log, { info: fail, warn: fail });
  await world.first.app.queue('throw', {});
  await world.first.app.queue('done', {});
  await world.idle();
  assert.equal(shown(await world.jobs(), 'state', 'attempts'), [
    ['waiting', 1],
    ['done', 1],
  ]);
  await world.close();
});

test.run();
