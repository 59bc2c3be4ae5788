import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMovableClock, toMilliseconds } from '../../src/testing/clock.ts';

const test = suite('testing/clock');

test('begins when it is told to', () => {
  const start = Date.UTC(2026, 2, 1, 9);
  const passed = createMovableClock(start).now() - start;
  assert.ok(passed >= 0 && passed < 60_000, String(passed));
});

test('a jump calls back what falls due, once, in order of time', () => {
  const clock = createMovableClock();
  const heard: string[] = [];
  clock.after(7_200_000, () => heard.push('two hours'));
  clock.after(3_600_000, () => heard.push('one hour'));
  clock.after(90_000_000, () => heard.push('a day and an hour'));
  clock.after(3_600_000, () => heard.push('cancelled'))();
  clock.jump(10_800_000);
  assert.equal(heard, ['one hour', 'two hours']);
  clock.jump(1000);
  assert.equal(heard, ['one hour', 'two hours']);
});

test('a callback that waits again waits from the new time', () => {
  const clock = createMovableClock();
  const state = { count: 0 };
  const tick = (): void => {
    state.count += 1;
    clock.after(60_000, tick);
  };
  clock.after(60_000, tick);
  clock.jump(86_400_000);
  assert.is(state.count, 1);
});

test('runs by itself, too', async () => {
  const clock = createMovableClock(0);
  const heard: number[] = [];
  // The clock's own timers do not keep a process alive.
  const held = setTimeout(() => {}, 60_000);
  await new Promise<void>((resolve) => {
    clock.after(5, () => {
      heard.push(clock.now());
      resolve();
    });
  });
  clearTimeout(held);
  // A timer of Node may be early by a part of a millisecond.
  assert.ok((heard[0] ?? 0) >= 4 && (heard[0] ?? 0) < 60_000, String(heard));
  clock.jump(60_000);
  assert.is(heard.length, 1, 'once');
});

test('the parts of a duration add up, and an unknown part is refused', () => {
  assert.is(toMilliseconds({ days: 1, hours: 1, minutes: 1, seconds: 1 }), 90_061_000);
  assert.is(toMilliseconds({}), 0);
  assert.throws(() => toMilliseconds({ weeks: 1 } as object), /cannot advance by weeks: 1/);
  assert.throws(() => toMilliseconds({ hours: -1 }), /cannot advance by hours: -1/);
});

test.run();
