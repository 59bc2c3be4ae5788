import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Listener } from '../../../src/core/bus/followers.ts';
import { isLoopbackHost, parseHost } from '../../../src/core/text/host.ts';
import { createHarness, type Harness } from '../_harness.ts';

const test = suite('http/connection/host');

const routes: Record<string, Listener> = { 'GET /x': (_request, response) => void response.setContent('ok') };

/** Sends raw request lines and returns the answer. */
function sendRaw(url: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${[...lines, '', ''].join('\r\n')}`));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}

const ask = (url: string, ...hosts: readonly string[]): Promise<string> =>
  sendRaw(url, ['GET /x HTTP/1.1', 'Connection: close', ...hosts.map((host) => `Host: ${host}`)]);
const toStatus = (answer: string): number => Number(answer.split(' ', 2)[1]);

async function withHarness(options: object, run: (harness: Harness) => Promise<void>): Promise<void> {
  const harness = await createHarness({ routes, ...options });
  try {
    await run(harness);
  } finally {
    await harness.remove();
  }
}

test('takes one valid Host header of HTTP/1.1', () =>
  withHarness({}, async ({ url }) => {
    for (const host of ['a.example', 'a.example:80', '127.0.0.1:1', '[::1]:80', '[::1]', 'A_b.example', 'a%20b']) {
      assert.is(toStatus(await ask(url, host)), 200, host);
    }
    for (const hosts of [
      [],
      ['a.example', 'a.example'],
      ['a.example', 'b.example'],
      [''],
      ['a b'],
      ['a/b'],
      ['user@a.example'],
      ['a.example:x'],
      ['a.example:123456'],
      ['[::1'],
      ['a,b?'],
      ['"a"'],
    ]) {
      assert.is(toStatus(await ask(url, ...hosts)), 400, hosts.join('|'));
    }
    const twice = ['GET /x HTTP/1.1', 'host: a', 'X-A: b', 'HOST: a', 'Connection: close'];
    assert.is(toStatus(await sendRaw(url, twice)), 400, 'in any case');
    assert.match(await ask(url, 'a', 'b'), 'send one valid Host header');
    assert.is(toStatus(await sendRaw(url, ['GET /x HTTP/1.0'])), 200, 'HTTP/1.0 may leave it out');
  }));

/** A browser's Host header, and the status of `treadle dev`: DNS rebinding needs a name. */
const IN_DEVELOPMENT: readonly (readonly [host: string, status: number])[] = [
  ['localhost:3000', 200],
  ['LOCALHOST', 200],
  ['blog.localhost:3000', 200],
  ['127.0.0.1:3000', 200],
  ['[::1]:3000', 200],
  ['192.168.1.7:3000', 200],
  ['blog.example', 200],
  ['blog.example:3000', 200],
  ['rebind.evil.example', 421],
  ['rebind.evil.example:3000', 421],
  ['localhost.evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['evil-localhost', 421],
  ['sub.blog.example', 421],
  ['2130706433', 421],
];

test('answers in development only to loopback names, addresses and its own names', async () => {
  const settings = { server: { baseUrl: 'http://blog.example:3000' } };
  await withHarness({ mode: 'development', settings }, async ({ url }) => {
    for (const [host, status] of IN_DEVELOPMENT) assert.is(toStatus(await ask(url, host)), status, host);
    const answer = await ask(url, 'rebind.evil.example');
    assert.match(answer, '--host rebind.evil.example');
    assert.match(answer, 'server.baseUrl');
    const path = ['GET /__treadle/reload.js HTTP/1.1', 'Host: rebind.evil.example', 'Connection: close'];
    assert.is(toStatus(await sendRaw(url, path)), 421, 'before anything else answers');
  });
  await withHarness({ settings }, async ({ url }) => {
    assert.is(toStatus(await ask(url, 'rebind.evil.example')), 200, 'a proxy decides in production');
  });
});

test('tells a loopback host from others', () => {
  for (const host of ['localhost', 'a.localhost', 'localhost.', '127.0.0.1', '127.9.9.9', '[::1]', '::1'])
    assert.is(isLoopbackHost(host), true, host);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example', ''])
    assert.is(isLoopbackHost(host), false, host);
  assert.equal([parseHost('A.Example:80'), parseHost('[::1]:80'), parseHost('x y')], ['a.example', '[::1]', undefined]);
});

test.run();
