// Kills processes that write and deliver web hooks, at random moments, and counts what the receivers got in the end:
// every event with a committed row at least once, few of them twice and then with the same id, and none of a rolled
// back write. Two processes share the work; a killed one is replaced by one that has loaded its code already. On
// SQLite, and on PostgreSQL if a server answers.
// Usage: node --import tsx test/torture/webhook-kill.mjs [--short] [--seed n] [--kills n] [--events n] [--only
// sqlite|postgres] [--postgres url]
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { toBuildOptions } from '../../.ci/program.mjs';
import { createApp } from '../../src/boot.ts';
import { writeProject } from '../../src/cli/create/project.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ask } from '../database/_server.mjs';
import { createDice } from './_migration-world.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    kills: { type: 'string' },
    events: { type: 'string' },
    only: { type: 'string' },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test' },
  },
});
/** The short form is a twentieth, with as many events per kill. */
const kills = Number(values.kills ?? (values.short ? 25 : 500));
const events = Number(values.events ?? (values.short ? 5000 : 100_000));
/**
 * Events per second, of both processes: a kill hits few calls in progress, as on a site that is not
 * overloaded. The number of duplicates per kill grows with it.
 */
const RATE = 100;
const RECEIVERS = 4;
const main = fileURLToPath(new URL('../..', import.meta.url));
/** Percentage of events whose first call is answered with 503. */
const REFUSED = 1;
/**
 * Maximum share of duplicate events. The short form allows more, because its two databases, and CI, share the
 * machine.
 */
const MAX_TWICE = values.short ? 0.02 : 0.005;
const DRAIN_MILLISECONDS = 120_000;

/**
 * The code of a process in one file, because hundreds are started: Node takes longer to find and link modules than to
 * run them.
 */
