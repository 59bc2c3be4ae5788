import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, type AppOptions, createApp } from '../../src/boot.ts';
import { main } from '../../src/cli/main.ts';
import { silentLog } from '../../src/core/log.ts';
import { placeUrl, removePlace, SERVER } from '../database/_where.ts';

/** A temporary folder, deleted by `remove`. */
export function createFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'treadle-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a CLI command in this process; throws its output if it fails. */
export async function cli(
  argv: readonly string[],
  cwd: string,
): Promise<{ data: Record<string, unknown>; out: string; err: string }> {
  const said = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (text: string) => {
    said[name] += text;
  };
  const code = await main([...argv, '--json'], {
    cwd,
    env: { CI: 'true', PATH: process.env.PATH },
    stdin: (async function* () {})(),
    stdout: { write: keep('out') },
    stderr: { write: keep('err') },
  });
  const { out, err } = said;
  if (code !== 0) throw new Error(`treadle ${argv.join(' ')} ended with ${code}: ${out}${err}`);
  return { data: out.trim() === '' ? {} : JSON.parse(out), out, err };
}

/** A browser's memory: cookies are kept, redirects are not followed. */
export class Browser {
  readonly #url: string;
  #cookies = new Map<string, string>();
  constructor(url: string) {
    this.#url = url;
  }
  async #send(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers);
    headers.set('cookie', this.cookie());
    const answer = await fetch(path.startsWith('http') ? path : this.#url + path, {
      ...init,
      headers,
      redirect: 'manual',
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location') ?? '',
    };
  }
  get(path: string): Promise<Page> {
    return this.#send(path, {});
  }
  /** The Cookie header. */
  cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  /** Posts a form; the caller adds the form token, if the page had one. */
  post(path: string, form: Record<string, string | readonly string[]>): Promise<Page> {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(form))
      for (const item of [value].flat()) body.append(key, item as string);
    return this.#send(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
  }
  async signUp(name: string, email: string): Promise<Page> {
    await this.get('/auth/signup');
    return this.post('/auth/signup', {
      profile_name: name,
      auth_slug: email,
      auth_password: 'a long enough word',
      confirm: 'a long enough word',
    });
  }
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string;
}

export interface Site {
  readonly app: Application;
  readonly url: string;
  readonly root: string;
  browser(): Browser;
  cli(...argv: string[]): ReturnType<typeof cli>;
  close(): Promise<void>;
}

/** A blog made by the CLI in a new folder, changed by `prepare`, then served. */
export async function startBlog(
  prepare: (root: string) => Promise<unknown> = async () => {},
  options: Partial<AppOptions> = {},
): Promise<Site> {
  const folder = createFolder();
  const root = join(folder.path, 'blog');
  await cli(['create', root, '--no-install', '--no-git'], folder.path);
  const place = placeUrl();
  // The only setting that moves a project to another database.
  if (SERVER !== undefined) appendFileSync(join(root, '.env'), `DATABASE_URL=${place}\n`);
  await prepare(root);
  const app = await createApp({ root, mode: 'development', env: {}, log: silentLog, ...options });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    app,
    url,
    root,
    browser: () => new Browser(url),
    cli: (...argv) => cli(argv, root),
    async close() {
      await app.close();
      await removePlace(place);
      folder.remove();
    },
  };
}

/** Adds an article and returns its id. */
export async function addArticle(site: Site, title = 'A title', detail = '<p>Text</p>'): Promise<number> {
  const response = await site.app.emit('system-model-create', {
    schema: 'article',
    article_title: title,
    article_detail: detail,
    article_published: '2026-01-02 03:04:05',
  });
  if (response.isError()) throw new Error(String(response));
  return response.getResults('article_id') as number;
}
