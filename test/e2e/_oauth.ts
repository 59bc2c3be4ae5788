import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppOptions } from '../../src/boot.ts';
import type { App } from '../../src/model/shape.ts';
import { placeDatabase } from '../database/_where.ts';
import { type Browser, cli, type Page, type Site, startBlog } from './_setup.ts';

/** Redirect URI of outside clients; nothing listens there, because the tests follow no redirect. */
export const CALLBACK = 'http://127.0.0.1:4999/cb';
/** Auth.js builds its redirect URI itself. */
export const AUTHJS_CALLBACK = 'http://127.0.0.1:4999/auth/callback/treadle';

export interface Client {
  readonly id: string;
  readonly secret: string;
}

export interface OAuthSite {
  readonly site: Site;
  /** Follows the standard. */
  readonly strict: Client;
  /** May omit PKCE. */
  readonly lenient: Client;
  /** A public app. */
  readonly open: Client;
  close(): Promise<void>;
}

/** Changes a definition file that a command wrote. */
export function editJson<T>(file: string, change: (value: T) => void): void {
  const value = JSON.parse(readFileSync(file, 'utf8')) as T;
  change(value);
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

async function createClient(root: string, name: string, more: readonly string[] = []): Promise<Client> {
  const uris = [CALLBACK, AUTHJS_CALLBACK].flatMap((uri) => ['--redirect-uri', uri]);
  const { data } = await cli(
    ['app', 'create', name, '--title', name, ...uris, '--scope', 'profile_read', ...more],
    root,
  );
  return { id: String(data.clientId), secret: String(data.clientSecret ?? '') };
}

/** A blog with an open API and three apps, served; on PostgreSQL with `npm run test:pg`. */
export async function startOAuth(
  options: Partial<AppOptions> = {},
  settings: Record<string, unknown> = {},
  prepare: (root: string) => void = () => {},
): Promise<OAuthSite> {
  const place = await placeDatabase('var/app.db');
  const env = place.dialect === 'postgres' ? { DATABASE_URL: place.url } : {};
  const clients: { strict?: Client; lenient?: Client; open?: Client } = {};
  const site = await startBlog(
    async (root) => {
      await cli(['api', 'populate'], root);
      clients.strict = await createClient(root, 'strict');
      clients.lenient = await createClient(root, 'lenient');
      clients.open = await createClient(root, 'open', ['--public']);
      editJson<App>(join(root, 'config/app/lenient.json'), (app) => {
        app.pkce = 'optional';
      });
      editJson<Record<string, unknown>>(join(root, 'config/settings.json'), (all) => void Object.assign(all, settings));
      prepare(root);
    },
    { env, ...options },
  );
  return {
    ...(clients as Required<typeof clients>),
    site,
    async close() {
      await site.close();
      await place.remove();
    },
  };
}

const people = new WeakMap<Site, Promise<Browser>>();
const PASSWORD = 'a long enough word';

/** Signs up a new user; a site accepts few per minute from one address. */
export async function signUpAs(site: Site, name: string): Promise<Browser> {
  const browser = site.browser();
  const page = await browser.signUp(name, `${name.toLowerCase().replace(/\W/g, '')}@example.org`);
  if (page.status !== 303) throw new Error(`sign-up: ${page.status} ${page.text}`);
  return browser;
}

/** The browser of a site's usual user. */
export function signUp(site: Site): Promise<Browser> {
  const known = people.get(site) ?? signUpAs(site, 'Some Person');
  people.set(site, known);
  return known;
}

/** Logs that user in with a new browser, through a form opened with this query. */
export async function logIn(site: Site, query: string): Promise<Page> {
  await signUp(site);
  return site.browser().post(`/auth/login${query}`, { auth_slug: 'someperson@example.org', auth_password: PASSWORD });
}

/** The user's decision in the dialog: allow, and follow the redirect. */
export async function allow(site: Site, browser: Browser, url: string | URL, action = 'allow'): Promise<URL> {
  const { pathname, search } = new URL(url, site.url);
  const path = pathname + search;
  const dialog = await browser.get(path);
  if (dialog.status !== 200) throw new Error(`dialog: ${dialog.status} ${dialog.location} ${dialog.text}`);
  const csrf = /name="csrf" value="([^"]*)"/.exec(dialog.text)?.[1] ?? '';
  const ticked = [...dialog.text.matchAll(/name="permissions\[\]"[^>]*value="([^"]*)"/g)].map(([, slug]) =>
    String(slug),
  );
  const answer = await browser.post(path, { action, csrf, 'permissions[]': ticked });
  if (answer.status !== 303) throw new Error(`decision: ${answer.status} ${answer.text}`);
  return new URL(answer.location);
}

/** The status of a user call with this token. */
export async function callWith(site: Site, token: string): Promise<number> {
  const answer = await fetch(`${site.url}/rest/user/profile/detail`, { headers: { authorization: `Bearer ${token}` } });
  await answer.body?.cancel();
  return answer.status;
}

/** Posts a form, as with curl. */
export function postForm(url: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
}
