import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startLater } from '../../src/app/later.ts';
import type { Worker } from '../../src/plan/feature.ts';
import { createFakeClock } from '../clock.ts';

const test = suite('app/later');

function begin() {
  const clock = createFakeClock();
  const told: string[] = [];
  const make = (): Worker[] => {
    told.push('made');
    return [
      {
        stop: async () => void told.push('stop'),
        hurry: async () => void told.push('hurry'),
        wake: () => void told.push('wake'),
      },
    ];
  };
  return { clock, told, worker: startLater(make, clock) };
}

test('workers begin once, soon after the start', async () => {
  const { clock, told, worker } = begin();
  assert.equal(told, []);
  clock.advance(1000);
  assert.equal(told, ['made']);
  worker.wake();
  await worker.stop();
  assert.equal(told, ['made', 'wake', 'stop']);
});

test('a worker that ends early begins all the same: requests may have left something for it', async () => {
  const { clock, told, worker } = begin();
  await worker.hurry?.();
  await worker.stop();
  clock.advance(1000);
  assert.equal(told, ['made', 'hurry', 'stop']);
});

test.run();
