import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoize } from '../../src/core/memoize.ts';

const test = suite('core/memoize');

test('computes once per object, also where the result is undefined', () => {
  const asked: string[] = [];
  const find = memoize(({ name }: { name: string }) => {
    asked.push(name);
    return name === 'a' ? undefined : { name };
  });
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  assert.equal([find(a), find(a), find(b)?.name], [undefined, undefined, 'b']);
  assert.is(find(b), find(b));
  assert.equal(asked, ['a', 'b']);
});

test('does not keep what failed', () => {
  let tries = 0;
  const find = memoize(() => {
    tries += 1;
    if (tries === 1) throw new Error('No.');
    return tries;
  });
  const key = {};
  assert.throws(() => find(key), /No/);
  assert.is(find(key), 2);
});

test.run();
