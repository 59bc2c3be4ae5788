import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createOutbound } from '../../src/outbound/http.ts';
import { createKeepAliveAgents } from '../../src/outbound/keep-alive-agent.ts';
import { fails, LOCAL, STRICT, serve } from './_serve.ts';

const kept = suite('outbound/kept sockets');

const toCall = (port: number, more: object = {}) => ({
  method: 'POST',
  url: `http://receiver.example:${port}/`,
  body: '{}',
  isRepeatable: true,
  ...more,
});
const resolve = async (): Promise<readonly string[]> => ['127.0.0.1'];

kept('one connection serves calls that may be repeated, and no other', async () => {
  const server = await serve((request, response) => request.resume().on('end', () => response.end('ok')));
  const outbound = createOutbound({ clock: systemClock, resolve });
  for (let turn = 0; turn < 5; turn += 1) assert.is((await outbound.send(toCall(server.port), LOCAL)).body, 'ok');
  assert.is(server.connections(), 1);
  for (let turn = 0; turn < 2; turn += 1) await outbound.send(toCall(server.port, { isRepeatable: false }), LOCAL);
  assert.is(server.connections(), 3);
  await server.close();
});

kept('few wait idle for one receiver, however many were open', async () => {
  const waiting: (() => void)[] = [];
  const server = await serve((request, response) => {
    request.resume();
    waiting.push(() => response.end());
    if (waiting.length === 20) for (const answer of waiting) answer();
  });
  const outbound = createOutbound({ clock: systemClock, resolve });
  await Promise.all(Array.from({ length: 20 }, () => outbound.send(toCall(server.port), LOCAL)));
  for (let turn = 0; server.open() > 2 && turn < 100; turn += 1) await new Promise((done) => setImmediate(done));
  assert.ok(server.open() <= 2, `${server.open()} are open`);
  await server.close();
});

kept('a connection that the other end closed meanwhile is replaced, and the call arrives', async () => {
  const bodies: string[] = [];
  const server = await serve((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    request.on('end', () => response.end());
  });
  const outbound = createOutbound({ clock: systemClock, resolve });
  for (let turn = 0; turn < 5; turn += 1) {
    assert.is((await outbound.send(toCall(server.port, { body: String(turn) }), LOCAL)).status, 200);
    server.hangUp();
  }
  assert.equal(bodies, ['0', '1', '2', '3', '4']);
  await server.close();
});

kept('S2: checks each call again: a name with a new address does not use the old connection', async () => {
  const server = await serve((request, response) => request.resume().on('end', () => response.end()));
  const addresses = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.1']];
  let turn = 0;
  const outbound = createOutbound({ clock: systemClock, resolve: async () => addresses[turn++] ?? [] });
  await outbound.send(toCall(server.port), LOCAL);
  assert.is((await fails(outbound.send(toCall(server.port), LOCAL))).code, 'OUTBOUND_ADDRESS_REFUSED');
  await outbound.send(toCall(server.port), LOCAL);
  assert.is(server.connections(), 2, 'other addresses, another connection');
  await outbound.send(toCall(server.port), LOCAL);
  assert.is(server.connections(), 2, 'the first one again');
  assert.is((await fails(outbound.send(toCall(server.port), STRICT))).code, 'OUTBOUND_ADDRESS_REFUSED');
  await server.close();
});

kept('W5: an answer that is cut is no connection to keep', async () => {
  const server = await serve((_, response) => response.end('x'.repeat(100_000)));
  const outbound = createOutbound({ clock: systemClock, resolve });
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await outbound.send(toCall(server.port, { maxBytes: 20_000 }), LOCAL);
    assert.is(answer.body.length, 20_000);
  }
  assert.is(server.connections(), 2);
  await server.close();
});

kept('what a receiver says before it is asked is not taken for an answer to the next call of another', async () => {
  const server = await serve((request, response) => {
    request.resume();
    response.end('mine');
    request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged');
  });
  const outbound = createOutbound({ clock: systemClock, resolve });
  await outbound.send(toCall(server.port), LOCAL);
  const other = await serve((request, response) => request.resume().on('end', () => response.end('true')));
  assert.is((await outbound.send(toCall(other.port), LOCAL)).body, 'true');
  await server.close();
  await other.close();
});

kept('a receiver cannot hold an idle connection by what it sends unasked', async () => {
  let say: () => void = () => {};
  const server = await serve((request, response) => {
    say = () => request.socket.write('.');
    request.resume().on('end', () => response.end('ok'));
  });
  const outbound = createOutbound({ clock: systemClock, resolve });
  assert.is((await outbound.send(toCall(server.port), LOCAL)).body, 'ok');
  await new Promise((done) => setImmediate(done));
  say();
  // Far shorter than an idle connection lives.
  for (let turn = 0; server.open() > 0 && turn < 5000; turn += 1) await new Promise((done) => setImmediate(done));
  assert.is(server.open(), 0);
  await server.close();
});

kept('those with TLS and those without share the room for idle ones', () => {
  const sockets = createKeepAliveAgents();
  for (const [isFull, others] of [
    [false, 63],
    [true, 64],
  ] as const) {
    Object.assign(sockets.agent(false).freeSockets, { others: Array(others) });
    assert.is((sockets.agent(true).keepSocketAlive(new Socket()) as unknown) === false, isFull, `${others} wait`);
  }
});

kept.run();
