import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log } from '../../src/core/log/log.ts';
import { createLife, type Life } from '../../src/project/life.ts';
import { createModuleCache, createModuleLoader } from '../../src/project/module-loader.ts';
import { createFakeClock } from '../clock.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/life');

interface Noted {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function createNotes(): { readonly log: Log; readonly notes: Noted[] } {
  const notes: Noted[] = [];
  const note = (event: string, fields = {}): void => void notes.push({ event, fields });
  return { log: { debug: note, info: note, warn: note, error: note }, notes };
}

const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Loads `main.ts`, of which the default export is called; returns the life and what the code counted. */
async function live(text: string, cache = createModuleCache()) {
  const folder = createFolder({ 'main.ts': text });
  const { log, notes } = createNotes();
  const clock = createFakeClock();
  const life: Life = createLife({ root: folder.root, log, clock });
  const seen: string[] = [];
  await life.load(async () => {
    const loader = createModuleLoader({ root: folder.root, provided: {}, cache, timers: life.timers });
    const result = loader.load('main.ts');
    if (!result.isLoaded) throw new Error(result.problem.message);
    await (result.exports as { default: (seen: string[], life: Life) => unknown }).default(seen, life);
  });
  return { life, seen, notes, clock, end: () => folder.remove() };
}

const INTERVAL = "export default (seen) => { setInterval(() => seen.push('tick'), 1); };";

test('an interval runs once the code is served, and no longer after it', async () => {
  const { life, seen, end } = await live(INTERVAL);
  await turns();
  assert.equal(seen, [], 'the code is not served yet');
  life.start();
  await turns();
  assert.ok(seen.length > 0);
  life.silence();
  const count = seen.length;
  await turns();
  assert.is(seen.length, count);
  end();
});

test('a hundred loads, each of which ends the one before, leave one timer', async () => {
  const cache = createModuleCache();
  const all = [];
  for (let load = 0; load < 100; load += 1) {
    const last = all.at(-1);
    const next = await live(INTERVAL, cache);
    next.life.start();
    await last?.life.end();
    all.push(next);
  }
  for (const { seen } of all) seen.length = 0;
  await turns();
  assert.equal(all.map(({ seen }) => seen.length > 0).lastIndexOf(false), 98);
  assert.ok(all.at(-1)?.seen.length);
  for (const { life, end } of all) {
    await life.end();
    end();
  }
});

const LOOPS: Readonly<Record<string, string>> = {
  'a timeout that sets itself again':
    "export default (seen) => { const go = () => { seen.push('tick'); setTimeout(go, 1); }; go(); };",
  'a loop that sleeps by timers/promises': `import { setTimeout as sleep } from 'node:timers/promises';
export default (seen) => { void (async () => { for (;;) { await sleep(1); seen.push('tick'); } })(); };`,
  'a loop that sleeps by promisify': `import { promisify } from 'node:util';
const sleep = promisify(setTimeout);
export default (seen) => { void (async () => { for (;;) { await sleep(1); seen.push('tick'); } })(); };`,
  'an iterator of intervals': `import { setInterval } from 'timers/promises';
export default (seen) => { void (async () => { for await (const _ of setInterval(1)) seen.push('tick'); })(); };`,
  'an interval of node:timers': `import { setInterval } from 'node:timers';
export default (seen) => { setInterval(() => seen.push('tick'), 1); };`,
};

for (const [name, text] of Object.entries(LOOPS))
  test(`${name} ends with the load`, async () => {
    const { life, seen, end } = await live(text);
    life.start();
    await turns();
    assert.ok(seen.length > 0);
    await life.end();
    await turns();
    const count = seen.length;
    await turns();
    assert.is(seen.length, count);
    end();
  });

test('waiting while it loads works; what is still to come waits until the code is served', async () => {
  const { life, seen, end } = await live(`export default async (seen) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push('loaded');
    setTimeout(() => seen.push('later'), 0);
  };`);
  await turns();
  assert.equal(seen, ['loaded']);
  life.start();
  assert.equal(seen, ['loaded', 'later']);
  await life.end();
  end();
});

test('a timer that the code clears stays cleared; a module may declare such a name itself', async () => {
  const { life, seen, end } = await live(`const setInterval = () => 'own';
export default (seen) => { const timer = setTimeout(() => seen.push('no'), 0); clearTimeout(timer); seen.push(setInterval()); };`);
  life.start();
  await turns();
  assert.equal(seen, ['own']);
  await life.end();
  end();
});

test('work that starts outside the loading keeps its timers', async () => {
  const { life, seen, end } = await live(`export default (seen) => { globalThis.lentSleep = () =>
    new Promise((resolve) => setTimeout(() => resolve(seen.push('served')), 1)); };`);
  const { lentSleep } = globalThis as unknown as { lentSleep: () => Promise<void> };
  const served = lentSleep();
  await life.end();
  await served;
  assert.equal(seen, ['served']);
  end();
});

test('closes in reverse order, goes on after an error, and names its place', async () => {
  const { life, seen, notes, end } = await live(`export default (seen, life) => {
  life.onClose(() => seen.push('first'));
  life.onClose(async () => { throw new Error('broken pool'); });
  life.onClose(async () => { await null; seen.push('last'); });
};`);
  await Promise.all([life.end(), life.end()]);
  assert.equal(seen, ['last', 'first']);
  assert.equal(
    notes.map(({ event, fields }) => [event, fields.place]),
    [['a function of app.onClose failed', 'main.ts:3']],
  );
  life.onClose(() => seen.push('late'));
  assert.equal(seen, ['last', 'first', 'late'], 'a life that has ended closes at once');
  end();
});

test('a function that does not end is left after 1.5 s and named', async () => {
  const { life, notes, clock, end } = await live(`export default (seen, life) => {
  life.onClose(() => new Promise(() => {}));
};`);
  const ending = life.end();
  await turns();
  clock.advance(1500);
  await ending;
  assert.equal(notes, [{ event: 'a function of app.onClose did not end in time', fields: { place: 'main.ts:2' } }]);
  end();
});

test('a connection and a server that were left open are named with their place', async () => {
  const target = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await new Promise((resolve) => target.once('listening', resolve));
  const { port } = target.address() as { port: number };
  const { life, notes, clock, end } = await live(`import net from 'node:net';
export default async (seen, life) => {
  const left = net.connect(${port}, '127.0.0.1');
  const server = net.createServer().listen(0, '127.0.0.1');
  const closed = net.connect(${port}, '127.0.0.1');
  await Promise.all([left, server, closed].map((one) => new Promise((resolve) => one.once(one === server ? 'listening' : 'connect', resolve))));
  life.onClose(() => closed.destroy());
  globalThis.lentClose = () => { left.destroy(); server.close(); };
};`);
  await life.end();
  await turns();
  life.tellLeft();
  clock.advance(2000);
  const hint = 'Close it in app.onClose.';
  assert.equal(
    notes.map(({ fields }) => fields),
    [
      { what: 'a connection', place: 'main.ts:3', hint },
      { what: 'a server', place: 'main.ts:4', hint },
    ],
  );
  (globalThis as unknown as { lentClose: () => void }).lentClose();
  target.close();
  end();
});

test.run();
