import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CostedRead, KEYED, type ReadCost, ReadCosts, USUAL } from '../../../src/database/load/read-cost.ts';

const test = suite('database/load/read-cost');

const SEARCH: ReadCost = { kind: '', guess: 50 };

/** Runs reads one after the other, each seen by one check; returns whether each counted as costly. */
function createCase(about = SEARCH) {
  const costs = new ReadCosts();
  const state = { look: 0 };
  const enter = (parameters: readonly unknown[] = ['a'], sql = 'select'): CostedRead => {
    const read: CostedRead = { sql, parameters, about, known: undefined };
    costs.find(read);
    return read;
  };
  const run = (took: number, parameters?: readonly unknown[], sql?: string): boolean => {
    const read = enter(parameters, sql);
    const isCostly = costs.isCostly(read);
    state.look += 1;
    costs.note(read, took, state.look);
    return isCostly;
  };
  const isCostly = (parameters?: readonly unknown[], sql?: string): boolean => costs.isCostly(enter(parameters, sql));
  return { costs, state, enter, run, isCostly };
}

test('a search of 1 ms is not taken for costly on a machine that makes three of four runs take 60 ms', () => {
  const { run } = createCase();
  run(1);
  const seen: boolean[] = [];
  for (let count = 0; count < 400; count += 1) seen.push(run(count % 4 === 0 ? 1 : 60));
  assert.is(seen.filter(Boolean).length, 0);
});

test('nor by a stall that holds up many runs at once', () => {
  const { costs, enter, isCostly, run } = createCase();
  run(1);
  const reads = Array.from({ length: 64 }, () => enter());
  for (const read of reads) costs.note(read, 90, 7);
  assert.not(isCostly());
  assert.not(isCostly(['b']));
});

test('a search that takes 400 ms is costly after one run, and stays so', () => {
  const { run } = createCase();
  assert.ok(run(400), 'not known yet');
  for (let count = 0; count < 50; count += 1) assert.ok(run(count % 2 === 0 ? 300 : 900));
});

test('a search that was cheap and takes 400 ms now, such as without its index, is costly after one run', () => {
  const { run, isCostly } = createCase();
  for (let count = 0; count < 50; count += 1) run(1);
  run(400);
  assert.ok(isCostly());
  assert.ok(isCostly(['b']), 'whatever its values');
});

/** Runs until a search that was cheap is found costly: a few slow ones may be the machine's. */
const RUNS: readonly (readonly [milliseconds: number, least: number, most: number])[] = [
  [30, 5, 20],
  [50, 4, 10],
  [100, 2, 5],
];
for (const [milliseconds, least, most] of RUNS)
  test(`a search that takes ${milliseconds} ms is found costly after ${least} to ${most} runs`, () => {
    const { run, isCostly } = createCase();
    run(1);
    let runs = 0;
    while (!isCostly() && runs <= most) {
      run(milliseconds);
      runs += 1;
    }
    assert.ok(runs >= least && runs <= most, `${runs} runs`);
  });

test('values that take longer than others of their statement are remembered, and do not make the others costly', () => {
  const { run, isCostly } = createCase();
  run(1, ['rare 1']);
  run(400, ['common', 1, null]);
  run(1, ['rare 2']);
  const seen: boolean[] = [];
  for (let count = 0; count < 100; count += 1) {
    assert.ok(run(400, ['common', 1, null]));
    seen.push(run(1, [`rare ${count}`]));
  }
  assert.is(seen.filter(Boolean).length, 0);
  run(1, ['common', 1, null]);
  assert.not(isCostly(['common', 1, null]), 'until they are quick');
});

test('values that are all costly make their statement costly', () => {
  const { run, isCostly } = createCase();
  run(1, ['first']);
  const seen = Array.from({ length: 100 }, (_, index) => run(400, [`value ${index}`]));
  assert.equal([seen[0], seen.slice(1).every(Boolean)], [false, true]);
  assert.ok(isCostly(['another']));
});

test('what no search asks for is costly from 100 ms, and a row by its key never', () => {
  const usual = createCase(USUAL);
  usual.run(90);
  assert.not(usual.isCostly());
  usual.run(300, [], 'report');
  assert.ok(usual.isCostly([], 'report'));
  const keyed = createCase(KEYED);
  keyed.run(900);
  assert.not(keyed.isCostly());
});

test('the estimate follows recent reads, not those of a calm machine', () => {
  const { costs, enter, run } = createCase();
  assert.is(costs.estimate(enter()), 50);
  run(400);
  for (let count = 0; count < 30; count += 1) run(800);
  assert.ok(costs.estimate(enter()) > 790);
});

test('remembers a bounded number of shapes and of values', () => {
  const { run, isCostly } = createCase();
  run(1, ['a'], 'forgotten');
  for (let count = 0; count < 5000; count += 1) run(1, ['a'], `select ${count}`);
  assert.ok(isCostly(['a'], 'forgotten'));
  assert.not(isCostly(['a'], 'select 4999'));
  for (let count = 0; count < 40; count += 1) {
    run(1, ['quick'], 'select 4999');
    run(400, [count], 'select 4999');
  }
  run(1, ['quick'], 'select 4999');
  assert.ok(isCostly([39], 'select 4999'));
  assert.not(isCostly([0], 'select 4999'));
});

test.run();
