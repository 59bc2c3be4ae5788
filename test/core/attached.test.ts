import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AttachedValue } from '../../src/core/attached.ts';

const test = suite('core/attached');

test('keeps one value for each object, apart from other attachments', () => {
  const first = new AttachedValue<object, number>();
  const second = new AttachedValue<object, number>();
  const owner = { name: 'a' };
  first.set(owner, 1);
  second.set(owner, 2);
  assert.equal([first.get(owner), second.get(owner), first.get({})], [1, 2, undefined]);
  first.set(owner, undefined);
  assert.equal([first.get(owner), second.get(owner)], [undefined, 2]);
});

test('what is attached is in no JSON text and no list of keys', () => {
  const attached = new AttachedValue<object, number>();
  const owner = { name: 'a' };
  attached.set(owner, 1);
  assert.is(JSON.stringify(owner), '{"name":"a"}');
  assert.equal(Object.keys(owner), ['name']);
});

test.run();
