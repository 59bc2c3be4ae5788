import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../src/core/errors.ts';
import { parsePairs, putPair } from '../../src/core/pairs.ts';
import { cpu } from './_cpu.ts';

const test = suite('core/pairs');

test('names with and without brackets', () => {
  const table: [string, unknown][] = [
    ['', {}],
    ['&&', {}],
    ['a', { a: '' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1=2', { a: '1=2' }],
    ['=1', {}],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a=%zz%41', { a: '%zzA' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[1]=1', { a: { 1: '1' } }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['rows[0][name]=x&rows[1][name]=y', { rows: [{ name: 'x' }, { name: 'y' }] }],
    ['a[b]=1&a[b]=2', { a: { b: ['1', '2'] } }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=2&a=1', { a: { b: '2' } }],
    ['a[b=1', { 'a[b': '1' }],
    ['[a]=1', { '[a]': '1' }],
    ['a]=1', { 'a]': '1' }],
  ];
  for (const [text, expected] of table) assert.equal(parsePairs(text), expected, text);
});

test('prototype names are left out wherever they stand', () => {
  const text =
    '__proto__=1&constructor=1&prototype=1&a[__proto__]=1&a[constructor][prototype][x]=1&__proto__[x]=1&b[]=1&b[__proto__]=2&c=3';
  assert.equal(parsePairs(text), { b: ['1'], c: '3' });
  assert.is(({} as { x?: unknown }).x, undefined);
  const target = {};
  putPair(target, '__proto__', { x: 1 });
  assert.is((target as { x?: unknown }).x, undefined);
});

test('the number of names and their depth are bounded', () => {
  const many = Array.from({ length: 1001 }, (_x, index) => `a${index}`).join('&');
  try {
    parsePairs(many);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, TreadleError);
    assert.is((error as TreadleError).status, 413);
  }
  assert.is(Object.keys(parsePairs(many, 2000)).length, 1001);
  assert.equal(parsePairs(`a${'[b]'.repeat(50)}=1`), {});
  const started = cpu();
  parsePairs(`a${'['.repeat(100_000)}=1&${'a[]=1&'.repeat(900)}`);
  assert.ok(cpu() - started < 100);
});

test.run();
