import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { TreadleError } from '../../../src/core/errors.ts';
import { createLog, silentLog } from '../../../src/core/log/log.ts';

const log = suite('log');

log('writes one JSON line an event, without secrets', () => {
  const lines: string[] = [];
  const made = createLog({ clock: { ...systemClock, now: () => 0 }, write: (line) => lines.push(line) });
  const nested = {
    headers: { authorization: 'Bearer x', cookie: 'c' },
    list: [{ access_token: 't', ok: 1 }],
    code: 'c',
  };
  made.info('asked', nested);
  made.debug('quiet');
  assert.equal(
    lines.map((line) => JSON.parse(line)),
    [
      {
        time: '1970-01-01T00:00:00.000Z',
        level: 'info',
        event: 'asked',
        headers: { authorization: '[redacted]', cookie: '[redacted]' },
        list: [{ access_token: '[redacted]', ok: 1 }],
        code: '[redacted]',
      },
    ],
  );
});

log('shows an error with its cause, and a deep value cut', () => {
  const lines: string[] = [];
  const made = createLog({ clock: systemClock, level: 'debug', write: (line) => lines.push(line) });
  made.error('failed', { error: new TreadleError('X', 'm', { cause: new Error('inner'), detail: { password: 'p' } }) });
  made.warn('deep', { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } });
  assert.match(lines[0] as string, /inner/);
  assert.not.match(lines[0] as string, /"p"/);
  assert.match(lines[1] as string, /…/);
});

log('writes text for a person', () => {
  const lines: string[] = [];
  const made = createLog({ clock: systemClock, form: 'text', write: (line) => lines.push(line) });
  made.info('ready', { url: 'http://x', none: undefined, n: 1 });
  made.warn('careful');
  assert.equal(lines, ['ready url=http://x n=1', 'warn: careful']);
  made.error('request failed', { request: 'r1', error: new Error('bad \u001b[2J thing') });
  const [first, second, ...frames] = String(lines[2]).split('\n');
  assert.is(first, 'error: request failed request=r1');
  assert.is(second, '  Error: bad [2J thing');
  assert.ok(frames.length <= 5 && frames.every((frame) => frame.startsWith('      at ')));
  for (const level of ['debug', 'info', 'warn', 'error'] as const) silentLog[level]('x');
});

log.run();
