import type { Worker } from 'node:cluster';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Balancer } from '../../../src/cli/worker/balancer.ts';
import { createFakeClock } from '../../clock.ts';

/** A worker in this process: it keeps connections until told to take them. */
class Fake {
  readonly handed: { readonly id: number; readonly socket: Socket }[] = [];
  #hear: () => void = () => {};

  isConnected(): boolean {
    return true;
  }
  send({ id }: { id: number }, socket: Socket): boolean {
    this.handed.push({ id, socket });
    this.#hear();
    return true;
  }
  /** Resolves when it has been handed this many connections. */
  async has(count: number): Promise<void> {
    while (this.handed.length < count) {
      await new Promise<void>((resolve) => {
        this.#hear = resolve;
      });
    }
  }
  get worker(): Worker {
    return this as unknown as Worker;
  }
}

const ADDRESS = { port: 0, host: '127.0.0.1' };

async function open(balancer: Balancer): Promise<() => Promise<Socket>> {
  const port = Number(new URL(await balancer.open(ADDRESS)).port);
  return () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, ADDRESS.host, () => resolve(socket));
      socket.on('error', reject);
    });
}
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.resume().once('close', () => resolve()));
const toText = async (socket: Socket): Promise<string> => {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
};

const test = suite('cli/worker/balancer');

test('connections go to workers in turn, and first to those that take them', async () => {
  const balancer = new Balancer(createFakeClock());
  const [busy, quick] = [new Fake(), new Fake()];
  const join = await open(balancer);
  for (const { worker } of [busy, quick]) balancer.add(worker);
  const clients = [await join(), await join()];
  await Promise.all([busy.has(1), quick.has(1)]);
  for (let count = 2; count <= 4; count += 1) {
    const [last] = quick.handed.slice(-1);
    balancer.taken(quick.worker, last?.id ?? -1);
    clients.push(await join());
    await quick.has(count);
  }
  assert.is(busy.handed.length, 1);
  balancer.close();
  for (const client of clients) client.destroy();
});

test('what a worker that died had not taken is served by another one', async () => {
  const balancer = new Balancer(createFakeClock());
  const [dead, alive] = [new Fake(), new Fake()];
  const join = await open(balancer);
  balancer.add(dead.worker);
  const client = await join();
  await dead.has(1);
  balancer.add(alive.worker);
  balancer.remove(dead.worker);
  await alive.has(1);
  alive.handed[0]?.socket.end('served');
  assert.is(await toText(client), 'served');
  balancer.taken(alive.worker, alive.handed[0]?.id ?? -1);
  await balancer.settled();
  balancer.close();
});

test('without a worker nobody can connect; who had connected waits 5 s for the next one', async () => {
  const clock = createFakeClock();
  const balancer = new Balancer(clock);
  const [first, second] = [new Fake(), new Fake()];
  const join = await open(balancer);
  balancer.add(first.worker);
  const client = await join();
  await first.has(1);
  balancer.remove(first.worker);
  await join().then(
    () => assert.unreachable(),
    (error: NodeJS.ErrnoException) => assert.is(error.code, 'ECONNREFUSED'),
  );
  balancer.add(second.worker);
  await second.has(1);
  balancer.remove(second.worker);
  clock.advance(5000);
  await Promise.all([closed(client), balancer.settled()]);
});

test('a worker that will end is handed nothing more, and takes what it has', async () => {
  const balancer = new Balancer(createFakeClock());
  const [leaving, staying] = [new Fake(), new Fake()];
  const join = await open(balancer);
  balancer.add(leaving.worker);
  const clients = [await join()];
  await leaving.has(1);
  balancer.add(staying.worker);
  balancer.retire(leaving.worker);
  clients.push(await join(), await join());
  await staying.has(2);
  assert.is(leaving.handed.length, 1);
  balancer.close();
  for (const client of clients) client.destroy();
});

test.run();
