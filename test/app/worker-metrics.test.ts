import prometheus from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Snapshot } from '../../src/app/metrics/registry.ts';
import { type Peer, WorkerMetrics } from '../../src/app/metrics/workers.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';

/** The first process's part, with workers that answer as the test decides. */
const gather = suite('app/metrics/workers');

interface Sent {
  readonly treadle: string;
  readonly id: number;
  readonly text?: string;
}

interface Fake extends Peer {
  readonly sent: Sent[];
}

const createPeer = (id: number): Fake => {
  const sent: Sent[] = [];
  return { id, sent, send: (message) => void sent.push(message) };
};

async function count(requests: number, memory: number): Promise<Snapshot> {
  const registry = new prometheus.Registry();
  new prometheus.Counter({ name: 'requests_total', help: 'r', registers: [registry] }).inc(requests);
  new prometheus.Gauge({ name: 'memory_bytes', help: 'm', registers: [registry] }).set(memory);
  new prometheus.Gauge({ name: 'lag_seconds', help: 'l', aggregator: 'max', registers: [registry] }).set(memory / 10);
  return (await registry.getMetricsAsJSON()) as unknown as Snapshot;
}

interface World {
  readonly clock: FakeClock;
  readonly workers: Fake[];
  readonly gathered: WorkerMetrics;
}

function createWorld(): World {
  const workers = [createPeer(1), createPeer(2)];
  const clock = createFakeClock();
  return {
    clock,
    workers,
    gathered: new WorkerMetrics(
      () => workers,
      clock,
      async () => prometheus,
    ),
  };
}

/** The total sent to a worker. */
async function waitTotal({ sent }: Fake): Promise<Fake['sent'][number]> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const total = sent.find(({ treadle }) => treadle === 'metrics-total');
    if (total) return total;
    assert.ok(performance.now() < deadline, 'no total within a minute');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function readTotal({ workers, gathered, clock }: World, told: Record<number, Snapshot>): Promise<string> {
  const asker = workers[0] as Fake;
  for (const { sent } of workers) sent.length = 0;
  gathered.hear(asker, { treadle: 'metrics-ask', id: 7 });
  for (const worker of workers) {
    const round = worker.sent.find(({ treadle }) => treadle === 'metrics-collect')?.id;
    const snapshot = told[worker.id];
    if (snapshot) gathered.hear(worker, { treadle: 'metrics-tell', id: round, snapshot });
  }
  if (workers.some(({ id }) => told[id] === undefined)) clock.advance(2000);
  const total = await waitTotal(asker);
  assert.is(total.id, 7);
  return total.text ?? '';
}

const findValue = (text: string, name: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
};

gather('sums counters and sizes, and takes the worst delay', async () => {
  const text = await readTotal(createWorld(), { 1: await count(10, 100), 2: await count(5, 300) });
  assert.is(findValue(text, 'requests_total'), 15);
  assert.is(findValue(text, 'memory_bytes'), 400);
  assert.is(findValue(text, 'lag_seconds'), 30);
  assert.is(findValue(text, 'treadle_workers{state="answering"}'), 2);
});

gather('a worker that is too busy to tell counts as before, without its sizes, and is called silent', async () => {
  const world = createWorld();
  await readTotal(world, { 1: await count(10, 100), 2: await count(5, 300) });
  const text = await readTotal(world, { 1: await count(12, 100) });
  assert.is(findValue(text, 'requests_total'), 17);
  assert.is(findValue(text, 'memory_bytes'), 100);
  assert.is(findValue(text, 'treadle_workers{state="silent"}'), 1);
});

gather('what workers counted that ended stays, so that the sum never falls', async () => {
  const world = createWorld();
  await readTotal(world, { 1: await count(10, 100), 2: await count(5, 300) });
  for (const next of [3, 4, 5]) {
    const [gone] = world.workers.splice(1, 1, createPeer(next));
    await world.gathered.leave((gone as Fake).id);
    const text = await readTotal(world, { 1: await count(10, 100), [next]: await count(5, 300) });
    assert.is(findValue(text, 'requests_total'), 10 + 5 * (next - 1));
    assert.is(findValue(text, 'memory_bytes'), 400);
  }
});

gather('a worker that ends while it is asked holds nobody up', async () => {
  const { gathered, workers } = createWorld();
  const [first, second] = workers as [Fake, Fake];
  gathered.hear(first, { treadle: 'metrics-ask', id: 7 });
  gathered.hear(first, { treadle: 'metrics-tell', id: 1, snapshot: await count(1, 1) });
  await gathered.leave(second.id);
  await waitTotal(first);
});

gather('other messages are not its affair', () => {
  const { gathered, workers } = createWorld();
  for (const message of [null, 'text', 7, {}, { treadle: 'metrics-ask' }, { treadle: 'other', id: 1 }])
    gathered.hear(workers[0] as Fake, message);
  const sent = workers.flatMap((worker) => worker.sent);
  assert.equal(sent, []);
});

gather.run();
