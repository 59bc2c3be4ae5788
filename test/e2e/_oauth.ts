import type { App } from '../../src/model/shape.ts';
import { type BootOptions, boot, type Site } from '../boot.ts';
import { type Answer, ask, bearer, type Client, type Form, PASSWORD } from '../client.ts';
import type { Project } from '../project.ts';

/** Redirect URI of outside clients; nothing listens there, because the tests follow no redirect. */
export const CALLBACK = 'http://127.0.0.1:4999/cb';
/** Auth.js builds its redirect URI itself. */
export const AUTHJS_CALLBACK = 'http://127.0.0.1:4999/auth/callback/treadle';

export interface AppKeys {
  readonly id: string;
  readonly secret: string;
}

export interface OAuthSite {
  readonly site: Site;
  /** Follows the standard. */
  readonly strict: AppKeys;
  /** May omit PKCE. */
  readonly lenient: AppKeys;
  /** A public app. */
  readonly open: AppKeys;
  close(): Promise<void>;
}

async function createClient(project: Project, name: string, ...more: string[]): Promise<AppKeys> {
  const uris = [CALLBACK, AUTHJS_CALLBACK].flatMap((uri) => ['--redirect-uri', uri]);
  const { data } = await project.cli(
    'app',
    'create',
    name,
    '--title',
    name,
    ...uris,
    '--scope',
    'profile_read',
    ...more,
  );
  return { id: String(data.clientId), secret: String(data.clientSecret ?? '') };
}

/** A blog with an open API and three apps, served. */
export async function startOAuth({ change, ...options }: BootOptions = {}): Promise<OAuthSite> {
  const clients: { strict?: AppKeys; lenient?: AppKeys; open?: AppKeys } = {};
  const site = await boot({
    mode: 'development',
    ...options,
    async change(project) {
      await project.cli('api', 'populate');
      clients.strict = await createClient(project, 'strict');
      clients.lenient = await createClient(project, 'lenient');
      clients.open = await createClient(project, 'open', '--public');
      project.edit<App>('config/app/lenient.json', (app) => {
        app.pkce = 'optional';
      });
      await change?.(project);
    },
  });
  return { ...(clients as Required<typeof clients>), site, close: () => site.close() };
}

const people = new WeakMap<Site, Promise<Client>>();

/** Signs up a new user; a site accepts few per minute from one address. */
export async function signUpAs(site: Site, name: string): Promise<Client> {
  const browser = site.browser();
  await browser.signUp(name, `${name.toLowerCase().replace(/\W/g, '')}@example.org`);
  return browser;
}

/** The browser of a site's usual user. */
export function signUp(site: Site): Promise<Client> {
  const known = people.get(site) ?? signUpAs(site, 'Some Person');
  people.set(site, known);
  return known;
}

/** Logs that user in with a new browser, through a form opened with this query. */
export async function logIn(site: Site, query: string): Promise<Answer> {
  await signUp(site);
  return site.browser().post(`/auth/login${query}`, { auth_slug: 'someperson@example.org', auth_password: PASSWORD });
}

/** The user's decision in the dialog: allow, and follow the redirect. */
export async function allow(site: Site, browser: Client, url: string | URL, action = 'allow'): Promise<URL> {
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
export const callWith = async (site: Site, token: string): Promise<number> =>
  (await site.get('/rest/user/profile/detail', bearer(token))).status;

/** Posts a form, as with curl. */
export const postForm = (url: string, form: Form, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(url, { form, headers });
