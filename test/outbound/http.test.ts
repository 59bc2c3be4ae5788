import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createOutbound } from '../../src/outbound/http.ts';
import { createFakeClock } from '../clock.ts';
import { fails, LOCAL, STRICT, serve } from './_serve.ts';
import { spellLoopback } from './_spellings.ts';

const http = suite('http');

const outbound = createOutbound({ clock: systemClock });

http('sends method, headers and body, and reads the answer', async () => {
  let seen: IncomingMessage | undefined;
  let body = '';
  const server = await serve((request, response) => {
    seen = request;
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.writeHead(202, { 'x-a': '1' }).end('täk'));
  });
  const answer = await outbound.send(
    { method: 'PUT', url: `${server.url}/a?b=1`, headers: { 'x-b': '2' }, body: 'ä' },
    LOCAL,
  );
  assert.is(answer.status, 202);
  assert.is(answer.headers['x-a'], '1');
  assert.is(answer.body, 'täk');
  assert.is(seen?.method, 'PUT');
  assert.is(seen?.url, '/a?b=1');
  assert.is(seen?.headers['x-b'], '2');
  assert.is(seen?.headers['content-length'], '2');
  assert.match(String(seen?.headers['user-agent']), /^Treadle\//);
  assert.is(body, 'ä');
  await server.close();
});

http('S1: opens no connection for any spelling of loopback, a local name or a malformed URL', async () => {
  const server = await serve((_, response) => response.end(), { host: '::' });
  for (const url of spellLoopback(server.port)) {
    const error = await fails(outbound.send({ method: 'POST', url }, STRICT));
    assert.is(error.code, 'OUTBOUND_ADDRESS_REFUSED', url);
    assert.not.match(error.message, /The port/, url);
  }
  const malformed = await fails(outbound.send({ method: 'POST', url: 'http://a:b@example.org/' }, STRICT));
  assert.is(malformed.code, 'OUTBOUND_URL_INVALID');
  assert.is(server.connections(), 0);
  await server.close();
});

http('S2: judges every address that a name resolves to, once, and opens a socket to those only', async () => {
  const server = await serve((request, response) => response.end(request.headers.host));
  let calls = 0;
  const rebinding = createOutbound({
    clock: systemClock,
    // Allowed at the first lookup, private at the second: rebinding.
    resolve: async () => [['127.0.0.1', '10.0.0.1'][calls++] ?? '10.0.0.1'],
  });
  const request = { method: 'POST', url: `http://rebind.example:${server.port}/` };
  assert.is((await rebinding.send(request, LOCAL)).status, 200);
  assert.is(calls, 1, 'resolved once');
  assert.is((await fails(rebinding.send(request, LOCAL))).code, 'OUTBOUND_ADDRESS_REFUSED');
  assert.is(server.connections(), 1);

  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['93.184.216.34', '::ffff:127.0.0.1']]) {
    const mixed = createOutbound({ clock: systemClock, resolve: async () => addresses });
    const error = await fails(mixed.send({ method: 'POST', url: 'http://mixed.example:8080/' }, STRICT));
    assert.is(error.code, 'OUTBOUND_ADDRESS_REFUSED');
  }
  assert.is(server.connections(), 1);

  const pinned = createOutbound({ clock: systemClock, resolve: async () => ['127.0.0.1'] });
  const answer = await pinned.send({ method: 'GET', url: `http://name.example:${server.port}/` }, LOCAL);
  assert.is(answer.body, `name.example:${server.port}`, 'the name stays the host');
  await server.close();
});

http('W2, S4: follows no redirect', async () => {
  const target = await serve((_, response) => response.end());
  const server = await serve((_, response) => response.writeHead(302, { location: target.url }).end());
  const answer = await outbound.send({ method: 'POST', url: server.url, body: 'x' }, LOCAL);
  assert.is(answer.status, 302);
  assert.is(target.connections(), 0);
  await server.close();
  await target.close();
});

http('W5: reads so many bytes of an endless answer, then closes', async () => {
  let isClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  const chunk = Buffer.alloc(65_536, 'a');
  const server = await serve((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(200, { 'content-length': String(2 ** 30) });
    response.on('drain', more);
    response.on('close', isClosed);
    more();
  });
  const answer = await outbound.send({ method: 'GET', url: server.url, maxBytes: 20_000 }, LOCAL);
  assert.is(answer.body.length, 20_000);
  await closed;
  await server.close();
});

http('W4: ends at its time-out: a silent server, and one that sends a byte a second', async () => {
  const clock = createFakeClock();
  const timed = createOutbound({ clock });
  let isAsked: () => void = () => {};
  const server = await serve((request, response) => {
    if (request.url === '/drip') response.write('a');
    isAsked();
  });
  for (const path of ['/silent', '/drip']) {
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const sending = fails(timed.send({ method: 'POST', url: `${server.url}${path}`, timeoutSeconds: 15 }, LOCAL));
    await asked;
    clock.advance(14_999);
    clock.advance(1);
    const error = await sending;
    assert.is(error.code, 'OUTBOUND_FAILED');
    assert.is(error.detail, 'timeout');
  }
  await server.close();
});

