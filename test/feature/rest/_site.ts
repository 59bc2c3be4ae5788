import { digest } from '../../../src/core/secret/secret.ts';
import { ACTIONS, type CallChoice, createCall, createLinkCall } from '../../../src/edit/usual-call.ts';
import type { Access, Schema } from '../../../src/model/shape.ts';
import { type Site as Booted, boot, type TokenOptions } from '../../boot.ts';
import { type Answer, bearer, PASSWORD, type Sent } from '../../client.ts';
import type { Files } from '../../project.ts';

export const SECRET = 'tk_cs_secret';

const stamps = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created' },
  { name: 'updated', type: 'updated' },
];
const owner = { schema: 'profile', kind: '1:1' };

/** Private notes in private folders, with unowned tags; public posts with comments. */
const SCHEMAS = [
  { name: 'profile', fields: [{ name: 'name', type: 'text', required: true }, ...stamps] },
  { name: 'tag', fields: [{ name: 'word', type: 'text', required: true }] },
  {
    name: 'note',
    fields: [
      { name: 'text', type: 'text', required: true },
      { name: 'hint', type: 'text' },
      { name: 'list', type: 'tag' },
      { name: 'data', type: 'rawjson' },
      { name: 'place', type: 'fieldset', fieldset: 'place' },
      ...stamps,
    ],
    relations: [owner, { schema: 'tag', kind: 'N:N' }, { schema: 'note', kind: 'N:N', name: 'related' }],
  },
  {
    name: 'folder',
    fields: [{ name: 'name', type: 'text', required: true }, ...stamps],
    relations: [owner, { schema: 'note', kind: '1:N' }, { schema: 'note', kind: '1:0', name: 'cover' }],
  },
  {
    name: 'post',
    fields: [{ name: 'title', type: 'text', required: true }, ...stamps],
    relations: [owner, { schema: 'comment', kind: '1:N' }],
  },
  {
    name: 'comment',
    fields: [{ name: 'text', type: 'text', required: true }, ...stamps],
    relations: [owner],
  },
].map((schema) => {
  const singular = schema.name.charAt(0).toUpperCase() + schema.name.slice(1);
  return { singular, plural: `${singular}s`, ...schema };
}) as unknown as Schema[];

const PLACE = {
  name: 'place',
  singular: 'Place',
  plural: 'Places',
  fields: [
    { name: 'street', type: 'text', required: true },
    { name: 'city', type: 'text' },
  ],
};

export const getSchema = (name: string): Schema => SCHEMAS.find((schema) => schema.name === name) as Schema;

/** The calls of `rest generate` for a schema and access, with every action. */
export function listGenerated(access: Access, name: string): CallChoice[] {
  const schema = getSchema(name);
  return ACTIONS.flatMap((action) => {
    if (action !== 'link' && action !== 'unlink') return [createCall(access, schema, action)];
    return (schema.relations ?? [])
      .filter(({ kind }) => kind !== '1:1')
      .map((relation) => createLinkCall(access, schema, relation, { action, target: getSchema(relation.schema) }));
  });
}

const generated = [
  ...(['public', 'app', 'user'] as const).flatMap((access) => listGenerated(access, 'note')),
  ...listGenerated('user', 'folder'),
  ...listGenerated('user', 'comment'),
  ...listGenerated('user', 'post'),
  ...listGenerated('public', 'post').filter(({ action }) => action === 'search'),
  ...listGenerated('user', 'profile'),
  // Notes are private: only their owner reads them, and no public or open call does.
].filter(({ name }) => !/^public-note-(?:search|detail)$/.test(name));

const call = (access: Access, method: string, path: string, event: string, more: object = {}) => ({
  title: `${method} ${path}`,
  access,
  method,
  path: `/${access}/${path}`,
  event,
  ...more,
});

/**
 * In addition to the generated calls: every method, a wildcard, fixed nested parameters, an event of the project's
 * own.
 */
const own = Object.fromEntries(
  (['public', 'app', 'user'] as const).flatMap((access) => [
    ...['get', 'post', 'put', 'patch', 'delete', 'all'].map((method) => [
      `${access}-greet-${method}`,
      call(access, method, `greet/${method}/:name`, 'greet'),
    ]),
    [`${access}-file`, call(access, 'get', 'file/*/of/**', 'greet', { parameters: { deep: { a: [1, { b: 'c' }] } } })],
  ]),
);
/** An app call without a scope: every app may use it. */
const LOOSE = {
  'app-loose': call('app', 'get', 'loose', 'greet'),
  'app-loose-write': call('app', 'post', 'loose', 'greet'),
};

const listNames = (access: Access, isWanted: (name: string) => boolean): string[] =>
  [...generated.map(({ name }) => name), ...Object.keys(own)].filter(
    (name) => name.startsWith(`${access}-`) && isWanted(name),
  );

const isRead = (name: string): boolean => /-(?:search|detail|get)$/.test(name);

