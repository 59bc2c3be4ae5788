import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGuessThrottle } from '../../../src/feature/auth/guess-throttle.ts';

const throttle = suite('guess throttle');

function create(isForgiving = true) {
  const clock = { at: 0 };
  const made = createGuessThrottle(
    { now: () => clock.at * 1000, after: () => () => {} },
    { free: 5, forgetSeconds: 3600, isForgiving },
  );
  const fail = (times: number): void => {
    for (let count = 0; count < times; count += 1) {
      assert.is(made.begin('x'), 0);
      made.settle('x', 'wrong');
    }
  };
  return { clock, made, fail };
}

throttle('waits 1 s after five failures, twice as long each time, 15 min at most', () => {
  const { clock, made, fail } = create();
  fail(5);
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    assert.is(made.begin('x'), seconds);
    assert.is(made.begin('y'), 0, 'another key does not wait');
    made.settle('y', 'right');
    clock.at += seconds;
    fail(1);
  }
});

throttle('a success forgives where the rule says so', () => {
  for (const isForgiving of [true, false]) {
    const { made, fail } = create(isForgiving);
    fail(4);
    made.begin('x');
    made.settle('x', 'right');
    fail(1);
    assert.is(made.begin('x'), isForgiving ? 0 : 1);
  }
});

throttle('forgets after an hour of quiet', () => {
  const { clock, made, fail } = create();
  fail(4);
  clock.at += 3601;
  fail(4);
  assert.is(made.begin('x'), 0);
});

throttle('a burst sent at once cannot pass before the first failure is known', () => {
  const { made } = create();
  const begun = Array.from({ length: 50 }, () => made.begin('x'));
  assert.is(begun.filter((wait) => wait === 0).length, 5);
});

throttle('a try that was not carried out counts for nothing', () => {
  const { made } = create();
  for (let count = 0; count < 50; count += 1) {
    assert.is(made.begin('x'), 0);
    made.settle('x', 'unknown');
  }
  assert.is(made.failures('x'), 0);
});

throttle('names that only ask push out nobody who failed', () => {
  const { made, fail } = create();
  fail(5);
  for (let count = 0; count < 30_000; count += 1) {
    made.begin(`name ${count}`);
    made.settle(`name ${count}`, 'unknown');
  }
  assert.is(made.begin('x'), 1);
});

throttle('waits as long as its rule says', () => {
  const clock = { at: 0 };
  const made = createGuessThrottle(
    { now: () => clock.at * 1000, after: () => () => {} },
    { free: 1, firstSeconds: 60, mostSeconds: 100, forgetSeconds: 3600, isForgiving: true },
  );
  for (const seconds of [60, 100, 100]) {
    assert.is(made.begin('x'), 0);
    made.settle('x', 'wrong');
    assert.is(made.begin('x'), seconds);
    clock.at += seconds;
  }
});

throttle.run();
