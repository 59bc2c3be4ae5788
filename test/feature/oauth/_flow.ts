import { createHash } from 'node:crypto';
import { digest } from '../../../src/core/secret/secret.ts';
import type { AppModel, HookModel, ScopeModel } from '../../../src/model/model.ts';
import type { App } from '../../../src/model/shape.ts';
import { type Answer, createSite, type Site, type SiteOptions } from '../auth/_site.ts';

export const SECRET = 'tk_cs_test';

export function toApp(name: string, more: Partial<App> = {}): [string, AppModel] {
  const definition: App = {
    title: `The app ${name}`,
    clientId: name,
    secretHash: `sha256:${digest(SECRET)}`,
    owner: 'owen@example.org',
    website: 'https://app.example',
    redirectUris: ['https://app.example/cb'],
    scopes: ['profile_read', 'profile_write', 'stats'],
    ...more,
  };
  return [name, { name, definition, file: `config/app/${name}.json` }];
}

const toScope = (slug: string, name: string, access: 'user' | 'app'): [string, ScopeModel] => [
  slug,
  { slug, definition: { slug, name, access, calls: [] }, calls: [], file: `config/scope/${slug}.json` },
];

export const scopes = new Map([
  toScope('profile_read', 'See your profile', 'user'),
  toScope('profile_write', 'Change your profile', 'user'),
  toScope('other', 'Something else', 'user'),
  toScope('stats', 'Read statistics', 'app'),
  toScope('email', 'See your e-mail address', 'user'),
]);
const [, sensitive] = toScope('sensitive', 'See what few may see', 'user');
scopes.set('sensitive', { ...sensitive, definition: { ...sensitive.definition, approval: true } });

const toHook = (name: string, audience: 'app' | 'user'): [string, HookModel] => [
  name,
  {
    name,
    definition: { title: `Hook ${name}`, event: 'system-model-create', type: 'profile.created', audience },
    schema: 'profile',
    file: `config/webhook/${name}.json`,
  },
];
export const hooks = new Map([toHook('profile-created', 'app'), toHook('mine', 'user')]);

export const apps = new Map([
  toApp('reader'),
  toApp('bare', { redirectUris: [] }),
  toApp('two', { redirectUris: ['https://app.example/a', 'https://app.example/b'] }),
  toApp('query', { redirectUris: ['https://app.example/cb?x=1'] }),
  toApp('native', { redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:9/cb', 'com.example.app:/cb'] }),
  toApp('local', { redirectUris: ['http://localhost:1/cb'] }),
  toApp('remembering', { rememberConsent: true }),
  toApp('lenient', { pkce: 'optional' }),
  toApp('ignoring', { unknownScopes: 'ignore' }),
]);
const [, publicApp] = toApp('public');
const { secretHash: _, ...withoutSecret } = publicApp.definition;
apps.set('public', { ...publicApp, definition: withoutSecret });

export interface World {
  readonly site: Site;
  /** A session of the logged-in user Una, new for each request. */
  una(): Record<string, unknown>;
}

export async function createWorld(options: SiteOptions = {}): Promise<World> {
  const site = await createSite({ ...options, model: { apps, scopes, hooks, ...options.model } });
  const { auth_id } = await site.addUser('Owen');
  const me = await site.addUser('Una');
  await site.emit('auth-verify', { auth_id });
  return { site, una: () => ({ me: { ...me } }) };
}

/** Allows and returns the code. */
export async function allow({ site, una }: World, query = 'client_id=reader'): Promise<string> {
  const body = 'action=allow&permissions[]=profile_read';
  const answer = await site.post(`/dialog/request?${query}`, body, { session: una() });
  return new URL(answer.location).searchParams.get('code') ?? `none: ${answer.status} ${answer.location}`;
}

export const exchange = ({ site }: World, code: string, more = `client_secret=${SECRET}`): Promise<Answer> =>
  site.post(`/rest/access?client_id=reader&${more}&code=${code}`, '');

export const toJson = ({ text }: Answer): Record<string, unknown> => JSON.parse(text);

export const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const PKCE = `code_challenge_method=S256&code_challenge=${CHALLENGE}`;
export const CALLBACK = 'https://app.example/cb';
const STANDARD = `response_type=code&client_id=reader&${PKCE}`;

/** Allows at the standard endpoint and returns the parameters of the redirect. */
export async function authorize({ site, una }: World, query = STANDARD, body = ''): Promise<URLSearchParams> {
  const form = body === '' ? 'action=allow&permissions[]=profile_read&permissions[]=profile_write' : body;
  const answer = await site.post(`/oauth/authorize?${query}`, form, { session: una() });
  if (answer.status !== 303) throw new Error(`${answer.status} ${answer.text}`);
  return new URL(answer.location).searchParams;
}

export const toForm = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

/** Posts to the token endpoint, as the app `reader` unless `fields` say otherwise; an empty value omits a field. */
export function askToken(
  { site }: World,
  fields: Readonly<Record<string, string>>,
  { path = '/oauth/token', headers = {} }: { path?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const all = { client_id: 'reader', client_secret: SECRET, ...fields };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  return site.post(path, toForm(given), { headers });
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** The whole standard flow to a token set. */
export async function getTokens(
  world: World,
  query = STANDARD,
  client: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  const code = (await authorize(world, query)).get('code') ?? '';
  const fields = { grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...client };
  const answer = await askToken(world, fields);
  if (answer.status !== 200) throw new Error(answer.text);
  return JSON.parse(answer.text);
}

export const renew = (world: World, token: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  askToken(world, { grant_type: 'refresh_token', refresh_token: token, ...more });

/** True if a token still works for user calls. */
export async function isAlive({ site }: World, token: unknown): Promise<boolean> {
  return !(await site.emit('rest-source-session-detail', { access_token: token })).isError();
}
