import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sumTraffic, TrafficTally } from '../../../src/app/operation/traffic-tally.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('the requests of the last hour');
const MINUTE = 60_000;

test('counts by minute and class of status, sums processes, and forgets after an hour', () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 2, 12));
  const [one, other] = [new TrafficTally(clock), new TrafficTally(clock)];
  one.add(clock.now() - 3, 200);
  clock.advance(10 * MINUTE);
  for (let number = 0; number < 8; number += 1) one.add(clock.now() - 3, 200);
  other.add(clock.now() - 80, 404);
  other.add(clock.now() - 900, 503);
  const now = sumTraffic([one.read(), other.read()], clock.now());
  assert.is(now.minutes.length, 60);
  assert.equal(now.minutes.at(-1), { at: clock.now() / 1000, total: 10, refused: 1, failed: 1 });
  assert.is(now.minutes.at(-11)?.total, 1);
  assert.is(now.median, 5);
  assert.is(now.slow, 1000);
  clock.advance(50 * MINUTE);
  const later = sumTraffic([one.read(), other.read()], clock.now());
  assert.is(
    later.minutes.reduce((sum, { total }) => sum + total, 0),
    10,
  );
  clock.advance(10 * MINUTE);
  const last = sumTraffic([one.read(), other.read()], clock.now());
  assert.is(
    last.minutes.reduce((sum, { total }) => sum + total, 0),
    0,
  );
  assert.is(last.median, undefined);
});

test.run();
