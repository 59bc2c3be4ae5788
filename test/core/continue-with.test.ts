import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { continueWith, isThenable, toPromise } from '../../src/core/continue-with.ts';

const steps = suite('continue with');

steps('goes on at once with a value, and later with that of a promise', async () => {
  assert.is(
    continueWith(1, (value) => value + 1),
    2,
  );
  const later = continueWith(Promise.resolve(1), (value) => value + 1);
  assert.instance(later, Promise);
  assert.is(await later, 2);
});

steps('makes a thrown error that of the promise', async () => {
  const failed = toPromise(() => {
    throw new Error('broken');
  });
  assert.is(await failed.catch(({ message }) => message), 'broken');
  assert.is(await toPromise(() => 3), 3);
  assert.is(await toPromise(() => Promise.resolve(4)), 4);
});

steps('takes everything with a `then` for a promise', () => {
  assert.ok(isThenable(Object.fromEntries([['then', () => {}]])));
  for (const other of [undefined, null, 1, 'then', {}, () => {}]) assert.not.ok(isThenable(other));
});

steps.run();
