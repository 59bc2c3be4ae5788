// A blog with an open API and one app, served by several processes of `treadle start` on one database, for the OAuth
// storms.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { getProgram } from './_program.mjs';

const program = await getProgram();
export const CALLBACK = 'http://127.0.0.1:4999/cb';
export const PERSON = { name: 'Some Person', email: 'someperson@example.org', password: 'a long enough word' };

/** The error of a failed start or command: its exit code and output. */
const fail = (argv, code, said) => new Error(`treadle ${argv.join(' ')} ended with ${code}: ${said}`);

export class OAuthSite {
  #folder = mkdtempSync(join(tmpdir(), 'treadle-oauth-'));
  #children = new Set();
  #env;
  /** URLs of the serving processes. */
  urls = [];

  constructor(env = {}) {
    this.#env = { PATH: process.env.PATH, HOME: this.#folder, CI: 'true', UV_THREADPOOL_SIZE: '8', ...env };
    this.root = join(this.#folder, 'blog');
  }

  get folder() {
    return this.#folder;
  }

  #spawn(argv, env = {}) {
    return spawn(process.execPath, [program, ...argv], {
      cwd: argv[0] === 'create' ? this.#folder : this.root,
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Runs a command and returns its document. */
  async run(...argv) {
    const child = this.#spawn([...argv, '--json']);
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (said.out += chunk));
    child.stderr.on('data', (chunk) => (said.err += chunk));
    const code = await new Promise((done) => child.on('close', done));
    if (code !== 0) throw fail(argv, code, said.out + said.err);
    return said.out.trim() === '' ? {} : JSON.parse(said.out);
  }

  /** Creates the project, its API and its app; returns the client's id and secret. */
  async make() {
    await this.run('create', this.root, '--no-install', '--no-git');
    await this.run('api', 'populate');
    const { clientId, clientSecret } = await this.run(
      ...['app', 'create', 'outside', '--title', 'Outside', '--redirect-uri', CALLBACK, '--scope', 'profile_read'],
    );
    await this.run('migrate', '--yes');
    return { id: clientId, secret: clientSecret };
  }

  /** Starts one more process and returns its URL. */
  async start(env = {}) {
    const argv = ['start', '--port', '0'];
    const child = this.#spawn(argv, env);
    this.#children.add(child);
    let said = '';
    const url = await new Promise((done, refuse) => {
      const hear = (chunk) => {
        said += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) done(found[0]);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('close', (code) => refuse(fail(argv, code, said)));
    });
    this.urls.push(url);
    return url;
  }

  async close() {
    const ends = [...this.#children].map((child) =>
      child.exitCode === null ? new Promise((done) => child.on('close', done).kill('SIGTERM')) : undefined,
    );
    await Promise.all(ends);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Changes a project's settings. */
export function editSettings(root, change) {
  const file = join(root, 'config/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  settings.server ??= {};
  change(settings);
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}

/** A browser's cookies for one site; redirects are not followed. */
export class Browser {
  #cookies = new Map();
  #fetch;

  constructor(ask = fetch) {
    this.#fetch = ask;
  }

  async #send(url, init = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const [, name, value] of answer.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line))) {
      this.#cookies.set(name, value);
    }
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' };
  }

  get(url) {
    return this.#send(url);
  }

  post(url, fields) {
    const body = new URLSearchParams(fields.flatMap(([key, value]) => [[key, value]]));
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return this.#send(url, { method: 'POST', body: String(body), headers });
  }

  async signUp(origin) {
    await this.get(`${origin}/auth/signup`);
    const answer = await this.post(`${origin}/auth/signup`, [
      ['profile_name', PERSON.name],
      ['auth_slug', PERSON.email],
      ['auth_password', PERSON.password],
      ['confirm', PERSON.password],
    ]);
    if (answer.status !== 303) throw new Error(`sign-up: ${answer.status} ${answer.text.slice(0, 400)}`);
  }

  /** Opens the dialog, allows everything, and returns the target of the redirect. */
  async allow(url) {
    const dialog = await this.get(url);
    if (dialog.status !== 200)
      throw new Error(`dialog: ${dialog.status} ${dialog.location} ${dialog.text.slice(0, 400)}`);
    const boxes = [...dialog.text.matchAll(/<input\b[^>]*name="permissions\[\]"[^>]*>/g)];
    const ticked = boxes.map(([box]) => ['permissions[]', /value="([^"]*)"/.exec(box)?.[1] ?? '']);
    const csrf = /name="csrf" value="([^"]*)"/.exec(dialog.text)?.[1] ?? '';
    const answer = await this.post(url, [['action', 'allow'], ['csrf', csrf], ...ticked]);
    if (answer.status !== 303) throw new Error(`decision: ${answer.status} ${answer.text.slice(0, 400)}`);
    return new URL(answer.location);
  }
}