async function bundle() {
  const file = join(main, `node_modules/.cache/treadle-torture-${process.pid}.mjs`);
  await build({
    ...toBuildOptions(main),
    entryPoints: ['test/torture/_webhook-site.mjs'],
    outfile: file,
    format: 'esm',
    banner: {
      js: "import{createRequire as treadleRequire}from'node:module';const require=treadleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return file;
}

class Site {
  #spare;
  #running = [];
  #cycle = 0;

  constructor(file, order, dice) {
    this.file = file;
    this.order = order;
    this.dice = dice;
    this.#spare = this.#prepare();
  }

  /** A process that has loaded its code and waits for its order. */
  #prepare() {
    return fork(this.file, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  async start(more = {}) {
    const child = this.#spare;
    this.#spare = this.#prepare();
    this.#cycle += 1;
    const ready = new Promise((done, fail) => {
      child.on('message', ({ isReady }) => isReady && done());
      child.on('exit', (code) => code && fail(new Error(`A process ended with ${code}.`)));
    });
    const seed = this.dice.below(2 ** 31);
    child.send({ ...this.order, cycle: this.#cycle, seed, isWriting: true, rate: RATE / 2, lanes: RECEIVERS, ...more });
    this.#running.push(child);
    await ready;
  }

  /** Kills a running process; resolves when it has ended. */
  async kill() {
    const [child] = this.#running.splice(this.dice.below(this.#running.length), 1);
    const gone = new Promise((done) => child.once('exit', done));
    child.removeAllListeners('exit');
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await Promise.race([gone, ended]);
  }

  quiet() {
    for (const child of this.#running) child.send({ stop: true });
  }

  end() {
    for (const child of [this.#spare, ...this.#running]) {
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
    }
  }
}

/** Receivers that answer after some milliseconds, a few calls first with 503, and record accepted events. */
async function openReceivers(dice) {
  /** Row name to the ids of deliveries answered with 204. */
  const taken = new Map();
  const refused = new Set();
  const servers = [];
  for (let index = 0; index < RECEIVERS; index += 1) {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        const name = JSON.parse(text).data.ledger_name;
        const id = request.headers['webhook-id'];
        if (!refused.has(name) && dice.below(100) < REFUSED) {
          refused.add(name);
          response.writeHead(503).end();
          return;
        }
        refused.add(name);
        taken.set(name, [...(taken.get(name) ?? []), id]);
        setTimeout(() => response.writeHead(204).end(), dice.below(3));
      });
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    servers.push(server);
  }
  return {
    taken,
    urls: servers.map((server) => `http://127.0.0.1:${server.address().port}/`),
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function writeSite(root, urls) {
  writeProject({ folder: root, template: 'bare', random: (bytes) => Buffer.alloc(bytes, 7) });
  const write = (path, value) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value, null, 2));
  };
  write('config/settings.json', { name: 'Torture', webhook: { allowPrivate: ['127.0.0.0/8'] } });
  write('config/schema/ledger.json', {
    name: 'ledger',
    singular: 'Ledger',
    plural: 'Ledgers',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'lane', type: 'text' },
    ],
  });
  for (const [index, url] of urls.entries()) {
    const parameters = { schema: 'ledger', ledger_lane: `lane${index}` };
    const hook = { title: `Lane ${index}`, event: 'system-model-create', parameters, type: 'ledger.created', url };
    write(`config/webhook/lane${index}.json`, hook);
  }
}

/** Waits until this many events were accepted. */
async function reach(taken, count) {
  const until = performance.now() + DRAIN_MILLISECONDS;
  while (taken.size < count) {
    if (performance.now() > until) throw new Error(`Only ${taken.size} of ${Math.ceil(count)} events have arrived.`);
    await pause(5);
  }
}

/** Waits until the queue is empty. */
async function drain(database) {
  const until = performance.now() + DRAIN_MILLISECONDS;
  for (;;) {
    const left = await database.kysely.selectFrom('treadle_job').select('job_id').limit(1).execute();
    if (left.length === 0) return;
    if (performance.now() > until) throw new Error('Jobs are left in the queue.');
    await pause(100);
  }
}

function judge(name, names, taken, blows) {
  const committed = new Set(names);
  const lost = names.filter((row) => !taken.has(row));
  const phantoms = [...taken.keys()].filter((row) => !committed.has(row));
  const twice = [...taken.values()].filter((ids) => ids.length > 1);
  const mixed = twice.filter((ids) => new Set(ids).size > 1);
  const share = twice.length / names.length;
  const said = `${names.length} events, ${blows} kills, ${lost.length} lost, ${twice.length} twice (${(share * 100).toFixed(2)}%)`;
  process.stdout.write(`webhook-kill ${name}: ${said}, ${phantoms.length} of a write that was rolled back\n`);
  if (lost.length > 0) throw new Error(`Lost: ${lost.slice(0, 5).join(', ')}`);
  if (phantoms.length > 0) throw new Error(`Never committed: ${phantoms.slice(0, 5).join(', ')}`);
  if (mixed.length > 0) throw new Error(`Two ids for one event: ${mixed[0]?.join(', ')}`);
  if (share > MAX_TWICE) throw new Error(`More than ${MAX_TWICE * 100}% were delivered twice.`);
}

async function storm(name, url, file) {
  const dice = createDice(Number(values.seed));
  const folder = mkdtempSync(join(tmpdir(), 'treadle-torture-'));
  const root = join(folder, 'site');
  const receivers = await openReceivers(dice);
  const env = { DATABASE_URL: url, TREADLE_SECRET: 'a secret of at least 32 characters, for torture', CI: '1' };
  let site;
  try {
    writeSite(root, receivers.urls);
    await (await createApp({ root, mode: 'test', env, log: silentLog })).close();
    site = new Site(file, { root, env }, dice);
    await Promise.all([site.start(), site.start()]);
    // Kills come after random numbers of events, with the planned number on average; slightly delayed, so that a kill
    // does not always happen just after a call.
    let until = 0;
    for (let blow = 0; blow < kills; blow += 1) {
      until += ((2 * events) / kills) * dice.next();
      await reach(receivers.taken, until);
      await pause(50 * dice.next());
      await site.kill();
      await site.start();
    }
    await reach(receivers.taken, events);
    site.quiet();
    const database = await openDatabase({ url, root, log: silentLog, clock: systemClock });
    try {
      await drain(database);
      const rows = await database.kysely.selectFrom('ledger').select('ledger_name').execute();
      judge(
        name,
        rows.map((row) => row.ledger_name),
        receivers.taken,
        kills,
      );
    } finally {
      await database.close();
    }
  } finally {
    site?.end();
    receivers.close();
    await pause(200);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stormPostgres(file) {
  try {
    await ask(values.postgres, 'select 1');
  } catch (error) {
    process.stdout.write(`skipped: webhook-kill on PostgreSQL (no server answers: ${error.code ?? error.message})\n`);
    return;
  }
  const schema = `treadle_torture_hook_${process.pid}`;
  const url = new URL(values.postgres);
  url.searchParams.set('schema', schema);
  try {
    await storm('postgres', String(url), file);
  } finally {
    await ask(values.postgres, `drop schema if exists ${schema} cascade`);
  }
}

async function run(file) {
  const storms = [
    ...(values.only === 'postgres' ? [] : [() => storm('sqlite', 'sqlite:var/app.db', file)]),
    ...(values.only === 'sqlite' ? [] : [() => stormPostgres(file)]),
  ];
  if (!values.short) {
    for (const start of storms) await start();
    return;
  }
  // In parallel, because mostly they wait for the next event.
  const ends = await Promise.allSettled(storms.map((start) => start()));
  for (const { reason } of ends) if (reason !== undefined) throw reason;
}

const file = await bundle();
try {
  await run(file);
} catch (error) {
  process.stdout.write(`webhook-kill, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(file, { force: true });
}
