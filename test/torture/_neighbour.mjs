// Measures what an attack costs others: starts the real server as a child process, lets a neighbour ask for cheap things every
// 20 ms from a third process, and runs the attack meanwhile.
//
//   import { createSite, measureNeighbour, findFaults, send } from './_neighbour.mjs';
//
//   const site = await createSite({ change: (root) => {…}, fill: async (site) => {…} });
//   try {
//     const seen = await measureNeighbour(site, (url) => send(`${url}/auth/login`, { method: 'POST', headers, body }));
//     faults.push(...findFaults('multipart', seen, { slack: short ? 4 : 1 }));
//   } finally {
//     await site.close();
//   }
//
// createSite(options) makes a project, builds the program from this checkout and starts `treadle start` on a free port:
//   template   'blog' (default) or 'bare'
//   root       a project that is there already; it is used as it is and not removed
//   change     (root) => before the migration: write definitions, edit settings (see editSettings of _oauth-site.mjs)
//   samples    true (default): the blog's sample articles, comments and profiles are imported
//   fill       (site) => after the migration and before the start: `site.run('user', 'create', …)`, rows by `site.databaseFile`
//   env        more environment, such as { DATABASE_URL: 'postgres://…' }; args: more of `treadle start`, such as ['--workers', '2']
//   wrap       a command that starts node, such as ['bash', '-c', 'ulimit -n 256; exec "$@"', '-']
// It gives { url, root, pid, child, log(), run(...argv), start(), stop(signal), close(), memory() }. `run` gives a command's
// JSON document. `memory()` is { nowBytes, peakBytes } of the server and its workers (VmRSS and VmHWM of /proc; 0 where there is no /proc).
// `stop` resolves to { code, signal }; `start` starts it again after a stop.
//
// measureNeighbour(site, attack, options) runs `attack(url, site)` and gives
//   idle, live   { p50, p99, max, beats, statuses } in milliseconds of /health/live: before, and while the attack went on
//   idleRead, read   the same of a one-row read, by default /rest/public/article/detail/1 (or `read: '/path'`)
//   peakRssBytes, answer (what the attack gave), seconds, end ({ code, signal } where the server ended)
//   options: everyMs (20), idleMs (1000: how long it looks before), afterMs (0: how long after), read, live, headers,
//   fresh (true: each on a connection of its own; false: on kept ones), localAddress ('127.0.0.2' is another visitor on Linux), timeoutMs (30,000)
// A late answer counts for each beat that it let pass, so a stop of the server is not hidden in one sample; status 0 is no answer.
// The machine's own noise is in `idle`: print it beside the figures.
//
// findFaults(name, seen, { p99: 250, bytes: 300 MB, slack: 1, statuses: [200] }) gives the bounds that were broken as sentences.
// describeSeen(name, seen) gives one line for the log.
//
// TREADLE_TORTURE_SOURCE=/path/to/checkout builds the server from another checkout: the figures of an older commit.
import { fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../.ci/program.mjs';

const PROBE = fileURLToPath(new URL('_neighbour-probe.mjs', import.meta.url));
const source = process.env.TREADLE_TORTURE_SOURCE ?? fileURLToPath(new URL('../..', import.meta.url));
/** Longer than any start takes on a busy machine. */
const START_MS = 60_000;
const STOP_MS = 60_000;
const KB = 1024;
const MB = KB * KB;

const built = new Map();
/** The published program in one file, because a loader's cost would be measured too. Built once per process. */
function findProgram() {
  if (!built.has(source)) {
    const folder = join(source, `node_modules/.cache/treadle-neighbour-${process.pid}`);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    built.set(
      source,
      buildProgram({ root: source, out: join(folder, 'bin') }).then(() => join(folder, 'bin/program.cjs')),
    );
  }
  return built.get(source);
}

/** A value of /proc in bytes; 0 if the process or /proc does not exist. */
function readMemory(pid, name) {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) * KB;
  } catch {
    return 0;
  }
}

