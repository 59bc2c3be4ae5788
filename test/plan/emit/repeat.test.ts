import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log } from '../../../src/core/log/log.ts';
import { createRepeating, PAUSE_MS } from '../../../src/plan/emit/repeat.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('plan/emit/repeat');

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
    { every: 1000, errorCode: 'x', run: () => new Promise<void>((end) => ends.push(end)) },
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
  const worker = createRepeating({ clock, log }, { every: 10, errorCode: 'untidied', run });
  clock.advance(10);
  await settle();
  clock.advance(10);
  await settle();
  assert.is(rounds, 2);
  assert.equal(warned, ['untidied', 'untidied']);
  await worker.stop();
});

test('a round that has more to do is followed by the next after a pause, until none is left', async () => {
  const { clock, log } = createWorld();
  const left = [2, 1, 0, 0];
  let rounds = 0;
  const run = async (): Promise<boolean> => (left[rounds++] ?? 0) > 0;
  const worker = createRepeating({ clock, log }, { every: 1000, errorCode: 'x', run });
  clock.advance(1000);
  await settle();
  assert.equal(clock.waits(), [PAUSE_MS]);
  clock.advance(PAUSE_MS);
  await settle();
  clock.advance(PAUSE_MS);
  await settle();
  assert.is(rounds, 3);
  assert.equal(clock.waits(), [1000]);
  await worker.stop();
  assert.equal(clock.waits(), []);
});

test('stopping between two rounds that have more to do ends them', async () => {
  const { clock, log } = createWorld();
  let rounds = 0;
  const run = async (): Promise<boolean> => ++rounds > 0;
  const worker = createRepeating({ clock, log }, { every: 10, errorCode: 'x', run });
  clock.advance(10);
  await worker.stop();
  await settle();
  clock.advance(5000);
  assert.is(rounds, 1);
});

test('stopping waits for what is under way, and does a last round where one is wanted', async () => {
  for (const isLast of [false, true]) {
    const { clock, log } = createWorld();
    let rounds = 0;
    let end = (): void => {};
    const run = async (): Promise<void> => {
      if (rounds === 0) await new Promise<void>((resolve) => (end = resolve));
      rounds += 1;
    };
    const worker = createRepeating({ clock, log }, { every: 10, errorCode: 'x', isLast, run });
    clock.advance(10);
    let isOver = false;
    const stopped = worker.stop().then(() => (isOver = true));
    await settle();
    assert.is(isOver, false);
    end();
    await stopped;
    assert.is(rounds, isLast ? 2 : 1);
  }
});

test.run();
