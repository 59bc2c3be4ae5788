import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Handle } from '../../../src/http/handle.ts';
import { createServer, toMostConnections } from '../../../src/http/server.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('http/connection/connections');

interface Client {
  readonly socket: Socket;
  text(): string;
  readonly closed: Promise<void>;
}

function open(url: string, sent = ''): Promise<Client> {
  const { port, hostname } = new URL(url);
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      if (sent !== '') socket.write(sent);
      resolve({ socket, text: () => Buffer.concat(chunks).toString(), closed });
    });
    const closed = new Promise<void>((done) => socket.on('close', () => done()));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A closing server may reset the connection.
    socket.on('error', reject);
  });
}

const toRequest = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A server that accepts requests and answers them when the test says so. */
async function createCase(connections?: number) {
  const clock = createFakeClock();
  const begun: string[] = [];
  const sockets: Socket[] = [];
  const answers = new Map<string, (text: string) => void>();
  const heard: { at: number; resolve: () => void }[] = [];
  const dispatch: Handle = (req, res) => {
    const { url = '' } = req;
    begun.push(url);
    sockets.push(req.socket);
    answers.set(url, (text) => res.end(text));
    for (const { at, resolve } of heard) if (begun.length >= at) resolve();
  };
  const lifecycle = { isStopping: false };
  const server = createServer({
    dispatch,
    clock,
    lifecycle,
    trustProxy: true,
    ...(connections === undefined ? {} : { connections }),
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    clock,
    begun,
    url,
    server,
    /** The server's side of the connections, one for each request. */
    sockets,
    answer: (path: string, text = path): void => answers.get(path)?.(text),
    /** Resolves when this many requests have started. */
    hear: (at: number): Promise<void> =>
      new Promise((resolve) => {
        if (begun.length >= at) resolve();
        else heard.push({ at, resolve });
      }),
    close: () => server.close(0),
  };
}

/** Resolves when the server reports it; the system reports sockets, not a clock. */
async function until(test: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !test() && Date.now() < end; ) await new Promise((done) => setImmediate(done));
  assert.ok(test());
}

test('four pipelined requests are under way at the same time, and all are answered in order', async () => {
  const site = await createCase();
  const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
  const client = await open(site.url, paths.map(toRequest).join(''));
  await site.hear(4);
  assert.equal(site.begun, paths.slice(0, 4));
  site.answer('/1');
  site.answer('/2');
  site.answer('/3');
  site.answer('/0');
  await site.hear(8);
  assert.is(site.begun.length, 8);
  for (const path of paths.slice(4, 8)) site.answer(path);
  await site.hear(10);
  for (const path of paths.slice(8)) site.answer(path);
  await until(() => client.text().endsWith('/9'));
  assert.equal(
    [...client.text().matchAll(/\r\n\r\n(\/\d)/g)].map(([, path]) => path),
    paths,
  );
  client.socket.write(toRequest('/again'));
  await site.hear(11);
  site.answer('/again');
  await until(() => client.text().endsWith('/again'));
  client.socket.destroy();
  await site.close();
});

test('connections that pipeline have 16 requests under way together before their first ones are answered', async () => {
  const site = await createCase();
  const clients = await Promise.all(
    Array.from({ length: 10 }, (_, client) =>
      open(site.url, Array.from({ length: 5 }, (_each, index) => toRequest(`/${client}/${index}`)).join('')),
    ),
  );
  await site.hear(26);
  await new Promise((done) => setImmediate(done));
  assert.is(site.begun.length, 26);
  // A client's released place is available to another.
  for (const { socket } of clients.slice(0, 9)) socket.destroy();
  await until(() => site.server.connections.open === 1);
  for (let index = 0; index < 5; index += 1) {
    await until(() => site.begun.includes(`/9/${index}`));
    site.answer(`/9/${index}`);
  }
  const last = await open(site.url, Array.from({ length: 5 }, (_, index) => toRequest(`/last/${index}`)).join(''));
  await until(() => site.begun.includes('/last/3'));
  assert.not(site.begun.includes('/last/4'));
  last.socket.destroy();
  clients[9]?.socket.destroy();
  await site.close();
});

test('the requests of a client that leaves are not begun', async () => {
  const site = await createCase();
  const client = await open(site.url, Array.from({ length: 20 }, (_, index) => toRequest(`/${index}`)).join(''));
  await site.hear(4);
  client.socket.destroy();
  await until(() => site.server.connections.open === 0);
  for (const path of [...site.begun]) site.answer(path);
  const other = await open(site.url, toRequest('/other'));
  await site.hear(5);
  assert.equal(site.begun, ['/0', '/1', '/2', '/3', '/other']);
  other.socket.destroy();
  await site.close();
});

