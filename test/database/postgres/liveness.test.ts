import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, Liveness } from '../../../src/database/postgres/liveness.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('database/postgres/liveness');
const TICK = 200;

function setUp() {
  const clock = createFakeClock();
  const told: string[] = [];
  const pings: ((answer: Answer) => void)[] = [];
  const pending = new Set<{ isBusy: boolean; age: number }>();
  const silence = new Liveness({
    clock,
    pending,
    ping: () => new Promise((resolve) => pings.push(resolve)),
    silent: () => told.push('silent'),
    answering: () => told.push('answering'),
  });
  /** Checks run one by one: on a busy event loop several would be due at once. */
  const pass = async (ticks: number): Promise<void> => {
    for (let tick = 0; tick < ticks; tick += 1) {
      clock.advance(TICK);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const answer = async (words: Answer): Promise<void> => {
    pings.shift()?.(words);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, told, pings, pending, silence, pass, answer };
}

function send(pending: Set<{ isBusy: boolean; age: number }>) {
  const connection = { isBusy: true, age: 0 };
  pending.add(connection);
  return connection;
}

test('a statement without answer makes it ask, and no answer within 2 s in all is silence', async () => {
  const { told, pings, pending, silence, pass, answer } = setUp();
  send(pending);
  silence.watch();
  await pass(3);
  assert.is(pings.length, 0);
  await pass(1);
  assert.is(pings.length, 1);
  await pass(5);
  assert.equal(told, ['silent']);
  assert.ok(silence.isSilent);
  assert.ok(9 * TICK < 2000);
  pings.length = 0;
  await pass(1);
  assert.is(pings.length, 1, 'asks again');
  await answer('answered');
  assert.equal(told, ['silent', 'answering']);
  assert.not(silence.isSilent);
});

test('a statement that is merely slow goes on', async () => {
  const { told, pings, pending, silence, pass, answer } = setUp();
  send(pending);
  silence.watch();
  await pass(4);
  await answer('answered');
  await pass(9);
  assert.is(pings.length, 0, 'not asked again for 2 s');
  await pass(1);
  assert.is(pings.length, 1);
  await answer('answered');
  assert.equal(told, []);
});

test('where another connection hears something, a question without answer is no silence', async () => {
  const { told, pending, silence, pass } = setUp();
  send(pending);
  silence.watch();
  await pass(4);
  silence.received();
  await pass(5);
  assert.equal(told, []);
});

test('a loop that was busy is one look, however long', async () => {
  const { clock, told, pings, pending, silence } = setUp();
  send(pending);
  silence.watch();
  clock.jump(20 * TICK);
  assert.ok(pings.length <= 1);
  assert.equal(told, []);
});

test('a process that is busy all the while takes longer to judge', async () => {
  const { clock, told, pings, pending, silence } = setUp();
  send(pending);
  silence.watch();
  const passLate = async (ticks: number): Promise<void> => {
    for (let tick = 0; tick < ticks; tick += 1) {
      clock.jump(3 * TICK);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await passLate(9);
  assert.equal([pings.length, told], [0, []]);
  await passLate(7);
  assert.equal([pings.length, told], [1, []]);
  await passLate(20);
  assert.equal(told, ['silent']);
});

test('a server that is not there is refused by the network, which leaves no silence behind', async () => {
  const { told, pending, silence, pass, answer } = setUp();
  send(pending);
  silence.watch();
  await pass(4);
  await answer('refused');
  assert.equal(told, ['silent']);
  pending.clear();
  await pass(1);
  await answer('refused');
  assert.equal(told, ['silent', 'answering']);
});

test('without connections in use no look is taken', async () => {
  const { clock, pings, pending, silence, pass } = setUp();
  const connection = send(pending);
  silence.watch();
  await pass(2);
  connection.isBusy = false;
  await pass(10);
  assert.is(pings.length, 0, 'a transaction in which nothing is asked');
  pending.clear();
  await pass(1);
  clock.advance(60_000);
  assert.is(pings.length, 0);
});

test.run();
