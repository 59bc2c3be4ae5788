import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestartPause } from '../../../src/cli/worker/pool.ts';

const test = suite('cli/worker/pool');

test('pauses double to half a minute, and begin again after a worker served well', () => {
  const pause = new RestartPause();
  const taken = Array.from({ length: 11 }, () => pause.take(0));
  assert.equal(taken, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  assert.is(pause.take(9_999), 30_000);
  assert.equal([pause.take(10_000), pause.take(0)], [100, 200]);
});

test.run();
