import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isCidr, judgeAddress, judgeUrl } from '../../src/outbound/address.ts';
import type { AddressPolicy } from '../../src/outbound/outbound.ts';
import { METADATA_SPELLINGS, spellLoopback } from './_spellings.ts';

const address = suite('address');

const STRICT: AddressPolicy = { allowPrivate: [], isLoopbackAllowed: false };
const DEV: AddressPolicy = { allowPrivate: [], isLoopbackAllowed: true };
const INTRANET: AddressPolicy = { allowPrivate: ['10.1.0.0/16', 'fd00::/8'], isLoopbackAllowed: false };

const isOpen = (url: string, policy: AddressPolicy): boolean => 'url' in judgeUrl(url, policy);

address('S1: refuses every spelling of loopback and of local names', () => {
  assert.ok(spellLoopback().length >= 30);
  for (const url of spellLoopback()) assert.not.ok(isOpen(url, STRICT), url);
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

address('S5: no setting opens the addresses of cloud metadata, in any spelling', () => {
  const all: AddressPolicy = { allowPrivate: ['0.0.0.0/0', '::/0'], isLoopbackAllowed: true };
  for (const url of METADATA_SPELLINGS) {
    assert.not.ok(isOpen(url, STRICT), url);
    // As an IPv4-compatible address it goes nowhere: allowing that block does not allow this server.
    if (!url.includes('[::a9fe')) assert.not.ok(isOpen(url, all), url);
  }
  for (const text of ['169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'])
    assert.match(String(judgeAddress(text, 80, all)), /metadata/, text);
  assert.is(judgeAddress('10.0.0.1', 5000, all), undefined);
});

address('S5: an address without a prefix is a block of one', () => {
  const one: AddressPolicy = { allowPrivate: ['10.0.0.7', 'fd00::7'], isLoopbackAllowed: false };
  for (const text of ['10.0.0.7', 'fd00::7']) assert.is(judgeAddress(text, 9000, one), undefined);
  for (const text of ['10.0.0.8', 'fd00::8']) assert.ok(judgeAddress(text, 80, one));
});

address('S5: allows four ports, and any port of an allowed block', () => {
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

address('W9: refuses the form: scheme, credentials, fragment, no URL', () => {
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
  for (const text of ['10.0.0.0/8', 'fd00::/8', '10.0.0.1', 'fd00::1']) assert.ok(isCidr(text));
  for (const text of ['10.0.0', '10.0.0.0/33', 'x', '']) assert.not.ok(isCidr(text));
});

address.run();
