import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeenKeys } from '../../src/core/seen-keys.ts';

const keys = suite('seen keys');

keys('knows a key from its second time on', () => {
  const seen = new SeenKeys();
  assert.is(seen.add('GET /article/1'), false);
  assert.is(seen.add('GET /article/1'), true);
  assert.is(seen.add('GET /article/2'), false);
  assert.is(seen.add('GET /article/1'), true);
});

keys('forgets the older of two keys in one slot, and never takes one for the other', () => {
  const seen = new SeenKeys(1);
  assert.is(seen.add('a'), false);
  assert.is(seen.add('b'), false);
  assert.is(seen.add('b'), true);
  assert.is(seen.add('a'), false);
});

keys('tells a thousand keys apart', () => {
  const seen = new SeenKeys();
  const names = Array.from({ length: 1000 }, (_, index) => `/rest/public/article/detail/${index}?fields=title`);
  assert.is(names.filter((name) => seen.add(name)).length, 0);
  assert.ok(names.filter((name) => seen.add(name)).length > 980);
});

keys.run();