const SCOPES = [
  { slug: 'all_read', name: 'Read', access: 'user', calls: listNames('user', isRead) },
  { slug: 'all_write', name: 'Write', access: 'user', calls: listNames('user', (name) => !isRead(name)) },
  { slug: 'named', name: 'Hand-written by name', access: 'user', calls: ['whoami', 'user-note-detail'] },
  { slug: 'by_call', name: 'Named by the call', access: 'user', calls: [] },
  { slug: 'vetted', name: 'Approved only', access: 'user', approval: true, calls: ['user-note-search'] },
  { slug: 'idle', name: 'Nothing', access: 'user', calls: [] },
  { slug: 'app_all', name: 'All app calls', access: 'app', calls: [...listNames('app', () => true), 'app-stats'] },
  { slug: 'app_idle', name: 'Nothing for apps', access: 'app', calls: [] },
];

const slugs = (access: string): string[] => SCOPES.filter((scope) => scope.access === access).map(({ slug }) => slug);

const app = (clientId: string, scopes: readonly string[]) => ({
  title: `The app ${clientId}`,
  clientId,
  secretHash: `sha256:${digest(SECRET)}`,
  redirectUris: ['https://app.example/cb'],
  scopes,
});

const CODE = {
  'app/www/.treadle.ts': `import calls from './src/calls';\nexport default [calls];\n`,
  'app/www/src/calls.ts': `
import type { App } from 'treadle';
export default function calls(app: App) {
  app.on('greet', (request, response) => {
    response.setResults({ stage: request.getStage(), variables: request.getVariables(), actor: request.get('actor') });
  });
  const whoami = (request, response) => void response.setResults({ me: request.getStage('profile_id') });
  app.rest({ name: 'whoami', access: 'user', method: 'get', path: '/user/whoami' }, whoami);
  app.rest({ access: 'user', method: 'post', path: '/user/by-call/:id', scope: 'by_call' }, whoami);
  app.rest({ name: 'app-stats', access: 'app', method: 'get', path: '/public/stats' }, whoami);
  app.rest({ access: 'public', method: 'get', path: '/public/hello' }, whoami);
}
`,
};

/** A site with two users. */
export interface Site extends Pick<Booted, 'app' | 'url' | 'close'> {
  /** Profile ids of the two users. */
  readonly una: number;
  readonly vic: number;
  /** A new access token; without options of the app `full` for Una, with every user scope. */
  token(options?: Partial<TokenOptions>): Promise<string>;
  send(method: string, path: string, sent?: Sent & { readonly token?: string }): Promise<JsonAnswer>;
}

export interface JsonAnswer extends Omit<Answer, 'json'> {
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into as it comes.
  readonly json: any;
}

function listFiles(): Files {
  const files: Record<string, unknown> = {
    'config/fieldset/place.json': PLACE,
    'config/webhook/note-changed.json': {
      title: 'A note changed',
      event: 'system-model-*',
      parameters: { schema: 'note' },
      type: 'note.changed',
    },
    'config/app/full.json': app('full', [...slugs('user'), ...slugs('app')]),
    'config/app/poor.json': app('poor', ['idle', 'app_idle']),
    'config/app/suspended.json': app('suspended', [...slugs('user'), ...slugs('app')]),
    ...CODE,
  };
  for (const schema of SCHEMAS) files[`config/schema/${schema.name}.json`] = schema;
  for (const { name, value } of generated) files[`config/rest/${name}.json`] = value;
  for (const [name, value] of Object.entries({ ...own, ...LOOSE })) files[`config/rest/${name}.json`] = value;
  for (const scope of SCOPES) files[`config/scope/${scope.slug}.json`] = scope;
  return files;
}

/** A project with calls of every access, method and action, generated and hand-written, served with two users. */
export async function startSite(): Promise<Site> {
  const settings = { api: true, limits: { perMinute: 1_000_000 } };
  const site = await boot({ template: 'none', settings, files: listFiles() });
  const add = async (profile_name: string): Promise<number> => {
    const account = { auth_slug: `${profile_name}@example.org`, auth_password: PASSWORD, auth_active: 1 };
    return Number((await site.emit('auth-create', { ...account, profile_name })).getResults('profile_id'));
  };
  const [una, vic] = [await add('Una'), await add('Vic')];
  await add('Gone');
  const { kysely } = site.app.services.database;
  await kysely.updateTable('treadle_app').set({ active: 0 }).where('client_id', '=', 'suspended').execute();
  return {
    app: site.app,
    url: site.url,
    close: () => site.close(),
    una,
    vic,
    token: (options = {}) => site.token({ client: 'full', profile: una, scopes: slugs('user'), ...options }),
    async send(method, path, { token, headers, ...sent } = {}) {
      const known = token === undefined ? {} : bearer(token);
      const answer = await site.send(method, path, { ...sent, headers: { ...known, ...headers } });
      return { ...answer, json: answer.json() };
    },
  };
}
