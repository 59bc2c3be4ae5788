import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientGone } from '../../../src/core/client-gone.ts';
import type { TreadleError } from '../../../src/core/errors.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import type { Caller } from '../../../src/core/scope.ts';
import { Admission, type PendingRead } from '../../../src/database/load/admission.ts';
import { KEYED, LONE, type ReadCost, USUAL } from '../../../src/database/load/read-cost.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('database/load/admission');

const SEARCH: ReadCost = { kind: '', guess: 50 };

interface TestCaller extends Caller {
  isDone: boolean;
  socket: { destroyed: boolean } | undefined;
}
const createCaller = (address = '192.0.2.1'): TestCaller => ({ address, isDone: false, socket: { destroyed: false } });

interface TestRead extends PendingRead {
  readonly name: string;
}

/** An admission with reads that run until the test ends them. */
function createCase({ slots = 2, costlySlots = 1, shared = 0, limit = 5000 } = {}) {
  const clock = createFakeClock();
  const begun: string[] = [];
  const refused: TestRead[] = [];
  const cancelled: string[] = [];
  const told: object[] = [];
  const admission = new Admission<TestRead>({
    clock,
    log: { ...silentLog, warn: (_event: string, fields: object = {}) => void told.push(fields) },
    slow: { least: Number.POSITIVE_INFINITY },
    slots,
    costlySlots,
    shared,
    limit: () => limit,
    begin: ({ name }) => begun.push(name),
    refuse: (read) => refused.push(read),
    cancel: ({ name }) => cancelled.push(name),
  });
  const enter = (name: string, about = USUAL, caller: Caller | undefined = createCaller(), sql = name): TestRead => {
    const notes = { known: undefined, cost: 0, rank: 0 as const, begunAt: 0, since: 0, ended: undefined };
    const read: TestRead = { name, sql, parameters: [], about, caller, ...notes };
    admission.enter(read);
    return read;
  };
  /** Advances the clock in steps, with a check in between. */
  const pass = (milliseconds: number): void => {
    for (let left = milliseconds; left > 0; left -= 10) clock.advance(Math.min(left, 10));
  };
  return { admission, clock, begun, refused, cancelled, told, enter, pass };
}

test('what costs little begins at once while what costs much waits', () => {
  const { admission, begun, enter } = createCase();
  const first = enter('search 1', SEARCH);
  enter('search 2', SEARCH);
  enter('row', KEYED);
  assert.equal(begun, ['search 1', 'row'], 'one of two slots is kept from searches');
  assert.equal(admission.figures, { running: 2, waiting: 1, refused: 0, dropped: 0, cut: 0 });
  admission.leave(first);
  assert.equal(begun, ['search 1', 'row', 'search 2']);
});

test('a costly read runs although cheap ones never end', () => {
  const { admission, begun, enter } = createCase({ slots: 1 });
  const first = enter('row 1', KEYED);
  enter('row 2', KEYED);
  enter('search', SEARCH);
  admission.leave(first);
  assert.equal(begun, ['row 1', 'search']);
});

test('reads that share a connection take no slot, and at most so many run', () => {
  const { admission, begun, enter } = createCase({ slots: 1, shared: 2 });
  const lone = ['lone 1', 'lone 2', 'lone 3'].map((name) => enter(name, LONE));
  enter('search', SEARCH);
  assert.equal(begun, ['lone 1', 'lone 2', 'search']);
  admission.leave(lone[0] as TestRead);
  assert.equal(begun, ['lone 1', 'lone 2', 'search'], 'the slot is taken');
});

test('without sharing they take a slot as others do', () => {
  const { begun, enter } = createCase({ slots: 1 });
  for (const name of ['lone 1', 'lone 2']) enter(name, LONE);
  assert.equal(begun, ['lone 1']);
});

