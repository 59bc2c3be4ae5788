import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DELAYS, parseRetryAfter, toDelay, toRest } from '../../../../src/feature/webhook/delivery/deliver.ts';

const schedule = suite('schedule');
const fill = (byte: number) => (bytes: number) => Buffer.alloc(bytes, byte);

schedule('is ten attempts over 75 h 35 min', () => {
  assert.is(DELAYS.length + 1, 10);
  assert.is(
    DELAYS.reduce((sum, delay) => sum + delay, 0),
    75 * 3600 + 35 * 60 + 5,
  );
  assert.is(toDelay(10, 0, fill(0)), undefined);
});

schedule('varies by a fifth either way', () => {
  assert.is(toDelay(2, 0, fill(0)), 240);
  assert.is(toDelay(2, 0, fill(255)), 360);
  assert.is(toDelay(2, 0, fill(128)), 300);
});

schedule('waits as long as the receiver asks, not shorter than planned and at most a day', () => {
  const now = 1_767_225_600;
  assert.is(parseRetryAfter('120', now), 120);
  assert.is(parseRetryAfter(new Date((now + 90) * 1000).toUTCString(), now), 90);
  assert.is(parseRetryAfter(new Date((now - 90) * 1000).toUTCString(), now), 0);
  assert.is(parseRetryAfter('99999999', now), 86_400);
  for (const header of [undefined, '', 'soon', '-5']) assert.is(parseRetryAfter(header, now), 0, String(header));
  assert.is(toDelay(1, 120, fill(128)), 120);
  assert.is(toDelay(3, 120, fill(0)), 1440);
});

schedule('lets a receiver rest that has too much, five minutes at most', () => {
  for (const [status, wait, expected] of [
    [429, 120, 120],
    [503, 86_400, 300],
    [429, 0, 0],
    [500, 120, 0],
    [undefined, 0, 0],
  ] as const)
    assert.is(toRest(status, wait), expected, `${status} ${wait}`);
});

schedule.run();