http('names why: nobody listens, the connection breaks, no TLS, a name without address, given up', async () => {
  const gone = await serve(() => {});
  await gone.close();
  assert.is((await fails(outbound.send({ method: 'GET', url: gone.url }, LOCAL))).detail, 'connect');

  const broken = await serve((request) => request.socket.destroy());
  assert.is((await fails(outbound.send({ method: 'GET', url: broken.url }, LOCAL))).detail, 'reset');
  const secure = `https://127.0.0.1:${broken.port}/`;
  assert.is((await fails(outbound.send({ method: 'GET', url: secure }, LOCAL))).detail, 'tls');
  await broken.close();

  const lost = createOutbound({ clock: systemClock, resolve: async () => Promise.reject(new Error('none')) });
  assert.is((await fails(lost.send({ method: 'GET', url: 'http://lost.example/' }, STRICT))).detail, 'resolve');

  const silent = await serve(() => {});
  const controller = new AbortController();
  const sending = fails(outbound.send({ method: 'GET', url: silent.url, signal: controller.signal }, LOCAL));
  controller.abort();
  assert.is((await sending).detail, 'abort');
  await silent.close();
});

http('a server that speaks nonsense or closes at once is a failure, not a hang', async () => {
  for (const said of [
    'nonsense\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    '',
  ]) {
    const server = createTcp((socket) => {
      socket.on('error', () => {}).resume();
      socket.end(said);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const error = await fails(outbound.send({ method: 'GET', url: `http://127.0.0.1:${port}/` }, LOCAL));
    assert.is(error.code, 'OUTBOUND_FAILED');
    await new Promise((resolve) => server.close(resolve));
  }
});

http('S3: the other end is judged once more by the socket itself', async () => {
  const server = await serve((_, response) => response.end());
  // Judged as the public address, but connected to loopback: simulates a fault between both steps.
  const lying = ['93.184.216.34'];
  lying.map = ((map: (text: string) => unknown) => [map('127.0.0.1')]) as typeof lying.map;
  const fooled = createOutbound({ clock: systemClock, resolve: async () => lying });
  const policy = { allowPrivate: ['93.184.216.34'], isLoopbackAllowed: false };
  const call = { method: 'POST', url: `http://fooled.example:${server.port}/`, body: 'secret' };
  const error = await fails(fooled.send(call, policy));
  assert.is(error.code, 'OUTBOUND_ADDRESS_REFUSED');
  assert.match(error.message, /127\.0\.0\.1/);
  await server.close();
});

http('an answer that is compressed or binary stays as it came', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const server = await serve((request, response) => {
    assert.is(request.headers['accept-encoding'], 'identity');
    if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    else response.end(Buffer.from([0x61, 0x00, 0xc3]));
  });
  const inflated = await outbound.send({ method: 'GET', url: `${server.url}/gzip`, maxBytes: 20_000 }, LOCAL);
  assert.is(inflated.headers['content-encoding'], 'gzip');
  assert.ok(inflated.body.length <= 20_000);
  assert.is((await outbound.send({ method: 'GET', url: server.url }, LOCAL)).body, 'a\u0000');
  await server.close();
});

http('heads without end are a failure', async () => {
  const endless = createTcp((socket) => {
    socket.on('error', () => {}).resume();
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`x-a: ${'b'.repeat(1000)}\r\n`));
    };
    socket.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  assert.is((await fails(outbound.send({ method: 'GET', url: `http://127.0.0.1:${port}/` }, LOCAL))).detail, 'reset');
  await new Promise((resolve) => endless.close(resolve));
});

http('a DNS server that is silent is waited for 5 s', async () => {
  const clock = createFakeClock();
  const silent = createOutbound({ clock, resolve: () => new Promise(() => {}) });
  const sending = fails(silent.send({ method: 'GET', url: 'http://silent.example/' }, STRICT));
  clock.advance(5000);
  assert.is((await sending).detail, 'resolve');
});

http('judge tells forms why', () => {
  assert.is(outbound.judge('https://example.org/', STRICT), undefined);
  assert.match(String(outbound.judge('https://u:p@example.org/', STRICT)), /user name or password/);
  assert.match(String(outbound.judge('https://example.org/#a', STRICT)), /fragment/);
  assert.match(String(outbound.judge('gopher://example.org/', STRICT)), /http/);
  assert.match(String(outbound.judge('http://10.0.0.1/', STRICT)), /private/);
});

http.run();
