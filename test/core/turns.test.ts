import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientGone } from '../../src/core/client-gone.ts';
import { type Lane, type TurnCaller, Turns } from '../../src/core/turns.ts';

const test = suite('turns');

/** A queue of tasks that take 100 ms each on a clock that only `step` advances. */
function create(parallel = 1) {
  const clock = { at: 0 };
  const toBusy = (seconds: number): Error => new Error(`busy ${seconds}`);
  const turns = new Turns({ parallel, usualMilliseconds: 100, now: () => clock.at, toBusy });
  const order: string[] = [];
  const failed: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string, name = key, more: { lane?: Lane; isGone?: () => boolean; since?: number } = {}): void => {
    const asker: TurnCaller = { key, lane: 'stranger', ...more };
    turns
      .take(asker, () => {
        order.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .catch((error: Error) => failed.push(error instanceof ClientGone ? `${name} gone` : `${name} ${error.message}`));
  };
  /** Ends the running tasks. */
  const step = async (milliseconds = 100): Promise<void> => {
    clock.at += milliseconds;
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  };
  const settle = async (): Promise<void> => {
    while (turns.figures.running > 0) await step();
  };
  return { turns, clock, order, failed, ask, step, settle };
}

test('a newcomer comes before those who asked a lot', async () => {
  const { order, ask, step, settle } = create();
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  for (const name of ['b1', 'b2']) ask('b', name);
  await step();
  ask('newcomer');
  await settle();
  assert.equal(order, ['a1', 'b1', 'newcomer', 'b2', 'a2', 'a3']);
});

test('what was asked long ago counts little', async () => {
  const { order, clock, ask, step, settle } = create();
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  await settle();
  ask('b', 'b1');
  await settle();
  clock.at += 600_000;
  ask('other');
  ask('a', 'a4');
  ask('b', 'b2');
  await step();
  await settle();
  // A millionth of three is still more than a millionth of one: the one that used less runs first.
  assert.equal(order.slice(4), ['other', 'b2', 'a4']);
});

test('runs as many at a time as it may', async () => {
  const { turns, order, ask, settle } = create(2);
  for (const key of ['a', 'b', 'c']) ask(key);
  assert.equal([order, turns.figures.running, turns.figures.waiting], [['a', 'b'], 2, 1]);
  await settle();
  assert.equal(order, ['a', 'b', 'c']);
});

test('refuses callers that would wait over 10 s, with the seconds, and accepts those with a short wait', async () => {
  const { turns, failed, order, ask, step, settle } = create();
  for (let count = 0; count < 150; count += 1) ask('flood');
  await new Promise(setImmediate);
  assert.is(failed.length, 49);
  assert.is(failed[0], 'flood busy 11');
  assert.is(turns.figures.refused, 49);
  ask('newcomer');
  await step();
  assert.is(order[1], 'newcomer');
  await settle();
});

test('one key alone may have as many as there is time for; where others wait, two', async () => {
  const { failed, ask, settle } = create();
  for (let count = 0; count < 40; count += 1) ask('office');
  await new Promise(setImmediate);
  assert.equal(failed, [], 'behind a proxy everybody has one address');
  ask('b');
  ask('office');
  await new Promise(setImmediate);
  assert.is(failed.length, 1);
  await settle();
});

test('drops those who left before their turn, and does not count them against others', async () => {
  const { turns, failed, order, ask, step, settle } = create();
  const state = { isGone: false };
  ask('first');
  for (let count = 0; count < 50; count += 1) ask('flood', 'flood', { isGone: () => state.isGone });
  state.isGone = true;
  ask('last');
  assert.is(turns.figures.waiting, 1);
  await step();
  await settle();
  assert.equal(order, ['first', 'last']);
  assert.is(failed.filter((text) => text === 'flood gone').length, 50);
  assert.is(turns.figures.dropped, 50);
});

test('refuses a caller that waited 25 s behind others', async () => {
  const { failed, ask, step, settle } = create();
  ask('a', 'a1');
  ask('a', 'a2');
  for (let count = 0; count < 260; count += 1) {
    ask(`new ${count}`);
    await step();
  }
  assert.ok(failed.some((text) => text.startsWith('a2 busy')));
  await settle();
});

test('counts the wait of a request for all of its tasks together', async () => {
  const { failed, clock, ask, settle } = create();
  clock.at = 24_950;
  ask('other');
  ask('batch', 'batch', { since: 0 });
  await new Promise(setImmediate);
  assert.equal(failed, ['batch busy 1']);
  await settle();
});

test('known ones and strangers take every other turn; what holds a transaction goes first', async () => {
  const { order, ask, settle } = create();
  ask('running');
  for (const key of ['s1', 's2', 's3']) ask(key);
  for (const key of ['k1', 'k2']) ask(key, key, { lane: 'known' });
  ask('held', 'held', { lane: 'holding' });
  await settle();
  assert.equal(order, ['running', 'held', 'k1', 's1', 'k2', 's2', 's3']);
});

test('a task that fails tells its own asker only', async () => {
  const { turns } = create();
  const asker: TurnCaller = { key: 'a', lane: 'stranger' };
  const wrong = turns.take(asker, () => Promise.reject(new Error('broken')));
  const right = turns.take(asker, () => Promise.resolve('done'));
  assert.is(await wrong.catch((error: Error) => error.message), 'broken');
  assert.is(await right, 'done');
});

test.run();
