import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../../src/core/clock.ts';
import { createRootSecret, createToken, digest, isSameSecret } from '../../../src/core/secret/secret.ts';

const secrets = suite('secret');

secrets('digests as SHA-256 does (FIPS 180-2, "abc")', () => {
  assert.is(digest('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

secrets('compares texts of any length', () => {
  assert.is(isSameSecret('a', 'a'), true);
  assert.is(isSameSecret('a', 'ab'), false);
  assert.is(isSameSecret('', ''), true);
});

secrets('makes tokens of 256 bits in letters that every client encodes alike', () => {
  const token = createToken(systemRandom, 'tk_at_');
  assert.match(token, /^tk_at_[A-Za-z0-9_-]{43}$/);
  assert.is.not(token, createToken(systemRandom, 'tk_at_'));
});

secrets('derives by purpose and seals against change', () => {
  const root = createRootSecret('root', systemRandom);
  assert.is(root.derive(['a', 'b']).length, 32);
  assert.not.equal(root.derive(['a', 'b']), root.derive(['a|b']));
  assert.equal(root.derive(['a'], 24), createRootSecret('root', systemRandom).derive(['a'], 24));
  const sealed = root.seal('täxt');
  assert.is(root.open(sealed), 'täxt');
  assert.throws(() => root.open(`${sealed.slice(0, -2)}AA`));
  assert.throws(() => createRootSecret('other', systemRandom).open(sealed));
});

secrets.run();
