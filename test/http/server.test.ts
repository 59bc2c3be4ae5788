import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createServer } from '../../src/http/server.ts';
import { ask } from '../client.ts';
import { createHarness } from './_harness.ts';

const test = suite('http/server');

/** Sends raw bytes and returns the complete answer. */
function sendRaw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

test('on closing, requests in flight end with their connection, new ones are not taken, readiness is gone', async () => {
  const gate: { open?: () => void; entered?: () => void } = {};
  const entered = new Promise<void>((resolve) => {
    gate.entered = resolve;
  });
  const harness = await createHarness({
    routes: {
      'GET /slow': async (_q, r) => {
        gate.entered?.();
        await new Promise<void>((resolve) => {
          gate.open = resolve;
        });
        r.setContent('done');
      },
      'GET /health/ready': {
        kind: 'open',
        listener: (_q, r) => void r.setError(false).setResults({ status: 'ready' }),
      },
    },
  });
  const agent = new Agent({ keepAlive: true });
  const slow = new Promise<{ text: string; connection: string | undefined }>((resolve, reject) => {
    httpRequest(`${harness.url}/slow`, { agent }, (res) => {
      let text = '';
      res.on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => resolve({ text, connection: res.headers.connection }));
    })
      .on('error', reject)
      .end();
  });
  await entered;
  assert.is((await ask(`${harness.url}/health/ready`)).status, 200);
  const closed = harness.close(5000);
  await ask(`${harness.url}/slow`).then(
    () => assert.unreachable(),
    (error: NodeJS.ErrnoException) => assert.is(error.code, 'ECONNREFUSED'),
  );
  gate.open?.();
  assert.equal(await slow, { text: 'done', connection: 'close' });
  await closed;
  agent.destroy();
  await harness.remove();
});

test('while stopping, readiness answers 503 on a connection that is still open', async () => {
  const harness = await createHarness();
  harness.lifecycle.isStopping = true;
  const answer = await ask(`${harness.url}/health/ready`, { headers: { accept: 'application/json' } });
  assert.is(answer.status, 503);
  assert.is(answer.headers.connection, 'close');
  await harness.remove();
});

test('a second close cuts what hangs; so does the end of the grace', async () => {
  for (const graceMs of [60_000, 1]) {
    const harness = await createHarness({ routes: { 'GET /hang': () => new Promise(() => {}) } });
    const hanging = ask(`${harness.url}/hang`).catch((error: NodeJS.ErrnoException) => error.code);
    await ask(`${harness.url}/none`);
    const closed = harness.close(graceMs);
    if (graceMs > 1) void harness.close();
    await closed;
    assert.is(await hanging, 'ECONNRESET');
    await harness.remove();
  }
});

test('a taken port is named, and another server in the process is its own', async () => {
  const options = { dispatch: () => {}, clock: systemClock, lifecycle: { isStopping: false } };
  const first = createServer(options);
  const second = createServer({ ...options, lifecycle: { isStopping: false } });
  const url = await first.listen({ port: 0, host: '127.0.0.1' });
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  try {
    await second.listen({ port: Number(new URL(url).port), host: '127.0.0.1' });
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code?: string }).code, 'SERVER_PORT_TAKEN');
  }
  await first.close();
  await second.close();
});

test('malformed and smuggled requests are refused', async () => {
  const harness = await createHarness({ routes: { 'POST /x': (_q, r) => void r.setContent('no') } });
  const host = 'Host: a\r\nConnection: close\r\n';
  const corpus = [
    `POST /x HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG`,
    `POST /x HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `POST /x HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    `GET /x HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET x HTTP/1.1\r\n${host}\r\n`,
    `GET * HTTP/1.1\r\n${host}\r\n`,
  ];
  for (const text of corpus) assert.match(await sendRaw(harness.url, text), /^(HTTP\/1\.1 400 |$)/, text);
  const absolute = await sendRaw(harness.url, `GET http://a/none?x=1 HTTP/1.1\r\n${host}\r\n`);
  assert.match(absolute, /^HTTP\/1\.1 404 /);
  await harness.remove();
});

test.run();
