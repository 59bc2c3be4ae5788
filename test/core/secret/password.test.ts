import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientGone } from '../../../src/core/client-gone.ts';
import { Request } from '../../../src/core/request/request.ts';
import { currentScope } from '../../../src/core/scope.ts';
import { createPasswords, readHashFigures, systemPasswords } from '../../../src/core/secret/password.ts';

const test = suite('password');

test('hashes as a PHC string with its own salt', async () => {
  const stored = await createPasswords((bytes) => Buffer.alloc(bytes, 7)).hash('correct horse');
  assert.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$BwcHBwcHBwcHBwcHBwcHBw\$[A-Za-z0-9+/]{43}$/);
  assert.is(await systemPasswords.verify('correct horse', stored), true);
  assert.is(await systemPasswords.verify('correct horsf', stored), false);
  assert.is(systemPasswords.isOutdated(stored), false);
});

test('says no, and does not throw, where nothing or something else is stored', async () => {
  assert.is(await systemPasswords.verify('x', undefined), false);
  assert.is(await systemPasswords.verify('x', '5f4dcc3b5aa765d61d8327deb882cf99'), false);
});

test('knows a hash of other parameters', async () => {
  // scrypt('pleaseletmein', 'SodiumChloride', ln 14, r 8, p 1), the test vector of RFC 7914 section 12.
  const key = Buffer.from(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    'hex',
  );
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$scrypt$ln=14,r=8,p=1$${bare(Buffer.from('SodiumChloride'))}$${bare(key)}`;
  assert.is(await systemPasswords.verify('pleaseletmein', stored), true);
  assert.is(systemPasswords.isOutdated(stored), true);
});

test('a cheaper cost makes hashes that tell it, which the usual cost renews', async () => {
  const cheap = createPasswords((bytes) => Buffer.alloc(bytes, 7), { ln: 4, r: 8, p: 1 });
  const stored = await cheap.hash('correct horse');
  assert.match(stored, /^\$scrypt\$ln=4,r=8,p=1\$/);
  assert.is(await systemPasswords.verify('correct horse', stored), true);
  assert.is(cheap.isOutdated(stored), false);
  assert.is(systemPasswords.isOutdated(stored), true);
});

test('a check inside a request queues by the address of the request, and not behind callers that left', async () => {
  const slow = await systemPasswords.hash('slow');
  const state = { isGone: false };
  const check = (address: string, isGone: () => boolean): Promise<boolean> => {
    const request = new Request({ server: () => ({ REMOTE_ADDR: address }), isGone });
    return currentScope.run({ request }, () => systemPasswords.verify('slow', slow));
  };
  const flood = Array.from({ length: 5 }, () => check('192.0.2.1', () => state.isGone));
  const left = Promise.allSettled(flood);
  state.isGone = true;
  assert.ok(await check('192.0.2.2', () => false));
  const ended = await left;
  const gone = ended.filter((one) => one.status === 'rejected' && one.reason instanceof ClientGone);
  assert.ok(gone.length >= 3, `${gone.length} were dropped`);
  assert.is(readHashFigures().waiting, 0);
});

test.run();
