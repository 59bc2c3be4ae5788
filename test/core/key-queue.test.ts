import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyQueue } from '../../src/core/key-queue.ts';
import { currentScope } from '../../src/core/scope.ts';

const test = suite('core/key-queue');

test('one after the other by key, also after a failure, each in its own scope, and nothing is kept', async () => {
  const queue = new KeyQueue();
  const steps: string[] = [];
  const work = (name: string, fails = false) =>
    currentScope.run({ locale: { tag: name } as never }, () =>
      queue.run(name.slice(0, 1), async () => {
        const scope = (): unknown => (currentScope.getStore() as { locale: { tag: string } }).locale.tag;
        steps.push(`begin ${scope()}`);
        await Promise.resolve();
        steps.push(`end ${scope()}`);
        if (fails) throw new Error(name);
        return name;
      }),
    );
  const all = await Promise.allSettled([work('a1'), work('a2', true), work('b1'), work('a3')]);
  assert.equal(
    all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    ['a1', 'a2', 'b1', 'a3'],
  );
  const ofA = steps.filter((step) => step.includes(' a'));
  assert.equal(ofA, ['begin a1', 'end a1', 'begin a2', 'end a2', 'begin a3', 'end a3']);
  assert.ok(steps.indexOf('begin b1') < steps.indexOf('end a1'));
  await Promise.resolve();
  assert.is(queue.size, 0);
});

test.run();
