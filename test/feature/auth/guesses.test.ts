import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/core/log/log.ts';
import { Request } from '../../../src/core/request/request.ts';
import { guess } from '../../../src/feature/auth/guesses.ts';
import type { Context } from '../../../src/plan/feature.ts';

const guesses = suite('guesses');

const ACCOUNT = 'ann@example.org';
const MINUTE = 60;
type Headers = Readonly<Record<string, string>>;

function create(trustProxy = false) {
  const clock = { at: 0 };
  const said: string[] = [];
  const context = {
    plan: { model: { settings: { server: { trustProxy } } } },
    services: {
      clock: { now: () => clock.at * 1000, after: () => () => {} },
      log: { ...silentLog, warn: (text: string) => said.push(text) },
    },
  } as unknown as Context;
  /** Seconds to wait, or true if the password was right. */
  const attempt = async (
    address: string,
    isRight: boolean,
    more: { account?: string; device?: string; headers?: Headers } = {},
  ): Promise<number | boolean> => {
    const headers = Object.fromEntries(
      Object.entries(more.headers ?? {}).map(([name, value]) => [
        `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
        value,
      ]),
    );
    const request = new Request({ server: () => ({ REMOTE_ADDR: address, ...headers }) });
    const guesser = { account: more.account ?? ACCOUNT, request, device: more.device };
    const done = await guess(context, guesser, () => Promise.resolve(isRight));
    return done.waitSeconds > 0 ? done.waitSeconds : done.isRight;
  };
  const fail = async (times: number, address: string, more = {}): Promise<void> => {
    for (let count = 0; count < times; count += 1) await attempt(address, false, more);
  };
  return { clock, said, context, attempt, fail };
}

guesses('five wrong passwords lock an account for their own network only', async () => {
  const { attempt, fail } = create();
  await fail(5, '192.0.2.1');
  assert.is(await attempt('192.0.2.1', true), 1);
  assert.is(await attempt('192.0.2.2', true), true);
});

guesses('the addresses of one IPv6 customer are one network', async () => {
  const { attempt, fail } = create();
  for (let host = 1; host <= 5; host += 1) await fail(1, `2001:db8:1:2::${host}`);
  assert.is(await attempt('2001:db8:1:2::99', true), 1);
  assert.is(await attempt('2001:db8:1:3::99', true), true);
});

guesses('a known device may log in despite the guesses of strangers, even from their network', async () => {
  const { attempt, fail } = create();
  for (let host = 1; host <= 40; host += 1) await fail(6, `192.0.2.${host}`);
  await fail(40, '192.0.2.1', { account: 'other@example.org' });
  assert.is(await attempt('192.0.2.1', true, { device: 'device x' }), true);
  assert.not.ok((await attempt('192.0.2.1', true)) === true, 'a stranger there waits');
});

guesses('a device waits for its own failures, a minute at most, and not for those of another', async () => {
  const { clock, attempt, fail } = create();
  for (let count = 0; count < 20; count += 1) {
    await fail(1, '192.0.2.1', { device: 'device x' });
    clock.at += MINUTE;
  }
  await fail(1, '192.0.2.1', { device: 'device x' });
  assert.is(await attempt('192.0.2.1', true, { device: 'device x' }), 60);
  assert.is(await attempt('192.0.2.1', true, { device: 'device y' }), true);
});

guesses(
  'an account that many networks fail at gives each stranger one try, and its own network as many as before',
  async () => {
    const { clock, attempt, fail } = create();
    assert.is(await attempt('198.51.100.7', true), true);
    for (let host = 1; host <= 20; host += 1) await fail(1, `192.0.2.${host}`);
    await fail(1, '203.0.113.1');
    assert.is(await attempt('203.0.113.1', true), 60, 'one failure of a stranger costs a minute');
    assert.is(await attempt('203.0.113.2', true), true, 'a stranger who knows the password is in at once');
    await fail(4, '198.51.100.7');
    assert.is(await attempt('198.51.100.7', true), true, 'the owner at home');
    await fail(1, '203.0.113.3', { account: 'other@example.org' });
    assert.is(await attempt('203.0.113.3', true, { account: 'other@example.org' }), true, 'another account');
    clock.at += 2 * 3600;
    await fail(4, '203.0.113.9');
    assert.is(await attempt('203.0.113.9', true), true, 'an hour of quiet ends it');
  },
);

guesses('thirty failures of a network make it wait, a minute at most', async () => {
  const { clock, attempt, fail } = create();
  for (let count = 0; count < 30; count += 1) await fail(1, '192.0.2.1', { account: `${count}@example.org` });
  assert.is(await attempt('192.0.2.1', true), 1);
  for (let count = 0; count < 10; count += 1) {
    clock.at += 59;
    await attempt('192.0.2.1', false, { account: `more${count}@example.org` });
  }
  assert.ok(Number(await attempt('192.0.2.1', true)) <= 60);
  assert.is(await attempt('192.0.2.2', true), true);
});

guesses('what a proxy says counts for nothing unless it is trusted, and the log says so once', async () => {
  const { said, attempt, fail } = create();
  for (let count = 0; count < 30; count += 1) {
    const headers = { 'x-forwarded-for': `192.0.2.${count}` };
    await fail(1, '127.0.0.1', { account: `${count}@example.org`, headers });
  }
  assert.is(await attempt('127.0.0.1', true, { headers: { 'x-forwarded-for': '192.0.2.99' } }), 1);
  assert.is(said.length, 1);
  const trusting = create(true);
  await trusting.attempt('127.0.0.1', true, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  assert.equal(trusting.said, []);
});

guesses('a try that the server could not carry out is no failure', async () => {
  const { context, attempt } = create();
  const request = new Request({ server: () => ({ REMOTE_ADDR: '192.0.2.1' }) });
  for (let count = 0; count < 50; count += 1) {
    const broken = guess(context, { account: ACCOUNT, request }, () => Promise.reject(new Error('busy')));
    await broken.then(
      () => assert.unreachable(),
      () => {},
    );
  }
  assert.is(await attempt('192.0.2.1', true), true);
});

guesses.run();
