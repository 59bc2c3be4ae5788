// PostgreSQL clusters for tests: created by initdb or pg_basebackup on a free port, never the shared server.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../database/_server.mjs';

const START_MILLISECONDS = 20_000;

function findPrograms() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map(Number) : [];
  const folders = versions.sort((a, b) => b - a).map((version) => `/usr/lib/postgresql/${version}/bin`);
  return [...folders, ...(process.env.PATH ?? '').split(':')].find((folder) => existsSync(join(folder, 'initdb')));
}

/** The server refuses to run as root, so it runs as the user `postgres`. */
function findOwner() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [id('-u'), id('-g')];
  return uid > 0 ? { uid, gid } : undefined;
}

const programs = findPrograms();
const owner = findOwner();

/** The reason why no cluster can be created here; undefined if it can. */
export const missingReason =
  programs === undefined
    ? 'needs the programs of a PostgreSQL server'
    : owner === undefined
      ? 'needs a user postgres, since the server does not run as root'
      : undefined;

export async function findPort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function run(name, args) {
  const options = { ...owner, cwd: '/', encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const { status, stderr, error } = spawnSync(join(programs, name), args, options);
  if (status !== 0) throw error ?? new Error(`${name}: ${stderr}`);
}

/** Data survives a process crash in the kernel: only a power cut would need fsync. */
const SETTINGS = { fsync: 'off', max_connections: 100, shared_buffers: '32MB', log_min_messages: 'fatal' };

export class Cluster {
  #folder;
  #child;
  #settings;
  #end = () => this.#child?.kill('SIGQUIT');

  constructor(folder, port, settings) {
    this.#folder = folder;
    this.#settings = { ...SETTINGS, ...settings };
    this.port = port;
  }

  /** A new, running cluster in a new folder. */
  static async make(folder, settings = {}) {
    mkdirSync(folder, { recursive: true });
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    const cluster = new Cluster(folder, await findPort(), settings);
    run('initdb', ['-D', cluster.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C']);
    await cluster.start();
    await ask(cluster.url, 'create database site');
    return cluster;
  }

  static makeTemporary(settings) {
    const folder = mkdtempSync(join(tmpdir(), 'treadle-cluster-'));
    chmodSync(folder, 0o755);
    return Cluster.make(folder, settings);
  }

  get data() {
    return join(this.#folder, 'data');
  }

  get url() {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** URL of the database for a project. */
  get site() {
    return `postgres://postgres@127.0.0.1:${this.port}/site`;
  }

  ask(text) {
    return ask(this.url, text);
  }

  async start() {
    const flags = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', this.data, '-k', this.#folder, '-p', String(this.port), ...flags];
    const options = { ...owner, cwd: '/', stdio: 'ignore', env: { PATH: process.env.PATH, LC_ALL: 'C' } };
    this.#child = spawn(join(programs, 'postgres'), args, options);
    process.once('exit', this.#end);
    const until = performance.now() + START_MILLISECONDS;
    for (;;) {
      try {
        await ask(this.url, 'select 1');
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
        await pause(50);
      }
    }
  }

  /** As `pg_ctl stop -m fast` or `immediate`. */
  async stop(mode = 'fast') {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT');
    await gone;
    process.removeListener('exit', this.#end);
  }

  #signalAll(signal) {
    const children = spawnSync('pgrep', ['-P', String(this.#child.pid)], { encoding: 'utf8' }).stdout.trim();
    const pids = [this.#child.pid, ...children.split('\n').filter(Boolean).map(Number)];
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // A backend that has ended meanwhile.
      }
    }
  }

  /** Suspends every process of the server: connections stay open, and nothing answers. */
  freeze() {
    this.#signalAll('SIGSTOP');
  }

  thaw() {
    this.#signalAll('SIGCONT');
  }

  /** A running standby of this cluster. */
  async makeStandby(folder) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    const standby = new Cluster(folder, await findPort(), this.#settings);
    run('pg_basebackup', ['-D', standby.data, '-d', this.url, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync']);
    await standby.start();
    return standby;
  }

  promote() {
    run('pg_ctl', ['promote', '-D', this.data, '-w']);
  }

  async remove() {
    if (this.#child !== undefined) this.thaw();
    await this.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
