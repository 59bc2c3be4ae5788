// Measures the cost of unresponsive receivers: the action that fires the hooks, a live receiver among a hundred
// silent ones, and memory. Sites are measured in turn, in the same run; then inline delivery, which is expected to
// cost time.
// Usage: node --import tsx test/bench/webhook.mjs [--rounds 5] [--seconds 15] [--rate 200] [--database postgres://…]
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApp } from '../../src/boot.ts';
import { writeProject } from '../../src/cli/create/project.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { ask } from '../database/_server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    // For each site and round: a p99 needs thousands of actions.
    seconds: { type: 'string', default: '15' },
    rate: { type: 'string', default: '200' },
    database: { type: 'string' },
    child: { type: 'boolean', default: false },
  },
});
const DEAD = 100;
/** Actions per second when each makes 101 deliveries. */
const FAN_RATE = 10;
const TIMEOUT_SECONDS = 15;
/** Length of a site's turn, so that pauses of the machine, one in a few seconds, affect all sites alike. */
const SLICE_SECONDS = 0.5;
const INLINE_SECONDS = 1;
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
const median = (list) => quantile(list, 0.5);
const toSigned = (value) => `${value >= 0 ? '+' : ''}${value.toFixed(1)} ms`;
const ms = (value) => `${value.toFixed(1)} ms`;

/** A site: every other action is for the live receiver, the rest for the hundred in turn. */
async function serveChild() {
  const { root, env } = await new Promise((done) => process.once('message', done));
  const app = await createApp({ root, mode: 'production', env, log: silentLog });
  const state = { number: 0 };
  const act = async (lane) => {
    const begun = performance.now();
    const stage = { schema: 'ledger', ledger_name: String(Date.now()), ledger_lane: lane };
    const response = await app.emit('system-model-create', stage);
    if (response.isError()) throw new Error(response.getMessage());
    return performance.now() - begun;
  };
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ({ lane, seconds, rate, isFan }) => {
    if (lane !== undefined) return process.send({ took: [await act(lane)] });
    const [begun, doing] = [performance.now(), []];
    while (performance.now() - begun < seconds * 1000) {
      for (; doing.length < ((performance.now() - begun) / 1000) * rate; state.number += 1)
        doing.push(act(isFan || state.number % 2 === 0 ? 'live' : `lane${((state.number - 1) / 2) % DEAD}`));
      await pause(2);
    }
    process.send({ took: await Promise.all(doing) });
  });
  process.send({ isReady: true });
}

function writeSite(root, { hooks = [], apps = [], settings }) {
  writeProject({ folder: root, template: 'bare', random: (bytes) => Buffer.alloc(bytes, 7) });
  const write = (path, value) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value, null, 2));
  };
  write('config/settings.json', { name: 'Bench', webhook: { allowPrivate: ['127.0.0.0/8'], ...settings } });
  const fields = ['name', 'lane'].map((name) => ({ name, type: 'text' }));
  write('config/schema/ledger.json', { name: 'ledger', singular: 'Ledger', plural: 'Ledgers', fields });
  for (const { lane, url, delivery = 'queued' } of hooks) {
    const parameters = { schema: 'ledger', ledger_lane: lane };
    const hook = { title: lane, event: 'system-model-create', parameters, type: 'ledger.created', delivery };
    if (url) hook.url = url;
    write(`config/webhook/${lane}.json`, hook);
  }
  for (const [index, webhook] of apps.entries()) {
    const hash = `sha256:${'0'.repeat(64)}`;
    const app = {
      title: `App ${index}`,
      clientId: `app${index}`,
      secretHash: hash,
      redirectUris: ['https://example.org/back'],
    };
    write(`config/app/app${index}.json`, { ...app, scopes: [], webhook, hooks: hooks.map(({ lane }) => lane) });
  }
}

/** Answers by path: `/live` at once, recording the age of the event; `/slow` after 400 ms; `/silent` never. */
async function openReceiver() {
  const ages = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      if (request.url.startsWith('/silent')) return;
      if (request.url === '/live') ages.push(Date.now() - Number(JSON.parse(text).data.ledger_name));
      if (request.url === '/slow') setTimeout(() => response.end(), 400);
      else response.end();
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { ages, server, url: `http://127.0.0.1:${server.address().port}` };
}

const sites = [];
const folder = mkdtempSync(join(tmpdir(), 'treadle-hooks-'));

async function startSite(name, parts) {
  const root = join(folder, name);
  writeSite(root, { settings: {}, ...parts });
  const url = values.database && new URL(values.database);
  const schema = `treadle_bench_${name}_${process.pid}`;
  if (url) url.searchParams.set('schema', schema);
  const env = {
    DATABASE_URL: url ? String(url) : 'sqlite:var/app.db',
    TREADLE_SECRET: 'a secret of at least 32 characters, for a bench',
  };
  await (await createApp({ root, mode: 'test', env, log: silentLog })).close();
  const child = fork(fileURLToPath(import.meta.url), ['--child'], { execArgv: ['--import', 'tsx'] });
  const next = () => new Promise((done) => child.once('message', done));
  const ready = next();
  child.send({ root, env });
  await ready;
  const site = {
    name,
    schema,
    child,
    p99: [],
    async act(order) {
      const answer = next();
      child.send(order);
      return (await answer).took;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
  };
  sites.push(site);
  return site;
}

/** Lets sites act in turn; returns the age of each site's last event at the live receiver. */
async function takeTurns(among, { receiver, ...more }) {
  const order = { seconds: SLICE_SECONDS, ...more };
  // Skips the one-time work in the first seconds of a process.
  for (const site of among) await site.act({ ...order, seconds: 8 });
  const ages = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const took = new Map(among.map((site) => [site, []]));
    for (let slice = 0; slice < Number(values.seconds) / SLICE_SECONDS; slice += 1) {
      for (const site of slice % 2 ? among : [...among].reverse()) {
        receiver.ages.length = 0;
        took.get(site).push(...(await site.act(order)));
        // Its pending deliveries must not burden the next site.
        await pause(50);
        if (site === among.at(-1)) ages.push(...receiver.ages);
      }
    }
    for (const site of among) site.p99.push(quantile(took.get(site), 0.99));
  }
  return ages;
}

