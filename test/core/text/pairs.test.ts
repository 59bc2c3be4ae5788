import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../../src/core/errors.ts';
import { parsePairs, putPair } from '../../../src/core/text/pairs.ts';
import { cpu } from '../_cpu.ts';

const test = suite('core/text/pairs');

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
    ['filter[a]=3&filter[a][gte]=2', { filter: { a: { eq: '3', gte: '2' } } }],
    ['filter[a][gte]=2&filter[a]=3', { filter: { a: { gte: '2', eq: '3' } } }],
    ['filter[a]=&filter[a][gte]=2', { filter: { a: { gte: '2' } } }],
    ['filter[a][eq]=2&filter[a]=', { filter: { a: { eq: '2' } } }],
    ['filter[or][0][a]=3&filter[or][0][a][gte]=2', { filter: { or: [{ a: { eq: '3', gte: '2' } }] } }],
    ['a[b=1', { 'a[b': '1' }],
    ['[a]=1', { '[a]': '1' }],
    ['a]=1', { 'a]': '1' }],
  ];
  for (const [text, expected] of table) assert.equal(parsePairs(text), expected, text);
});

/** The status and the code of a parsing error. */
function findRefusal(text: string): unknown {
  try {
    return parsePairs(text);
  } catch (error) {
    assert.instance(error, TreadleError);
    const { status, code } = error as TreadleError;
    return [status, code];
  }
}

test('prototype names are refused in every place', () => {
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'a[__proto__]',
    'filter[constructor]',
    'a[b][constructor][prototype][x]',
    '__proto__[x]',
    'a[__proto__',
    '%5f%5fproto__',
    'a%5Bconstructor%5D',
  ]) {
    assert.equal(findRefusal(`b[]=1&${name}=1`), [400, 'REQUEST_NAME_REFUSED'], name);
  }
  assert.is(({} as { x?: unknown }).x, undefined);
  assert.throws(() => putPair({}, '__proto__', { x: 1 }), /"__proto__" cannot name/);
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
  assert.equal(findRefusal(`a${'[b]'.repeat(50)}=1`), [400, 'REQUEST_NAME_REFUSED']);
  assert.is(typeof findRefusal(`a${'[b]'.repeat(15)}=1`), 'object');
  const started = cpu();
  findRefusal(`a${'['.repeat(100_000)}=1&${'a[]=1&'.repeat(900)}`);
  parsePairs('a[]=1&'.repeat(900));
  assert.ok(cpu() - started < 100);
  // More brackets than a regular expression's stack allows.
  assert.equal(findRefusal(`a${'[]'.repeat(5_000_000)}=1`), [400, 'REQUEST_NAME_REFUSED']);
  const searched = cpu();
  for (let round = 0; round < 20; round += 1) parsePairs(`${'a&'.repeat(999)}${'b'.repeat(1_000_000)}`);
  assert.ok(cpu() - searched < 500);
});

test.run();
