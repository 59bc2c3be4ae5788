import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findHop } from '../../../src/http/connection/proxy-hop.ts';
import type { TrustedProxies } from '../../../src/model/trusted-proxies.ts';
import { type Site as Booted, boot } from '../../boot.ts';
import { Client } from '../../client.ts';

const test = suite('http/connection/proxy-hop');

const PEER = '127.0.0.1';

function hop(trusted: TrustedProxies, forwarded: string | undefined, scheme?: string, peer = PEER) {
  const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': scheme };
  return findHop({ socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage, trusted);
}

/** An entry as a proxy writes it, and the address that it names; the proxy's own for what is not an address. */
const NODES: readonly (readonly [node: string, address: string])[] = [
  ['198.51.100.2', '198.51.100.2'],
  ['198.51.100.2:40001', '198.51.100.2'],
  ['198.51.100.2:_port', '198.51.100.2'],
  ['"198.51.100.2:40001"', '198.51.100.2'],
  ['2001:db8::9', '2001:db8::9'],
  ['2001:DB8:0:0::9', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['[2001:db8::9]:40001', '2001:db8::9'],
  ['"[2001:db8::9]:40001"', '2001:db8::9'],
  ['::ffff:198.51.100.2', '198.51.100.2'],
  ['[::ffff:198.51.100.2]:40001', '198.51.100.2'],
  ['fe80::1%eth0', 'fe80::1'],
  ['', PEER],
  ['unknown', PEER],
  ['unknown:40001', PEER],
  ['_hidden', PEER],
  ['unix:', PEER],
  ['client.example', PEER],
  ['198.51.100.256', PEER],
  ['198.51.100', PEER],
  ['0x7f000001', PEER],
  ['198.51.100.2:', PEER],
  ['198.51.100.2:400011', PEER],
  ['198.51.100.2:40001:1', PEER],
  ['[198.51.100.2]:40001', PEER],
  ['[2001:db8::9', PEER],
  ['2001:db8::9]:40001', PEER],
  ['<script>', PEER],
];

test('an entry is an address with an optional port; anything else counts as the address of the proxy', () => {
  for (const [node, address] of NODES) {
    assert.is(hop(true, node).address, address, node);
    assert.is(hop(1, `203.0.113.1, ${node}`).address, address, `after another: ${node}`);
    assert.is(hop(['127.0.0.0/8'], `203.0.113.1, ${node}`).address, address, `a network: ${node}`);
    assert.is(hop(false, node).address, PEER, `untrusted: ${node}`);
  }
});

/** Which proxies count, what they wrote, and what is believed. */
const CHAINS: readonly (readonly [TrustedProxies, string | undefined, string | undefined, string, string?])[] = [
  [false, '1.1.1.1', 'https', PEER],
  [0, '1.1.1.1', 'https', PEER],
  [[], '1.1.1.1', 'https', PEER],
  [true, '1.1.1.1, 2.2.2.2', 'http, https', '2.2.2.2', 'https'],
  [true, '1.1.1.1, 2.2.2.2', 'https, http', '2.2.2.2', 'http'],
  [true, undefined, 'HTTPS', PEER, 'https'],
  [2, '1.1.1.1, 2.2.2.2, 3.3.3.3', 'https, http, https', '2.2.2.2', 'http'],
  [2, '1.1.1.1, 2.2.2.2:5, [::ffff:3.3.3.3]:6', 'http, https, http', '2.2.2.2', 'https'],
  // One of the two replaces what was there, so its entry is the only one.
  [2, '2.2.2.2, 3.3.3.3', 'https', '2.2.2.2', 'https'],
  [2, '3.3.3.3', 'https', '3.3.3.3', 'https'],
  [2, '1.1.1.1, unknown, 3.3.3.3', 'https, http, https', '3.3.3.3', 'http'],
  [2, '1.1.1.1, unknown, unknown', undefined, PEER],
  [['127.0.0.1'], '1.1.1.1, 2.2.2.2', 'https, http', '2.2.2.2', 'http'],
  [['127.0.0.1', '10.0.0.0/8'], '1.1.1.1, 2.2.2.2, 10.1.2.3', 'http, https, http', '2.2.2.2', 'https'],
  [['127.0.0.1', '10.0.0.0/8'], '1.1.1.1, unknown, 10.1.2.3:80', 'http, https, http', '10.1.2.3', 'https'],
  [['127.0.0.1', '10.0.0.0/8'], '10.9.9.9, 10.1.2.3', 'https', '10.9.9.9', 'https'],
  [['127.0.0.1', '2001:db8::/32'], '2.2.2.2, [2001:db8::1]:443', 'https, http', '2.2.2.2', 'https'],
  [['::ffff:127.0.0.0/104'], '1.1.1.1', 'https', '1.1.1.1', 'https'],
  [['10.0.0.0/8'], '1.1.1.1, 10.1.2.3', 'https', PEER],
  [['127.0.0.1'], undefined, 'https', PEER, 'https'],
  [['0.0.0.0/0'], '1.1.1.1, 2.2.2.2', 'https, http', '1.1.1.1', 'https'],
];

test('as many proxies as the settings trust are believed, and the scheme is read at the same one', () => {
  for (const [trusted, forwarded, proto, address, scheme] of CHAINS) {
    const name = JSON.stringify([trusted, forwarded, proto]);
    assert.equal(hop(trusted, forwarded, proto), { address, scheme }, name);
  }
});

test('the connected address itself is the same text for IPv4 in IPv6, and may be in a network', () => {
  assert.is(hop(false, undefined, undefined, '::ffff:192.0.2.1').address, '192.0.2.1');
  assert.is(hop(['192.0.2.0/24'], '1.1.1.1:9', undefined, '::ffff:192.0.2.1').address, '1.1.1.1');
  assert.is(hop(['fe80::/10'], '1.1.1.1', undefined, 'fe80::1%eth0').address, '1.1.1.1');
  assert.is(hop(true, undefined, undefined, '').address, '');
});

const FILES = {
  'config/schema/visit.json': {
    name: 'visit',
    singular: 'Visit',
    plural: 'Visits',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'ip', type: 'ipaddress' },
    ],
  },
  'config/rest/visit-create.json': {
    title: 'Visit',
    access: 'public',
    method: 'post',
    path: '/public/visit/create',
    event: 'system-model-create',
    parameters: { schema: 'visit' },
  },
};

