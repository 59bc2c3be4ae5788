import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isCidr, judgeAddress, judgeUrl } from '../../src/outbound/address.ts';
import type { AddressPolicy } from '../../src/outbound/outbound.ts';

const address = suite('address');

const STRICT: AddressPolicy = { allowPrivate: [], isLoopbackAllowed: false };
const DEV: AddressPolicy = { allowPrivate: [], isLoopbackAllowed: true };
const INTRANET: AddressPolicy = { allowPrivate: ['10.1.0.0/16', 'fd00::/8'], isLoopbackAllowed: false };

const isOpen = (url: string, policy: AddressPolicy): boolean => 'url' in judgeUrl(url, policy);

export const LOOPBACK_SPELLINGS = [
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0X7F.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0/',
  'http://0.0.0.0/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http://127.0.0.1\\@example.com/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://a.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
];

address('refuses every spelling of loopback and of local names', () => {
  for (const url of LOOPBACK_SPELLINGS) assert.not.ok(isOpen(url, STRICT), url);
});

address('refuses private, reserved and special blocks', () => {
  const refused = [
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '2002:c0a8:101::',
    '64:ff9b::a9fe:a9fe',
    '::ffff:169.254.169.254',
    'nonsense',
    '',
  ];
  for (const text of refused) assert.ok(judgeAddress(text, 443, STRICT), text);
});

address('allows the public internet, also in its embedded forms', () => {
  const open = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'];
  for (const text of open) assert.is(judgeAddress(text, 443, STRICT), undefined, text);
  assert.ok(isOpen('https://example.org/hook?a=1', STRICT));
});

address('allows four ports, and any port of an allowed block', () => {
  for (const port of [80, 443, 8080, 8443]) assert.ok(isOpen(`http://example.org:${port}/`, STRICT));
  for (const port of [22, 25, 3000, 6379]) assert.not.ok(isOpen(`http://example.org:${port}/`, STRICT));
  assert.not.ok(isOpen('http://8.8.8.8:3000/', INTRANET));
  assert.ok(isOpen('http://10.1.2.3:3000/', INTRANET));
  assert.ok(isOpen('http://[::ffff:10.1.2.3]:3000/', INTRANET));
  assert.ok(isOpen('http://[fd00::5]/', INTRANET));
  assert.not.ok(isOpen('http://10.2.2.3/', INTRANET));
});

address('lets dev call loopback on any port, and nothing else that is private', () => {
  for (const url of ['http://127.0.0.1:3000/', 'http://localhost:9999/', 'http://[::1]:1/'])
    assert.ok(isOpen(url, DEV), url);
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://0.0.0.0/', 'http://a.internal/'])
    assert.not.ok(isOpen(url, DEV), url);
});

address('refuses the form: scheme, credentials, fragment, no URL', () => {
  const refused = [
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:1',
    'http://u@example.org/',
    'http://u:p@example.org/',
    'http://:p@example.org/',
    'http://@example.org/',
    'https://example.org/#a',
    'https://example.org/#',
    '/hook',
    'example.org',
    '',
  ];
  for (const url of refused) {
    const judged = judgeUrl(url, STRICT);
    assert.is('kind' in judged && judged.kind, 'url', url);
  }
});

address('knows a CIDR block', () => {
  for (const text of ['10.0.0.0/8', 'fd00::/8']) assert.ok(isCidr(text));
  for (const text of ['10.0.0.0', '10.0.0.0/33', 'x', '']) assert.not.ok(isCidr(text));
});

address.run();