test('a connection that pipelines too many is closed once the first 32 are answered', async () => {
  const site = await createCase();
  const client = await open(site.url, Array.from({ length: 40 }, (_, index) => toRequest(`/${index}`)).join(''));
  await site.hear(4);
  // The others arrived in the same chunk.
  await new Promise((done) => setImmediate(done));
  for (let count = 0; count < 32; count += 1) {
    await site.hear(count + 1);
    site.answer(`/${count}`);
  }
  await client.closed;
  const answered = [...client.text().matchAll(/\r\n\r\n\/(\d+)/g)].map(([, path]) => Number(path));
  assert.equal(
    answered,
    Array.from({ length: 32 }, (_, index) => index),
  );
  assert.is(site.begun.length, 32);
  assert.match(client.text(), /connection: close/i);
  await site.close();
});

test('a connection that sends nothing is closed after 10 s; one that waits for its answer is not', async () => {
  const site = await createCase();
  const silent = await open(site.url);
  const busy = await open(site.url, toRequest('/busy'));
  await site.hear(1);
  for (let second = 0; second < 10; second += 0.5) site.clock.advance(500);
  assert.is(site.server.connections.open, 2);
  site.clock.advance(500);
  await silent.closed;
  site.answer('/busy');
  await until(() => busy.text().endsWith('/busy'));
  assert.equal(site.server.connections, { open: 1, most: 4096, closed: 1, refused: 0 });
  busy.socket.destroy();
  await site.close();
});

test('a new connection takes the place of a silent one, then of one that is idle; where all are busy it gets 503', async () => {
  const site = await createCase(3);
  const idle = await open(site.url, toRequest('/idle'));
  await site.hear(1);
  site.answer('/idle');
  await until(() => idle.text().endsWith('/idle'));
  const silent = await open(site.url);
  await until(() => site.server.connections.open === 2);
  const busy = [await open(site.url, toRequest('/1')), await open(site.url, toRequest('/2'))];
  await silent.closed;
  await site.hear(3);
  assert.is(idle.socket.destroyed, false);
  busy.push(await open(site.url, toRequest('/3')));
  await idle.closed;
  await site.hear(4);
  const refused = await open(site.url);
  await refused.closed;
  assert.match(refused.text(), /^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\nConnection: close\r\n/);
  assert.equal(site.server.connections, { open: 3, most: 3, closed: 2, refused: 1 });
  for (const path of ['/1', '/2', '/3']) site.answer(path);
  await until(() => busy.every((client, index) => client.text().endsWith(`/${index + 1}`)));
  for (const client of busy) client.socket.destroy();
  await site.close();
});

test('closes a connection after 20 s if its client reads nothing of an answer', async () => {
  const site = await createCase();
  const client = await open(site.url);
  client.socket.pause();
  client.socket.write(toRequest('/large'));
  await site.hear(1);
  const socket = site.sockets.at(-1) as Socket;
  assert.is(socket.timeout ?? 0, 0);
  site.answer('/large', 'x'.repeat(32_000_000));
  await until(() => socket.writableLength > 0);
  site.clock.advance(500);
  assert.is(socket.timeout, 10_000, 'by a timer of the system, which sees each byte that is read');
  socket.emit('timeout');
  await until(() => site.server.connections.open === 0);
  assert.is(site.server.connections.closed, 1);
  client.socket.destroy();
  await site.close();
});

test('where clients together leave 32 MB unread, those who read least are closed at once', async () => {
  const site = await createCase();
  const clients = await Promise.all(['/1', '/2', '/3'].map((path) => open(site.url, toRequest(path))));
  for (const { socket } of clients.slice(0, 2)) socket.pause();
  await site.hear(3);
  for (const path of ['/1', '/2']) site.answer(path, 'x'.repeat(24_000_000));
  await until(() => site.sockets.filter(({ writableLength }) => writableLength > 0).length === 2);
  site.clock.advance(500);
  await until(() => site.server.connections.open === 1);
  site.answer('/3');
  await until(() => clients[2]?.text().endsWith('/3') === true);
  for (const { socket } of clients) socket.destroy();
  await site.close();
});

test('the descriptors of the process bound its connections, and some stay for files', () => {
  for (const [wanted, descriptors, most] of [
    [4096, undefined, 4096],
    [4096, 1_048_576, 4096],
    [4096, 4096, 3840],
    [4096, 1024, 768],
    [4096, 256, 192],
    [100, 256, 100],
    [4096, 64, 32],
    [4096, 20, 8],
  ] as const) {
    assert.is(toMostConnections(wanted, descriptors), most, `${wanted} of ${descriptors}`);
  }
});

test.run();
