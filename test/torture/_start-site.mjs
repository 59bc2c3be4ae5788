// A small project served by real processes of `treadle start`.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { writeProject } from '../../src/cli/create/project.ts';
import { copyProgram } from './_program.mjs';

const NOTE = {
  name: 'note',
  singular: 'Note',
  plural: 'Notes',
  fields: [
    { name: 'detail', label: 'Detail', type: 'text', filterable: true },
    { name: 'active', type: 'active' },
  ],
};
const CALLS = { create: 'post', search: 'get' };

/**
 * @param change Changes the schema `note`.
 * @param more Further calls of one row, by the action.
 */
export function writeSite(root, settings = {}, change = (schema) => schema, more = {}) {
  writeProject({ folder: root, template: 'bare', random: (bytes) => Buffer.alloc(bytes, 7) });
  const write = (path, value) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value, null, 2));
  };
  write('config/settings.json', { name: 'Torture', api: true, ...settings });
  write('config/schema/note.json', change(structuredClone(NOTE)));
  for (const [action, method] of Object.entries({ ...CALLS, ...more })) {
    const path = `/public/note/${action}${action in more ? '/:note_id' : ''}`;
    const call = { title: `${action} notes`, access: 'public', method, path };
    write(`config/rest/public-note-${action}.json`, {
      ...call,
      event: `system-model-${action}`,
      parameters: { schema: 'note' },
    });
  }
}

/** Maximum chunks of a log that are kept: a fault fills it. */
const MAX_PIECES = 20_000;

/** One process of `treadle start`. */
class Started {
  #pieces = [];

  constructor(child) {
    this.child = child;
    this.exit = new Promise((done) => child.once('exit', (code, signal) => done(signal ?? code)));
    child.stderr.on('data', (chunk) => {
      if (this.#pieces.length < MAX_PIECES) this.#pieces.push(chunk);
    });
  }

  /** Its standard error, from its start. */
  get log() {
    return Buffer.concat(this.#pieces).toString();
  }

  end(signal = 'SIGTERM') {
    this.child.kill(signal);
    return this.exit;
  }
}

export class StartSite {
  #children = new Set();
  #env;
  #isOwn;

  /** @param program An installed program; without it a copy of this one, which goes with the site. */
  static async make({ env = {}, settings, program } = {}) {
    const site = new StartSite();
    site.#isOwn = program === undefined;
    site.folder = mkdtempSync(join(tmpdir(), 'treadle-start-'));
    // A cluster in it belongs to another user.
    chmodSync(site.folder, 0o755);
    site.root = join(site.folder, 'site');
    site.program = program ?? (await copyProgram());
    site.#env = {
      PATH: process.env.PATH,
      HOME: site.folder,
      CI: 'true',
      UV_THREADPOOL_SIZE: '8',
      TREADLE_SECRET: 'a secret of at least 32 characters, for torture',
      ...env,
    };
    writeSite(site.root, settings);
    return site;
  }

  addEnvironment(more) {
    Object.assign(this.#env, more);
  }

  #spawn(argv, env, cwd = this.root) {
    const options = { cwd, env: { ...this.#env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawn(process.execPath, [this.program, ...argv], options);
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Runs a command until it ends. */
  async run(argv, env = {}, cwd = this.root) {
    const child = this.#spawn(argv, env, cwd);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const code = await new Promise((done) => child.once('close', done));
    if (code !== 0) throw new Error(`treadle ${argv.join(' ')} ended with ${code}: ${said}`);
    return said;
  }

  migrate(env = {}, cwd = this.root) {
    return this.run(['migrate', '--yes'], env, cwd);
  }

  /** Resolves when it listens. */
  async start({ env = {}, port = 0, more = [], cwd = this.root } = {}) {
    const child = this.#spawn(['start', '--port', String(port), ...more], env, cwd);
    const started = new Started(child);
    let said = '';
    started.url = await new Promise((done, refuse) => {
      child.stdout.on('data', (chunk) => {
        said += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) done(found[0]);
      });
      started.exit.then((how) => refuse(new Error(`start ended with ${how}: ${said}${started.log}`)));
    });
    return started;
  }

  /** Kills all that runs. */
  async endAll() {
    const ends = [...this.#children].map((child) => {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      return gone;
    });
    await Promise.all(ends);
  }

  async close() {
    await this.endAll();
    if (this.#isOwn) rmSync(this.program, { force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const createAgent = (sockets) => new Agent({ keepAlive: true, maxSockets: sockets });

/** Sends one request. Returns the status, or the code of the network error, and the milliseconds. Never repeats. */
export function send(url, { method = 'GET', body, agent, limit = 60_000, headers = {} } = {}) {
  const begun = performance.now();
  return new Promise((done) => {
    const end = (more) => done({ headers: {}, text: '', ...more, took: performance.now() - begun });
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const own = bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {};
    const outgoing = request(url, { method, agent, headers: { ...own, ...headers }, timeout: limit }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => end({ status: answer.statusCode, headers: answer.headers, text }));
      answer.on('error', (error) => end({ status: error.code }));
    });
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('late'), { code: 'CLIENT_TIMEOUT' })));
    outgoing.on('error', (error) => end({ status: error.code }));
    outgoing.end(bytes);
  });
}

export const writeNote = (url, detail, options = {}) =>
  send(`${url}/rest/public/note/create`, { method: 'POST', body: { note_detail: detail }, ...options });

export const readNotes = (url, options = {}) => send(`${url}/rest/public/note/search?limit=1&total=0`, options);

/** Counts per status, and the longest time. */
export function summarize(answers) {
  const counts = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  const longest = Math.round(answers.reduce((most, { took }) => Math.max(most, took), 0));
  return { counts, longest };
}
