// Measures what receivers that hang cost: the action that fires the hooks, a live receiver beside a hundred silent ones, and
// memory. Sites are measured in turn, in the same run; then what inline delivery costs, which is meant to cost something.
// Usage: node --import tsx test/bench/webhook.mjs [--rounds 5] [--seconds 5] [--rate 200] [--database postgres://…]
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
import { silentLog } from '../../src/core/log.ts';
import { ask } from '../database/_server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '200' },
    database: { type: 'string' },
    child: { type: 'boolean', default: false },
  },
});
const DEAD = 100;
const TIMEOUT_SECONDS = 15;
const INLINE_SECONDS = 1;
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
const median = (list) => quantile(list, 0.5);
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
  process.on('message', async ({ lane, seconds, rate }) => {
    if (lane !== undefined) return process.send({ took: [await act(lane)] });
    const [begun, doing] = [performance.now(), []];
    while (performance.now() - begun < seconds * 1000) {
      for (; doing.length < ((performance.now() - begun) / 1000) * rate; state.number += 1)
        doing.push(act(state.number % 2 === 0 ? 'live' : `lane${((state.number - 1) / 2) % DEAD}`));
      await pause(2);
    }
    process.send({ took: await Promise.all(doing) });
  });
  process.send({ isReady: true });
}

function writeSite(root, hooks, settings) {
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
    const hook = { title: lane, event: 'system-model-create', parameters, type: 'ledger.created', url, delivery };
    write(`config/webhook/${lane}.json`, hook);
  }
}

/** Answers by path: `/live` at once, noting how old what it got is; `/slow` in 400 ms; `/silent` never. */
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

async function startSite(name, hooks, settings = {}) {
  const root = join(folder, name);
  writeSite(root, hooks, settings);
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

async function measureQueued(receiver) {
  const dead = (path) =>
    Array.from({ length: DEAD }, (_, n) => ({ lane: `lane${n}`, url: `${receiver.url}${path}${n}` }));
  const live = { lane: 'live', url: `${receiver.url}/live` };
  const settings = { timeoutSeconds: TIMEOUT_SECONDS };
  const none = await startSite('none', [live], settings);
  const answering = await startSite('answering', [live, ...dead('/well')], settings);
  const silent = await startSite('silent', [live, ...dead('/silent')], settings);
  const order = { seconds: Number(values.seconds), rate: Number(values.rate) };
  for (const site of sites) await site.act({ ...order, seconds: 2 });
  receiver.ages.length = 0;
  const before = silent.memory();
  const ages = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const site of round % 2 ? sites : [...sites].reverse()) {
      receiver.ages.length = 0;
      site.p99.push(quantile(await site.act(order), 0.99));
      // What it has left to deliver is not to be the next one's burden.
      await pause(2000);
      if (site !== silent) continue;
      ages.push(...receiver.ages);
    }
  }
  const [a, b, c] = [none, answering, silent].map((site) => median(site.p99));
  const more = median(silent.p99.map((value, index) => value - none.p99[index]));
  const paired = median(silent.p99.map((value, index) => value - answering.p99[index]));
  const share = median(silent.p99.map((value, index) => value / answering.p99[index]));
  console.log(
    `action p99, median of ${values.rounds}: no hook ${ms(a)}, 100 that answer ${ms(b)}, 100 that hang ${ms(c)}`,
  );
  console.log(
    `paired with no hook: ${more >= 0 ? '+' : ''}${ms(more)}, each second action then writes an event and a job more`,
  );
  console.log(
    `paired with those that answer: ${paired >= 0 ? '+' : ''}${ms(paired)}, ${((share - 1) * 100).toFixed(1)}%`,
  );
  const first = quantile(ages, 0.99);
  console.log(
    `live receiver beside them: first attempt p50 ${median(ages)} ms, p99 ${first} ms (${ages.length} events)`,
  );
  console.log(
    `memory of the site with silent receivers: ${before.toFixed(0)} MB, then ${silent.memory().toFixed(0)} MB`,
  );
  return (paired <= 5 || share <= 1.1) && first < 1000;
}

async function measureInline(receiver) {
  const hooks = [
    { lane: 'well', url: `${receiver.url}/well` },
    { lane: 'slow', url: `${receiver.url}/slow` },
    { lane: 'silent', url: `${receiver.url}/silent` },
    { lane: 'dead', url: 'http://127.0.0.1:9/' },
  ].map((hook) => ({ ...hook, delivery: 'inline' }));
  const site = await startSite('inline', hooks, { timeoutSeconds: INLINE_SECONDS });
  await site.act({ lane: 'well' });
  const took = {};
  // An action that fails ends the site, and the bench with it.
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
    const isInline = await measureInline(receiver);
    if (!isFair || !isInline) process.exitCode = 1;
    console.log(isFair && isInline ? 'held' : 'not held');
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