/** A process and all its descendants. */
function listProcesses(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [pid];
  return [
    pid,
    ...readFileSync(file, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .flatMap((child) => listProcesses(child)),
  ];
}

class Site {
  #options;
  #program;
  #folder;
  #said = '';
  #ended;

  constructor(options, program) {
    this.#options = options;
    this.#program = program;
    this.#folder = mkdtempSync(join(tmpdir(), 'treadle-neighbour-'));
    this.root = options.root ?? join(this.#folder, 'site');
    this.databaseFile = join(this.root, 'var/app.db');
    this.url = undefined;
    this.child = undefined;
  }

  get pid() {
    return this.child.pid;
  }

  log() {
    return this.#said;
  }

  #spawn(argv, wrap = []) {
    const [command, ...rest] = [...wrap, process.execPath, this.#program, ...argv];
    return spawn(command, rest, {
      cwd: existsSync(this.root) ? this.root : this.#folder,
      env: { PATH: process.env.PATH, HOME: this.#folder, CI: 'true', UV_THREADPOOL_SIZE: '8', ...this.#options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async run(...argv) {
    const child = this.#spawn([...argv, '--json']);
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (said.out += chunk));
    child.stderr.on('data', (chunk) => (said.err += chunk));
    const code = await new Promise((done) => child.on('close', done));
    if (code !== 0) throw new Error(`treadle ${argv.join(' ')} ended with ${code}: ${said.out}${said.err}`);
    return said.out.trim() === '' ? {} : JSON.parse(said.out);
  }

  async make() {
    const {
      template = 'blog',
      root,
      change,
      fill,
      samples = template === 'blog' && root === undefined,
    } = this.#options;
    if (root === undefined) await this.run('create', this.root, '--template', template, '--no-install', '--no-git');
    await change?.(this.root);
    await this.run('migrate', '--yes');
    if (samples) {
      for (const name of readdirSync(join(this.root, 'fixture')).sort((a, b) => b.localeCompare(a)))
        if (name !== 'comment.ndjson') await this.run('import', name.replace('.ndjson', ''), `fixture/${name}`);
      await this.run('import', 'comment', 'fixture/comment.ndjson');
    }
    await fill?.(this);
  }

  async start() {
    const { args = [], wrap } = this.#options;
    const child = this.#spawn(['start', '--port', '0', ...args], wrap);
    this.child = child;
    this.#said = '';
    this.#ended = undefined;
    const end = new Promise((done) =>
      child.on('close', (code, signal) => {
        this.#ended = { code, signal };
        done(this.#ended);
      }),
    );
    this.whenEnded = end;
    const keep = (chunk) => {
      // The newest part: an attack may fill the log.
      this.#said = (this.#said + chunk).slice(-200_000);
    };
    const heard = new Promise((done) => {
      const hear = (chunk) => {
        keep(chunk);
        const found = /https?:\/\/127\.0\.0\.1:\d+/.exec(this.#said);
        if (found) done(found[0]);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', keep);
    });
    const timer = new AbortController();
    const late = pause(START_MS, undefined, { signal: timer.signal }).catch(() => {});
    this.url = await Promise.race([heard, end.then(() => undefined), late]);
    timer.abort();
    if (this.url !== undefined) return this;
    child.kill('SIGKILL');
    throw new Error(`treadle start did not start: ${this.#said}`);
  }

  ended() {
    return this.#ended;
  }

  memory() {
    const all = listProcesses(this.pid);
    const sum = (name) => all.reduce((bytes, pid) => bytes + readMemory(pid, name), 0);
    return { nowBytes: sum('VmRSS'), peakBytes: sum('VmHWM') };
  }

  async stop(signal = 'SIGTERM') {
    if (this.#ended === undefined) {
      this.child.kill(signal);
      const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
      await this.whenEnded;
      clearTimeout(timer);
    }
    return this.#ended;
  }

  async close() {
    if (this.child) await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Creates a project and starts the real server; see the top of this file. */
export async function createSite(options = {}) {
  const site = new Site(options, await findProgram());
  try {
    await site.make();
    return await site.start();
  } catch (error) {
    await site.close();
    throw error;
  }
}

/** Runs an attack and returns its cost to a neighbour; see the top of this file. */
export async function measureNeighbour(site, attack, options = {}) {
  const { live = '/health/live', read = '/rest/public/article/detail/1', idleMs = 1000, afterMs = 0 } = options;
  const { everyMs = 20, fresh = true, headers = {}, localAddress, timeoutMs = 30_000 } = options;
  const probe = fork(PROBE, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  const told = {};
  const ready = new Promise((done) => (told.ready = done));
  const sums = new Promise((done, refuse) => {
    probe.on('message', ({ isReady, sums: found }) => (isReady ? told.ready() : done(found)));
    probe.once('exit', (code) => refuse(new Error(`The neighbour ended with ${code}.`)));
  });
  sums.catch(() => {});
  const kinds = [
    { name: 'live', path: live },
    { name: 'read', path: read },
  ];
  probe.send({ url: site.url, kinds, everyMs, fresh, headers, localAddress, timeoutMs });
  const state = { peak: 0 };
  const look = () => {
    state.peak = Math.max(state.peak, site.memory().peakBytes);
  };
  const timer = setInterval(look, 200);
  try {
    await Promise.race([ready, sums]);
    await pause(idleMs);
    probe.send({ phase: 'attack' });
    const begun = performance.now();
    const answer = await attack(site.url, site);
    const seconds = Math.round(performance.now() - begun) / 1000;
    await pause(afterMs);
    look();
    probe.send({ phase: 'over' });
    const { idle = {}, attack: during = {} } = await sums;
    const seen = { idle: idle.live, idleRead: idle.read, live: during.live, read: during.read };
    return { ...seen, peakRssBytes: state.peak, answer, seconds, end: site.ended() };
  } finally {
    clearInterval(timer);
    if (probe.connected) probe.disconnect();
  }
}

/** The broken limits of issue 10, as sentences. `slack` widens the times for a busy machine. */
export function findFaults(name, seen, { p99 = 250, bytes = 300 * MB, slack = 1, statuses = [200] } = {}) {
  const faults = [];
  for (const kind of ['live', 'read']) {
    const found = seen[kind];
    if (!found) faults.push(`${name}: no answer on ${kind} came while the attack went on.`);
    else if (found.p99 > p99 * slack)
      faults.push(`${name}: p99 of ${kind} is ${found.p99} ms, more than ${p99 * slack} ms.`);
    const others = Object.keys(found?.statuses ?? {}).filter((status) => !statuses.includes(Number(status)));
    if (others.length > 0) faults.push(`${name}: ${kind} was answered with ${JSON.stringify(found.statuses)}.`);
  }
  if (seen.peakRssBytes > bytes)
    faults.push(
      `${name}: memory rose to ${Math.round(seen.peakRssBytes / MB)} MB, more than ${Math.round(bytes / MB)} MB.`,
    );
  if (seen.end) faults.push(`${name}: the server ended with ${JSON.stringify(seen.end)}.`);
  return faults;
}

/** One line with the figures. */
export function describeSeen(name, { idle, live, read, peakRssBytes, seconds }) {
  const say = (word, found) => (found ? `${word} ${found.p50}/${found.p99}/${found.max}` : `${word} none`);
  const figures = [say('live', live), say('read', read), say('idle', idle)].join(', ');
  return `${name}: ${figures} ms (p50/p99/max), ${Math.round(peakRssBytes / MB)} MB, ${seconds} s`;
}

/** Sends one request unchanged and reads the answer; status 0 for none. `body` may be bytes. */
export function send(url, { method = 'GET', headers = {}, body, agent, localAddress } = {}) {
  const begun = performance.now();
  return new Promise((done) => {
    const fail = (error) => done({ status: 0, text: String(error), headers: {}, took: performance.now() - begun });
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method, agent, localAddress, headers: { ...length, ...headers } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        done({ status: answer.statusCode, text, headers: answer.headers, took: performance.now() - begun });
      });
    });
    call.on('error', fail);
    call.end(body);
  });
}
