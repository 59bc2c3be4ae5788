import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log } from '../../src/core/log.ts';
import { createRepeating } from '../../src/plan/repeat.ts';
import { createFakeClock } from '../clock.ts';

const test = suite('plan/repeat');

/** Lets callbacks of settled promises run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function createWorld() {
  const warned: string[] = [];
  const log: Log = {
    error() {},
    warn: (name: string) => {
      warned.push(name);
    },
    info() {},
    debug() {},
  } as unknown as Log;
  return { clock: createFakeClock(), log, warned };
}

test('runs round after round, each as long after the end of the last one', async () => {
  const { clock, log } = createWorld();
  const ends: (() => void)[] = [];
  const worker = createRepeating(
    { clock, log },
    { every: 1000, fault: 'x', run: () => new Promise((end) => ends.push(end)) },
  );
  clock.advance(999);
  assert.is(ends.length, 0);
  clock.advance(1);
  assert.is(ends.length, 1);
  clock.advance(5000);
  assert.is(ends.length, 1, 'never two at once');
  ends[0]?.();
  await settle();
  clock.advance(1000);
  assert.is(ends.length, 2);
  ends[1]?.();
  await worker.stop();
  clock.advance(5000);
  assert.is(ends.length, 2);
});

test('a round that fails is told of, and the next one comes', async () => {
  const { clock, log, warned } = createWorld();
  let rounds = 0;
  const run = () => {
    rounds += 1;
    return Promise.reject(new Error('no'));
  };
  const worker = createRepeating({ clock, log }, { every: 10, fault: 'untidied', run });
  clock.advance(10);
  await settle();
  clock.advance(10);
  await settle();
  assert.is(rounds, 2);
  assert.equal(warned, ['untidied', 'untidied']);
  await worker.stop();
});

test('stopping waits for what is under way, tells it, and does a last round where one is wanted', async () => {
  for (const isLast of [false, true]) {
    const { clock, log } = createWorld();
    const seen: boolean[] = [];
    let end = (): void => {};
    const run = async (isStopped: () => boolean): Promise<void> => {
      if (!isStopped()) await new Promise<void>((resolve) => (end = resolve));
      seen.push(isStopped());
    };
    const worker = createRepeating({ clock, log }, { every: 10, fault: 'x', isLast, run });
    clock.advance(10);
    let isOver = false;
    const stopped = worker.stop().then(() => (isOver = true));
    await settle();
    assert.is(isOver, false);
    end();
    await stopped;
    assert.equal(seen, isLast ? [true, true] : [true]);
  }
});

test.run();
