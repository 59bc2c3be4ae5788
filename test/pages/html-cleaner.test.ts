import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { TreadleError } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { ValueRefused } from '../../src/model/field/field-kind-row.ts';
import { sanitizeHtml } from '../../src/model/field/field-kind-sanitize.ts';
import { type HtmlTask, ThreadCleaner } from '../../src/pages/html-cleaner.ts';

const test = suite('runtime: html cleaner');

/** A thread that answers on request. */
class FakeThread extends EventEmitter {
  readonly tasks: HtmlTask[] = [];
  isHeld = false;
  isEnded = false;
  postMessage(task: HtmlTask): void {
    this.tasks.push(task);
  }
  answer(instead?: object): void {
    const task = this.tasks.shift();
    this.emit('message', { id: task?.id, ...(instead ?? { clean: task?.html }) });
  }
  ref(): void {
    this.isHeld = true;
  }
  unref(): void {
    this.isHeld = false;
  }
  async terminate(): Promise<number> {
    this.isEnded = true;
    return 0;
  }
}

function setUp() {
  const timers = new Set<{ at: number; callback: () => void }>();
  const threads: FakeThread[] = [];
  const state = { now: 0 };
  const clock = {
    now: () => state.now,
    after(milliseconds: number, callback: () => void) {
      const timer = { at: state.now + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const start = (): Worker => {
    threads.push(new FakeThread());
    return threads.at(-1) as unknown as Worker;
  };
  const pass = (milliseconds: number): void => {
    state.now += milliseconds;
    for (const timer of [...timers]) if (timer.at <= state.now && timers.delete(timer)) timer.callback();
  };
  return { cleaner: new ThreadCleaner({ clock, log: silentLog, start }), threads, pass };
}

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => undefined).catch((error) => error);

test('one thread takes one text after the other; it starts late and ends after a while without one', async () => {
  const { cleaner, threads, pass } = setUp();
  assert.is(threads.length, 0);
  const cleaned = [cleaner.clean('a'), cleaner.clean('b')];
  assert.is(threads.length, 1);
  const [thread] = threads as [FakeThread];
  assert.is(thread.tasks.length, 1);
  assert.ok(thread.isHeld);
  thread.answer();
  assert.is(thread.tasks.length, 1);
  thread.answer();
  assert.equal(await Promise.all(cleaned), ['a', 'b']);
  assert.not.ok(thread.isHeld);
  pass(29_000);
  assert.not.ok(thread.isEnded);
  pass(2000);
  assert.ok(thread.isEnded);
  const again = cleaner.clean('c');
  assert.is(threads.length, 2);
  threads[1]?.answer();
  assert.is(await again, 'c');
});

test('a text that takes too long ends with its thread, and the next one gets another', async () => {
  const { cleaner, threads, pass } = setUp();
  const slow = caught(cleaner.clean('slow'));
  const next = cleaner.clean('next');
  pass(5000);
  assert.instance(await slow, ValueRefused);
  assert.ok(threads[0]?.isEnded);
  // Later answers of the first thread are ignored.
  threads[0]?.answer();
  threads[1]?.answer();
  assert.is(await next, 'next');
});

test('a refusal of the thread, its fault and its death are told apart', async () => {
  const { cleaner, threads } = setUp();
  const refused = caught(cleaner.clean('a'));
  threads[0]?.answer({ refused: 'must be other' });
  assert.instance(await refused, ValueRefused);
  const failed = caught(cleaner.clean('a'));
  threads[0]?.answer({ failed: 'RangeError' });
  assert.not.instance(await failed, ValueRefused);
  const { cleaner: second, threads: others } = setUp();
  const [died, after] = [caught(second.clean('a')), second.clean('b')];
  others[0]?.emit('exit', 1);
  assert.match(String(await died), 'exited with code 1');
  others[1]?.answer();
  assert.is(await after, 'b');
});

test('texts beyond 4 million characters are refused with 503 until some are done', async () => {
  const { cleaner, threads } = setUp();
  const text = 'x'.repeat(1_000_000);
  const taken = [1, 2, 3, 4].map(() => cleaner.clean(text));
  const error = (await caught(cleaner.clean('y'))) as TreadleError;
  assert.instance(error, TreadleError);
  assert.is(error.status, 503);
  assert.is(error.headers?.['retry-after'], '5');
  for (const _ of taken) threads[0]?.answer();
  await Promise.all(taken);
  const next = cleaner.clean('y');
  threads[0]?.answer();
  assert.is(await next, 'y');
});

test('closing ends the thread and fails what waits', async () => {
  const { cleaner, threads } = setUp();
  const waiting = [caught(cleaner.clean('a')), caught(cleaner.clean('b'))];
  await cleaner.close();
  for (const error of await Promise.all(waiting)) assert.instance(error, Error);
  assert.ok(threads.every(({ isEnded }) => isEnded));
});

test('the built thread cleans as this one does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-thread-'));
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'html-worker.mjs');
  const entryPoints = ['bin/html-worker.ts'];
  const shape = { bundle: true, platform: 'node', format: 'esm' } as const;
  await build({ ...shape, external: ['sanitize-html'], absWorkingDir: packageRoot, entryPoints, outfile });
  const start = () => new Worker(outfile, { execArgv: [], env: {} });
  const cleaner = new ThreadCleaner({ clock: systemClock, log: silentLog, start });
  try {
    const html = '<p onclick=x>a<script>b</script><i>c</p>'.repeat(1000);
    assert.is(await cleaner.clean(html), sanitizeHtml(html));
    const error = await caught(cleaner.clean('<b>'.repeat(300)));
    assert.instance(error, ValueRefused);
    assert.match(String(error), '256 levels');
  } finally {
    await cleaner.close();
    rmSync(folder, { recursive: true });
  }
});

test.run();
