import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword, isPasswordOutdated, verifyPassword } from '../../src/core/password.ts';

const test = suite('password');

test('hashes as a PHC string with a salt of its own', async () => {
  const stored = await hashPassword('correct horse', (bytes) => Buffer.alloc(bytes, 7));
  assert.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$BwcHBwcHBwcHBwcHBwcHBw\$[A-Za-z0-9+/]{43}$/);
  assert.is(await verifyPassword('correct horse', stored), true);
  assert.is(await verifyPassword('correct horsf', stored), false);
  assert.is(isPasswordOutdated(stored), false);
});

test('says no, and does not throw, where nothing or something else is stored', async () => {
  assert.is(await verifyPassword('x', undefined), false);
  assert.is(await verifyPassword('x', '5f4dcc3b5aa765d61d8327deb882cf99'), false);
});

test('knows a hash of other parameters', async () => {
  // scrypt('pleaseletmein', 'SodiumChloride', ln 14, r 8, p 1), the test vector of RFC 7914 section 12.
  const key = Buffer.from(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    'hex',
  );
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$scrypt$ln=14,r=8,p=1$${bare(Buffer.from('SodiumChloride'))}$${bare(key)}`;
  assert.is(await verifyPassword('pleaseletmein', stored), true);
  assert.is(isPasswordOutdated(stored), true);
});

test('refuses more than 100 that wait', async () => {
  const waiting = Array.from({ length: 3 }, () => verifyPassword('x', '$scrypt$ln=4,r=1,p=1$AAAA$AAAA'));
  assert.equal(await Promise.all(waiting), [false, false, false]);
  const many = Array.from({ length: 101 }, () => verifyPassword('x', '$scrypt$ln=1,r=1,p=1$AAAA$AAAA'));
  const ended = await Promise.allSettled(many);
  assert.is(ended.filter(({ status }) => status === 'rejected').length, 1);
});

test.run();
