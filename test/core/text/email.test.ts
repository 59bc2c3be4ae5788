import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isEmailAddress, listEmailForms, normalizeEmail } from '../../../src/core/text/email.ts';

const suiteOf = suite('email');
const LOCAL = 'a'.repeat(64);
const LABEL = 'b'.repeat(63);

const SAME: readonly (readonly [typed: string, canonical: string])[] = [
  [' Ann@Example.ORG ', 'ann@example.org'],
  ['ann@example.org.', 'ann@example.org'],
  ['ann@MÜNCHEN.example', 'ann@xn--mnchen-3ya.example'],
  ['ann@mu\u0308nchen.example.', 'ann@xn--mnchen-3ya.example'],
  ['ann@XN--MNCHEN-3YA.example', 'ann@xn--mnchen-3ya.example'],
  ['ann@ｅxample.org', 'ann@example.org'],
  ['ann@例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  ['ann@straße.example', 'ann@xn--strae-oqa.example'],
  ['root@localhost', 'root@localhost'],
];

for (const [typed, canonical] of SAME)
  suiteOf(`${JSON.stringify(typed)} is ${canonical}`, () => {
    assert.is(normalizeEmail(typed), canonical);
    assert.is(normalizeEmail(canonical), canonical, 'again');
    assert.ok(isEmailAddress(canonical));
  });

const RIGHT = [
  `${LOCAL}@example.org`,
  `a@${LABEL}.example`,
  `${'a'.repeat(62)}@${LABEL}.${LABEL}.${LABEL}`,
  'o_o@a_b.example',
];
for (const text of RIGHT) suiteOf(`takes ${text}`, () => assert.ok(isEmailAddress(normalizeEmail(text))));

const WRONG = [
  '',
  'ann',
  '@example.org',
  'ann@',
  'ann@.',
  'ann@example..org',
  'ann@example.org..',
  'ann@-example.org',
  'ann@a%2eb.org',
  'ann@example.org/x',
  'ann@example.org:25',
  'ann@example.org?x',
  'ann@exa\u00admple.org',
  'ann@exam\u200bple.org',
  'ann@xn--a.example',
  'a b@example.org',
  'ann\r\nBcc: x@example.org',
  'müller@example.org',
  'ａnn@example.org',
  `a${LOCAL}@example.org`,
  `a@b${LABEL}.example`,
  `${LOCAL}@${LABEL}.${LABEL}.${LABEL}`,
  `a@${'ü'.repeat(60)}.example`,
];
for (const text of WRONG)
  suiteOf(`refuses ${JSON.stringify(text)}`, () => assert.not.ok(isEmailAddress(normalizeEmail(text))));

suiteOf('leaves alone what IDNA would read as an IPv4 address', () => {
  for (const text of ['ann@127.1', 'ann@0x7f.1', 'ann@1']) assert.is(normalizeEmail(text), text);
});

suiteOf('lists the forms of former accounts, the typed one first', () => {
  const letters = 'ann@münchen.example';
  const ascii = 'ann@xn--mnchen-3ya.example';
  assert.equal(listEmailForms('Ann@MÜNCHEN.example'), [letters, ascii, `${ascii}.`, `${letters}.`]);
  assert.equal(listEmailForms(ascii), [ascii, letters, `${ascii}.`, `${letters}.`]);
  assert.equal(listEmailForms('ann@example.org.'), ['ann@example.org.', 'ann@example.org']);
});

suiteOf.run();