async function withSite(trustProxy: TrustedProxies, run: (site: Booted) => Promise<void>): Promise<void> {
  const site = await boot({ files: FILES, settings: { api: true, server: { trustProxy } } });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

const guesses = async (site: Booted, toNode: (count: number) => string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const client = new Client(site.url, { 'x-forwarded-for': toNode(count) });
    const form = { auth_slug: 'nobody@example.org', auth_password: 'a wrong password' };
    statuses.push((await client.post('/auth/login', form)).status);
  }
  return statuses;
};

test('behind a proxy that writes ports, wrong passwords are limited, and the stored address has no port', async () => {
  await withSite(true, async (site) => {
    const slowed = [401, 401, 401, 401, 401, 429, 429, 429];
    assert.equal(await guesses(site, (count) => `198.51.100.2:${40_001 + count}`), slowed, 'IPv4');
    assert.equal(await guesses(site, (count) => `[2001:db8::${count + 1}]:${40_001 + count}`), slowed, 'one /64');
    assert.equal(await guesses(site, (count) => `unknown-${count}`), slowed, 'no address at all');
    const headers = { 'x-forwarded-for': '[2001:DB8::7]:40001' };
    const made = await new Client(site.url, headers).send('POST', '/rest/public/visit/create', {
      json: { visit_title: 'a' },
    });
    assert.is(made.status, 201);
    assert.equal(
      (await site.rows('visit')).map((row) => row.visit_ip),
      ['2001:db8::7'],
    );
  });
});

test('with a list of networks, a client elsewhere says nothing about itself', async () => {
  await withSite(['192.0.2.0/24'], async (site) => {
    const slowed = [401, 401, 401, 401, 401, 429, 429, 429];
    assert.equal(await guesses(site, (count) => `198.51.100.${count + 1}`), slowed);
    assert.ok(
      site.log.some((line) => line.includes('server.trustProxy does not trust the proxy')),
      'the log says so',
    );
  });
});

test.run();
