import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromStamp, systemClock, toSeconds, toStamp } from '../../src/core/clock.ts';

const clock = suite('clock');

clock('writes and reads stamps in UTC', () => {
  assert.is(toStamp(0), '1970-01-01 00:00:00');
  assert.is(toStamp(Date.UTC(2026, 10, 21, 9, 5, 7)), '2026-11-21 09:05:07');
  assert.is(fromStamp('2026-11-21 09:05:07'), Date.UTC(2026, 10, 21, 9, 5, 7));
  assert.ok(Number.isNaN(fromStamp('soon')));
  assert.is(toSeconds(1999), 1);
});

clock('calls back once and can be cancelled', async () => {
  await new Promise<void>((done) => {
    systemClock.after(0, () => assert.unreachable())();
    const keep = setInterval(() => {}, 1000);
    systemClock.after(0, () => {
      clearInterval(keep);
      done();
    });
  });
  assert.ok(systemClock.now() > 0);
});

clock.run();
