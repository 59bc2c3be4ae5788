import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FairQueue } from '../../../src/database/load/fair-queue.ts';

const test = suite('database/load/fair-queue');

interface Item {
  readonly name: string;
  cost: number;
}

function createLine(...items: readonly (readonly [owner: string, cost: number])[]) {
  const line = new FairQueue<Item>();
  const counts = new Map<string, number>();
  for (const [owner, cost] of items) {
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    line.push(owner, { name: `${owner}${count}`, cost });
  }
  return line;
}

function empty(line: FairQueue<Item>): string {
  const names: string[] = [];
  for (let item = line.shift(); item !== undefined; item = line.shift()) names.push(item.name);
  return names.join(' ');
}

test('owners take turns, and each is served in its own order', () => {
  assert.is(empty(createLine(['a', 10], ['a', 10], ['a', 10], ['b', 10], ['c', 10])), 'a1 b1 c1 a2 a3');
});

test('who asks for little comes more often than who asks for much', () => {
  const line = createLine(['a', 100], ['a', 100], ['b', 25], ['b', 25], ['b', 25], ['b', 25], ['b', 25]);
  assert.is(empty(line), 'a1 b1 b2 b3 b4 a2 b5');
});

test('an owner who comes later has no claim to what others were served before', () => {
  const line = createLine(['a', 50], ['a', 50], ['a', 50], ['a', 50]);
  assert.is(line.shift()?.name, 'a1');
  assert.is(line.shift()?.name, 'a2');
  line.push('b', { name: 'b1', cost: 50 });
  line.push('b', { name: 'b2', cost: 50 });
  line.push('b', { name: 'b3', cost: 50 });
  assert.is(empty(line), 'b1 a3 b2 a4 b3');
});

test('drops the newest entry of the caller with the most entries, even if another came last', () => {
  const line = createLine(['a', 10], ['a', 10], ['a', 10], ['b', 10]);
  assert.is(line.dropLargest()?.name, 'a3');
  assert.is(line.dropLargest()?.name, 'a2');
  assert.is(line.dropLargest()?.name, 'b1', 'of equal ones, the one that came last');
  assert.equal([line.size, line.milliseconds], [1, 10]);
  assert.is(line.dropLargest()?.name, 'a1');
  assert.is(line.dropLargest(), undefined);
});

test('counts what waits, also after some were dropped', () => {
  const line = createLine(['a', 10], ['a', 20], ['b', 30]);
  assert.equal([line.size, line.milliseconds], [3, 60]);
  const dropped = line.dropWhere(({ cost }) => cost !== 20);
  assert.equal(dropped.map(({ name }) => name).sort(), ['a1', 'b1']);
  assert.equal([line.size, line.milliseconds], [1, 20]);
  assert.is(empty(line), 'a2');
  assert.equal([line.size, line.milliseconds], [0, 0]);
});

test.run();
