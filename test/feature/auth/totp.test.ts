import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../../src/core/clock.ts';
import { toQrPath } from '../../../src/feature/auth/second-factor/qr.ts';
import { createSeed, findStep, parseTotp, toTotpUri } from '../../../src/feature/auth/second-factor/totp.ts';

/** The seed of RFC 6238, appendix B, for SHA-1: the bytes of `12345678901234567890`. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** Seconds and the last six digits of the appendix's codes. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

const totp = suite('TOTP');

for (const [seconds, code] of VECTORS)
  totp(`RFC 6238, appendix B: ${code} at ${seconds}`, () => {
    assert.is(findStep(SEED, code, seconds * 1000), Math.floor(seconds / 30));
  });

totp('takes the code of the step before and after, with its own step, and no other', () => {
  const code = '005924';
  const step = Math.floor(1_234_567_890 / 30);
  for (const [delta, found] of [
    [-60, undefined],
    [-30, step],
    [0, step],
    [30, step],
    [60, undefined],
  ] as const)
    assert.is(findStep(SEED, code, (1_234_567_890 + delta) * 1000), found, String(delta));
});

totp('reads a code with blanks, and nothing but six digits', () => {
  assert.is(parseTotp(' 123 456'), '123456');
  for (const text of ['', '12345', '1234567', '12345a', '１２３４５６', '-12345'])
    assert.is(parseTotp(text), undefined, text);
});

totp('a new seed has 160 random bits in base32', () => {
  const seeds = new Set(Array.from({ length: 50 }, () => createSeed(systemRandom)));
  assert.is(seeds.size, 50);
  for (const seed of seeds) assert.match(seed, /^[A-Z2-7]{32}$/);
});

totp('the address of the QR code names site and account, and escapes them', () => {
  const uri = new URL(toTotpUri(SEED, 'My: site & co', 'ann+x@example.org'));
  assert.is(uri.protocol, 'otpauth:');
  assert.is(uri.searchParams.get('secret'), SEED);
  assert.is(uri.searchParams.get('issuer'), 'My: site & co');
  assert.match(decodeURIComponent(uri.pathname), 'ann+x@example.org');
});

totp('the QR code is one path of squares inside its frame', () => {
  const { size, path } = toQrPath(toTotpUri(SEED, 'Site', 'ann@example.org'));
  assert.match(path, /^(?:M\d+ \d+h\d+v1h-\d+z)+$/);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    assert.ok(Number(x) >= 4 && Number(x) + Number(width) <= size - 4);
    assert.ok(Number(y) >= 4 && Number(y) < size - 4);
  }
});

totp.run();