test('a shape that proved cheap waits no more with the costly ones, and one that proved costly waits', () => {
  const { admission, pass, begun, enter } = createCase();
  const run = (about: ReadCost, sql: string, milliseconds: number): boolean => {
    const read = enter(sql, about, createCaller(), sql);
    const { rank } = read;
    pass(milliseconds);
    admission.leave(read);
    return rank === 2;
  };
  assert.is(run(SEARCH, 'quick search', 2), true, 'not known yet');
  assert.is(run(SEARCH, 'quick search', 2), false);
  assert.is(run(USUAL, 'slow report', 300), false, 'not known yet');
  assert.is(run(USUAL, 'slow report', 300), true);
  assert.is(run({ kind: '/5', guess: 50 }, 'quick search', 900), true, 'another kind of the same statement');
  assert.is(run(SEARCH, 'quick search', 900), false);
  assert.is(run(SEARCH, 'quick search', 2), true, 'a run of 900 ms proves a cost');
  assert.is(run(SEARCH, 'quick search', 2), false, 'and a quick one proves that it has none');
  assert.is(run(KEYED, 'one row', 900), false);
  assert.is(run(KEYED, 'one row', 900), false, 'whatever a busy machine makes of it');
  assert.is(begun.length, 10);
});

test('a read is not taken for costly since the process was late to hear of its end', () => {
  const { admission, clock, pass, enter } = createCase();
  const first = enter('search', SEARCH);
  pass(2);
  admission.leave(first);
  for (let count = 0; count < 20; count += 1) {
    const read = enter('search', SEARCH);
    assert.is(read.rank, 1);
    // A check was due long before.
    clock.jump(count % 2 === 0 ? 2 : 3000);
    admission.leave(read);
    pass(200);
  }
});

test('searches that proved cheap leave a slot to other reads, and one that runs long counts as costly from then on', () => {
  const { admission, begun, pass, enter } = createCase({ slots: 4, costlySlots: 2 });
  const first = enter('search', SEARCH);
  pass(2);
  admission.leave(first);
  for (const value of ['a', 'b', 'c', 'd']) enter(`search ${value}`, SEARCH, createCaller(), 'search');
  enter('row', KEYED);
  assert.equal(begun, ['search', 'search a', 'search b', 'search c', 'row']);
  const runs = admission.figures;
  assert.equal([runs.running, runs.waiting], [4, 1]);
  pass(300);
  enter('other', SEARCH, createCaller('192.0.2.9'));
  assert.is(admission.figures.waiting, 2);
});

test('a cheap search does not wait for costly ones that were taken for cheap', () => {
  const { admission, begun, pass, enter } = createCase({ slots: 5, costlySlots: 2 });
  const first = enter('mixed', SEARCH);
  pass(2);
  admission.leave(first);
  enter('mixed 1', SEARCH, createCaller(), 'mixed');
  enter('mixed 2', SEARCH, createCaller(), 'mixed');
  pass(300);
  enter('unknown', SEARCH);
  assert.ok(!begun.includes('unknown'), 'both costly slots are taken');
  enter('mixed 3', SEARCH, createCaller('192.0.2.9'), 'mixed');
  assert.ok(begun.includes('mixed 3'));
});

test('addresses take turns, an IPv6 one by its /64', () => {
  const { admission, begun, enter } = createCase();
  const reads = new Map([['first', enter('first', SEARCH)]]);
  for (const [name, address] of Object.entries({
    a1: '2001:db8::1',
    a2: '2001:db8::2',
    a3: '2001:db8:0:0:ffff::3',
    b1: '2001:db8:0:1::1',
    c1: '192.0.2.9',
  }))
    reads.set(name, enter(name, SEARCH, createCaller(address)));
  for (let turn = 0; turn < 6; turn += 1) admission.leave(reads.get(begun[turn] ?? '') as TestRead);
  assert.is(begun.join(' '), 'first a1 b1 c1 a2 a3');
});

test('above the bound a read is refused with Retry-After, from the caller with the most waiting reads', () => {
  const { admission, refused, told, enter } = createCase({ limit: 1000 });
  const about = { kind: '', guess: 300 };
  enter('runs', about);
  for (let count = 1; count <= 3; count += 1) enter(`flood ${count}`, about, createCaller('192.0.2.66'));
  assert.is(refused.length, 0);
  enter('other', about, createCaller('192.0.2.7'));
  assert.equal(
    refused.map(({ name }) => name),
    ['flood 3'],
  );
  const error = refused[0]?.ended as TreadleError;
  assert.equal([error.code, error.status, error.headers], ['DATABASE_READS_TOO_MANY', 503, { 'retry-after': '1' }]);
  enter('row', KEYED, createCaller('192.0.2.66'));
  assert.equal(admission.figures, { running: 2, waiting: 3, refused: 1, dropped: 0, cut: 0 }, 'by its cost alone');
  assert.is(told.length, 1, 'one line of the log, however many');
  for (let count = 1; count <= 9; count += 1) enter(`more ${count}`, about, createCaller('192.0.2.66'));
  assert.equal([refused.length, told.length], [10, 1]);
});

