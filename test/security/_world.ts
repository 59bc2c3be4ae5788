import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { createLog } from '../../src/core/log.ts';
import { addArticle, type Browser, cli, type Site, startBlog } from '../e2e/_setup.ts';

type Json = Record<string, unknown>;

const read = (file: string): Json => JSON.parse(readFileSync(file, 'utf8')) as Json;

function write(root: string, path: string, data: unknown): void {
  const file = join(root, 'config', path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
}

/** A schema with a field of nearly every type, owned by a profile: the target of the attacks. */
const FIELDS = [
  {
    name: 'name',
    type: 'text',
    searchable: true,
    filterable: true,
    sortable: true,
    validation: [{ method: 'required' }],
  },
  { name: 'body', type: 'wysiwyg', searchable: true },
  { name: 'note', type: 'markdown' },
  { name: 'count', type: 'number', filterable: true, sortable: true },
  { name: 'mail', type: 'email' },
  { name: 'link', type: 'url' },
  { name: 'pin', type: 'password' },
  { name: 'tags', type: 'tag', filterable: true },
  { name: 'data', type: 'rawjson' },
  { name: 'place', type: 'latlng' },
  { name: 'day', type: 'date', filterable: true, sortable: true },
  { name: 'flag', type: 'checkbox', filterable: true },
  { name: 'code', type: 'slug' },
  { name: 'uid', type: 'uuid' },
  { name: 'ip', type: 'ipaddress' },
  { name: 'meta', type: 'meta' },
  { name: 'grid', type: 'table' },
  { name: 'price', type: 'price' },
  { name: 'range', type: 'multirange' },
  { name: 'list', type: 'textlist' },
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
] as const;

const METHODS = { search: 'get', detail: 'get', create: 'post', update: 'put', remove: 'delete' } as const;
type Action = keyof typeof METHODS;

function addCall(root: string, access: string, schema: string, action: Action): string {
  const name = `${access}-${schema}-${action}`;
  const id = action === 'search' || action === 'create' ? '' : `/:${schema}_id`;
  const folder = access === 'app' ? 'public/app' : access;
  write(root, `rest/${name}.json`, {
    title: name,
    access,
    method: METHODS[action],
    path: `/${folder}/${schema}/${action}${id}`,
    event: `system-model-${action}`,
    parameters: { schema },
  });
  return name;
}

/** The blog with its API open, a `thing` with every kind of call, and hidden fields on profiles. */
async function prepare(root: string): Promise<void> {
  await cli(['api', 'populate'], root);
  const schema = { name: 'thing', singular: 'Thing', plural: 'Things', fields: FIELDS };
  write(root, 'schema/thing.json', { ...schema, relations: [{ schema: 'profile', kind: '1:1' }] });
  const profile = read(join(root, 'config/schema/profile.json')) as { fields: unknown[] };
  profile.fields.push({ name: 'pin', type: 'password' });
  write(root, 'schema/profile.json', profile);
  const calls: string[] = [];
  for (const access of ['public', 'app', 'user']) {
    for (const action of Object.keys(METHODS) as Action[]) {
      const name = addCall(root, access, 'thing', action);
      if (access === 'user') calls.push(name);
    }
  }
  for (const action of ['search', 'detail', 'create', 'update', 'remove'] as const)
    calls.push(addCall(root, 'user', 'comment', action));
  for (const action of ['search', 'update', 'remove'] as const) calls.push(addCall(root, 'user', 'profile', action));
  const settings = read(join(root, 'config/settings.json'));
  write(root, 'settings.json', { ...settings, limits: { perMinute: 1_000_000 } });
  write(root, 'scope/all.json', { slug: 'all', name: 'Everything', access: 'user', calls });
}

export interface Token {
  readonly access: string;
  readonly secret: string;
}

export interface World {
  readonly site: Site;
  readonly url: string;
  /** Every line of the log so far. */
  readonly log: string[];
  readonly app: { readonly clientId: string; readonly secret: string };
  readonly ann: Browser;
  readonly ben: Browser;
  /** Runs the dialog and the exchange with these scopes. */
  authorize(user: Browser, scope?: string): Promise<Token>;
  close(): Promise<void>;
}

const REDIRECT = 'https://app.example/cb?keep=1';

/** Two users, an app of Ann's and an article, on a running site with a recorded log. */
export async function startWorld(
  more: (root: string) => Promise<void> | void = () => {},
  mode: 'test' | 'development' = 'test',
): Promise<World> {
  const log: string[] = [];
  const site = await startBlog(
    async (root) => {
      await prepare(root);
      await more(root);
    },
    {
      mode,
      env: { TREADLE_SECRET: 'a secret of the tests, of enough characters' },
      log: createLog({ clock: { now: () => Date.now(), after: () => () => {} }, write: (line) => log.push(line) }),
    },
  );
  await addArticle(site);
  const ann = site.browser();
  await ann.signUp('Ann', 'ann@example.org');
  const ben = site.browser();
  await ben.signUp('Ben', 'ben@example.org');
  const created = await site.app.emit('app-create', {
    title: 'Reader',
    owner: 1,
    redirect_uris: [REDIRECT],
    scopes: ['profile_read', 'all'],
  });
  const app = {
    clientId: String(created.getResults('client_id')),
    secret: String(created.getResults('client_secret')),
  };
  return {
    site,
    url: site.url,
    log,
    app,
    ann,
    ben,
    async authorize(user, scope = 'profile_read,all') {
      const path = `/dialog/request?client_id=${app.clientId}&scope=${encodeURIComponent(scope)}`;
      const shown = await user.post(path, { action: 'allow', 'permissions[]': scope.split(',') });
      const code = new URL(shown.location).searchParams.get('code') ?? '';
      const query = `client_id=${app.clientId}&client_secret=${app.secret}&code=${code}`;
      const answer = await fetch(`${site.url}/rest/access?${query}`, { method: 'POST' });
      const { results } = (await answer.json()) as { results: { access_token: string; access_secret: string } };
      return { access: results.access_token, secret: results.access_secret };
    },
    close: () => site.close(),
  };
}

export interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request unchanged: the path is not normalized, and any header and byte may be sent. */
export function send(
  url: string,
  options: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  },
): Promise<Raw> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body } = options;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const call = sendRequest({ host: hostname, port, method, path, headers: { ...length, ...headers } }, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: message.statusCode ?? 0, headers: message.headers, body: text });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}
