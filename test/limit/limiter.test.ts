import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Clock } from '../../src/core/clock.ts';
import { createLimiter } from '../../src/limit/limiter.ts';
import type { LimitStore } from '../../src/limit/store.ts';
import { createFakeClock } from '../clock.ts';

const test = suite('limit/limiter');

function createClock(): Clock & { at: number } {
  return { at: 0, now: () => clock.at, after: () => () => {} };
}
const clock = createClock();

test('a limit holds, tells what is left and when to come back', () => {
  clock.at = 0;
  const limiter = createLimiter({ clock });
  for (let left = 2; left >= 0; left -= 1) {
    assert.equal(limiter.take('a', 3, 60), { isAllowed: true, left, retrySeconds: 0, resetSeconds: 60 });
  }
  const refused = limiter.take('a', 3, 60);
  assert.not.ok(refused.isAllowed);
  assert.ok(limiter.take('b', 3, 60).isAllowed);
  clock.at = refused.retrySeconds * 1000 - 1001;
  assert.not.ok(limiter.take('a', 3, 60).isAllowed);
  clock.at = refused.retrySeconds * 1000;
  assert.ok(limiter.take('a', 3, 60).isAllowed);
});

test('nobody doubles a limit across the edge of a window', () => {
  clock.at = 59_000;
  const limiter = createLimiter({ clock });
  const taken = { count: 0 };
  for (let second = 59; second < 119; second += 1) {
    clock.at = second * 1000;
    for (let index = 0; index < 100; index += 1) if (limiter.take('a', 100, 60).isAllowed) taken.count += 1;
  }
  assert.ok(taken.count <= 200, String(taken.count));
  clock.at = 60_500;
  const edge = createLimiter({ clock: { ...clock, now: () => clock.at } });
  clock.at = 59_900;
  for (let index = 0; index < 100; index += 1) edge.take('b', 100, 60);
  clock.at = 60_100;
  assert.not.ok(edge.take('b', 100, 60).isAllowed);
});

test('a refusal names a wait after which the next request passes', () => {
  const limiter = createLimiter({ clock });
  clock.at = 1000;
  for (let round = 0; round < 200; round += 1) {
    clock.at += (round % 7) * 731;
    const taken = limiter.take('x', 5, 10);
    if (taken.isAllowed) continue;
    clock.at += taken.retrySeconds * 1000;
    assert.ok(limiter.take('x', 5, 10).isAllowed, `round ${round}`);
  }
  assert.not.ok(limiter.take('none', 0, 10).isAllowed);
});

test('memory is bounded: what expired goes first, then the oldest', () => {
  clock.at = 0;
  const limiter = createLimiter({ clock, maxKeys: 10 });
  for (let index = 0; index < 10; index += 1) limiter.take(`k${index}`, 1, 60);
  limiter.take('new', 1, 60);
  assert.ok(limiter.take('k0', 1, 60).isAllowed, 'the oldest was forgotten');
  assert.not.ok(limiter.take('k9', 1, 60).isAllowed);
});

test('takes count that happen while a slow store reports, and the next report tells of them', async () => {
  const time = createFakeClock(Date.UTC(2026, 0, 1));
  const asked: { readonly count: number; readonly answer: (total: number) => void }[] = [];
  const store: LimitStore = {
    add: (tallies) =>
      new Promise((resolve) => {
        const [tally] = tallies;
        if (tally) asked.push({ count: tally.count, answer: (total) => resolve([total]) });
      }),
    purge: async () => {},
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const limiter = createLimiter({ clock: time, store });
  const take = (count: number) => Array.from({ length: count }, () => limiter.take('a', 10, 60).left).at(-1);
  assert.is(take(3), 7);
  time.advance(1000);
  assert.is(take(2), 5, 'the store has not answered yet');
  asked[0]?.answer(4);
  await turn();
  assert.is(take(1), 3, 'four of all processes, two meanwhile, and this one');
  time.advance(1000);
  assert.equal(
    asked.map(({ count }) => count),
    [3, 3],
    'what was told is not told again',
  );
  asked[1]?.answer(10);
  await turn();
  assert.not.ok(limiter.take('a', 10, 60).isAllowed);
});

test.run();
