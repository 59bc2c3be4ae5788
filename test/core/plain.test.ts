import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromStamp, systemClock, systemRandom, toSeconds, toStamp } from '../../src/core/clock.ts';
import { ProblemsError, printProblem, sortProblems, TreadleError } from '../../src/core/errors.ts';
import { createLog, silentLog } from '../../src/core/log.ts';
import { packageRoot, packageVersion } from '../../src/core/package-root.ts';
import { createRootSecret, createToken, digest, isSameSecret } from '../../src/core/secret.ts';

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

const errors = suite('errors');

errors('hides the message of a fault of ours and shows that of the caller', () => {
  assert.is(new TreadleError('X', 'm').isExposed, false);
  assert.is(new TreadleError('X', 'm', { status: 404 }).isExposed, true);
  assert.equal(new TreadleError('X', 'm', { headers: { 'retry-after': '1' } }).headers, { 'retry-after': '1' });
});

errors('prints all problems, by file and place', () => {
  const at = { code: 'C', path: '', message: 'm.' };
  const problems = [
    { ...at, file: 'b.json', path: 'x', line: 2, column: 3, hint: 'Do y.' },
    { ...at, file: 'a.json' },
    { ...at, file: 'b.json', line: 1 },
  ];
  assert.equal(sortProblems(problems).map(printProblem), [
    'a.json: m. [C]',
    'b.json:1: m. [C]',
    'b.json:2:3 x: m. Do y. [C]',
  ]);
  const error = new ProblemsError(problems);
  assert.is(error.problems.length, 3);
  assert.match(error.message, /a\.json/);
});

errors.run();

const secrets = suite('secret');

secrets('digests as SHA-256 does (FIPS 180-2, "abc")', () => {
  assert.is(digest('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

secrets('compares texts of any length', () => {
  assert.is(isSameSecret('a', 'a'), true);
  assert.is(isSameSecret('a', 'ab'), false);
  assert.is(isSameSecret('', ''), true);
});

secrets('makes tokens of 256 bits in letters that every client encodes alike', () => {
  const token = createToken(systemRandom, 'tk_at_');
  assert.match(token, /^tk_at_[A-Za-z0-9_-]{43}$/);
  assert.is.not(token, createToken(systemRandom, 'tk_at_'));
});

secrets('derives by purpose and seals against change', () => {
  const root = createRootSecret('root', systemRandom);
  assert.is(root.derive(['a', 'b']).length, 32);
  assert.not.equal(root.derive(['a', 'b']), root.derive(['a|b']));
  assert.equal(root.derive(['a'], 24), createRootSecret('root', systemRandom).derive(['a'], 24));
  const sealed = root.seal('täxt');
  assert.is(root.open(sealed), 'täxt');
  assert.throws(() => root.open(`${sealed.slice(0, -2)}AA`));
  assert.throws(() => createRootSecret('other', systemRandom).open(sealed));
});

secrets.run();

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

const root = suite('package root');
root('is the folder of package.json', () => {
  assert.ok(packageRoot.length > 1);
  assert.match(packageVersion, /^\d+\.\d+\.\d+/);
});
root.run();
