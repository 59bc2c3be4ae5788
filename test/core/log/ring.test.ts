import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../../src/core/log/log.ts';
import { LogRing } from '../../../src/core/log/ring.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('the last lines of the log');

test('keeps the last 2,000 lines, with their secrets redacted, in the form of the log', () => {
  const ring = new LogRing();
  const clock = createFakeClock(Date.UTC(2026, 0, 2));
  const written: string[] = [];
  const keep = (line: string): void => ring.add(line);
  const log = createLog({ clock, form: 'text', write: (line) => written.push(line), keep });
  log.debug('too fine');
  for (let number = 0; number < 4500; number += 1) log.info('request', { number, access_token: 'tk_at_1' });
  const lines = ring.read();
  assert.is(lines.length, 2000);
  assert.equal(lines.at(-1), {
    at: Date.UTC(2026, 0, 2),
    level: 'info',
    event: 'request',
    fields: { number: 4499, access_token: '[redacted]' },
  });
  assert.is(lines[0]?.fields.number, 2500);
  assert.is(written[0], 'request number=0 access_token=[redacted]');
});

test('keeps a million characters at most, and only the event of a long line', () => {
  const ring = new LogRing();
  const log = createLog({ clock: createFakeClock(), write: () => {}, keep: (line) => ring.add(line) });
  for (let number = 0; number < 200; number += 1) log.warn('long', { text: 'x'.repeat(10_000) });
  assert.ok(ring.read().length > 90 && ring.read().length < 100, String(ring.read().length));
  log.error('longer', { text: 'x'.repeat(20_000) });
  const last = ring.read().at(-1);
  assert.is(last?.event, 'longer');
  assert.equal(Object.keys(last?.fields ?? {}), ['cut']);
});

test.run();