test('of one address, such as that of a proxy, the newest read is refused', () => {
  const { refused, enter } = createCase({ limit: 1000 });
  const about = { kind: '', guess: 300 };
  for (let count = 0; count <= 4; count += 1) enter(`read ${count}`, about);
  assert.equal(
    refused.map(({ name }) => name),
    ['read 4'],
  );
});

test('a read is dropped when its client has left: before its turn, while it waits, while it runs', () => {
  const { admission, begun, refused, cancelled, enter, pass } = createCase();
  const callers = [1, 2, 3].map(() => createCaller());
  const running = enter('running', SEARCH, callers[0]);
  enter('waiting', SEARCH, callers[1]);
  for (const caller of callers) caller.socket = { destroyed: true };
  enter('late', SEARCH, callers[2]);
  pass(300);
  assert.equal(
    refused.map(({ name, ended }) => [name, ended instanceof ClientGone]),
    [
      ['late', true],
      ['waiting', true],
    ],
  );
  assert.equal(cancelled, ['running', 'running', 'running'], 'again until it has ended');
  assert.ok(running.ended instanceof ClientGone);
  admission.leave(running);
  pass(300);
  assert.is(cancelled.length, 3);
  assert.equal(begun, ['running']);
  assert.equal(admission.figures, { running: 0, waiting: 0, refused: 0, dropped: 3, cut: 0 });
});

test('what was asked by a request that may write, or is answered already, goes on without its client', () => {
  const { admission, begun, refused, cancelled, enter, pass } = createCase();
  const post = { ...createCaller(), socket: undefined };
  const answered = { ...createCaller(), isDone: true, socket: { destroyed: true } };
  const first = enter('post', SEARCH, post);
  enter('answered', SEARCH, answered);
  pass(500);
  admission.leave(first);
  pass(9000);
  assert.equal([begun, refused, cancelled], [['post', 'answered'], [], []]);
});

test('a read of a request is cut off after its time; so is its wait', () => {
  const { admission, refused, cancelled, enter, pass } = createCase({ limit: 2000 });
  const running = enter('running', SEARCH);
  enter('waiting', SEARCH);
  pass(2000);
  assert.equal([cancelled, refused], [[], []]);
  pass(100);
  assert.equal(cancelled, ['running']);
  const error = running.ended as TreadleError;
  assert.equal([error.code, error.status], ['DATABASE_READ_LONG', 503]);
  assert.match(error.message, /2 s \(limits\.readSeconds\)/);
  assert.equal(
    refused.map(({ name, ended }) => [name, (ended as TreadleError).code]),
    [['waiting', 'DATABASE_READS_TOO_MANY']],
  );
  assert.equal(admission.figures, { running: 1, waiting: 0, refused: 1, dropped: 0, cut: 1 });
});

test('a read of a command or a job is neither refused nor cut off', () => {
  const { begun, refused, cancelled, enter, pass } = createCase({ limit: 1000 });
  const about = { kind: '', guess: 900 };
  const job = { ...createCaller(), isDone: true };
  enter('job 1', about, job);
  enter('job 2', about, job);
  enter('job 3', about, job);
  pass(9000);
  assert.equal([refused, cancelled], [[], []]);
  assert.equal(begun, ['job 1', 'job 3'], 'the one that would have been refused begins');
});

test('nothing looks around where nothing is under way', () => {
  const { admission, clock, enter } = createCase();
  const state = { timers: 0 };
  const { after } = clock;
  clock.after = (milliseconds, callback) => {
    state.timers += 1;
    return after(milliseconds, callback);
  };
  for (let count = 0; count < 100; count += 1) admission.leave(enter('row', KEYED));
  assert.is(state.timers, 1, 'one timer, not one for each read');
  clock.advance(100);
  clock.advance(100);
  assert.is(state.timers, 1);
});

test.run();