const tellFirst = (ages) =>
  console.log(
    `live receiver beside them: first attempt p50 ${median(ages)} ms, p99 ${quantile(ages, 0.99)} ms (${ages.length} events)`,
  );

/** Each event goes to every receiver: a hundred unresponsive apps and a live one. */
async function measureFan(receiver) {
  const settings = { timeoutSeconds: TIMEOUT_SECONDS };
  const silent = Array.from({ length: DEAD }, (_, n) => `${receiver.url}/silent${n}`);
  const none = await startSite('alone', { settings });
  const fan = await startSite('fan', {
    hooks: [{ lane: 'live' }],
    apps: [`${receiver.url}/live`, ...silent],
    settings,
  });
  const ages = await takeTurns([none, fan], { rate: FAN_RATE, isFan: true, receiver });
  const more = median(fan.p99.map((value, index) => value - none.p99[index]));
  console.log(
    `each event to all of ${DEAD + 1} apps, ${FAN_RATE} actions a second: action p99 ${ms(median(none.p99))} without, ${ms(median(fan.p99))} with, paired ${toSigned(more)}`,
  );
  tellFirst(ages);
  return more <= 5 && quantile(ages, 0.99) < 1000;
}

async function measureQueued(receiver) {
  const dead = (path) =>
    Array.from({ length: DEAD }, (_, n) => ({ lane: `lane${n}`, url: `${receiver.url}${path}${n}` }));
  const live = { lane: 'live', url: `${receiver.url}/live` };
  const settings = { timeoutSeconds: TIMEOUT_SECONDS };
  const none = await startSite('none', { hooks: [live], settings });
  const answering = await startSite('answering', { hooks: [live, ...dead('/well')], settings });
  const silent = await startSite('silent', { hooks: [live, ...dead('/silent')], settings });
  const before = silent.memory();
  const ages = await takeTurns([none, answering, silent], { rate: Number(values.rate), receiver });
  const [a, b, c] = [none, answering, silent].map((site) => median(site.p99));
  const more = median(silent.p99.map((value, index) => value - none.p99[index]));
  const paired = median(silent.p99.map((value, index) => value - answering.p99[index]));
  const share = median(silent.p99.map((value, index) => value / answering.p99[index]));
  console.log(
    `action p99, median of ${values.rounds}: no hook ${ms(a)}, 100 that answer ${ms(b)}, 100 that hang ${ms(c)}`,
  );
  console.log(
    `paired with no hook: ${toSigned(more)}: each second action then writes an event and a job more, and all that follows from it`,
  );
  console.log(`paired with those that answer: ${toSigned(paired)}, ${((share - 1) * 100).toFixed(1)}%`);
  tellFirst(ages);
  console.log(
    `memory of the site with silent receivers: ${before.toFixed(0)} MB, then ${silent.memory().toFixed(0)} MB`,
  );
  // The cost of unresponsive receivers; the cost of hooks in general is printed above.
  return (paired <= 5 || share <= 1.1) && quantile(ages, 0.99) < 1000;
}

async function measureInline(receiver) {
  const hooks = [
    { lane: 'well', url: `${receiver.url}/well` },
    { lane: 'slow', url: `${receiver.url}/slow` },
    { lane: 'silent', url: `${receiver.url}/silent` },
    { lane: 'dead', url: 'http://127.0.0.1:9/' },
  ].map((hook) => ({ ...hook, delivery: 'inline' }));
  const site = await startSite('inline', { hooks, settings: { timeoutSeconds: INLINE_SECONDS } });
  await site.act({ lane: 'well' });
  const took = {};
  // A failed action ends the site, and the bench.
  for (const { lane } of hooks) [took[lane]] = await site.act({ lane });
  const said = Object.entries(took).map(([lane, value]) => `${lane} ${ms(value)}`);
  console.log(`inline, time-out ${INLINE_SECONDS} s: ${said.join(', ')}; none failed`);
  const limit = INLINE_SECONDS * 1000;
  return took.slow >= 400 && took.slow < limit && took.silent >= limit * 0.95 && took.silent < limit + 1000;
}

async function run() {
  const receiver = await openReceiver();
  try {
    const isFair = await measureQueued(receiver);
    const isFan = await measureFan(receiver);
    const isInline = await measureInline(receiver);
    const isHeld = isFair && isFan && isInline;
    if (!isHeld) process.exitCode = 1;
    console.log(isHeld ? 'held' : 'not held');
  } finally {
    for (const { child } of sites) child.kill('SIGKILL');
    receiver.server.closeAllConnections();
    receiver.server.close();
    if (values.database)
      for (const { schema } of sites) await ask(values.database, `drop schema if exists ${schema} cascade`);
    await pause(200);
    rmSync(folder, { recursive: true, force: true });
  }
}

await (values.child ? serveChild() : run());
