import { digest } from '../../../src/core/secret/secret.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { createCall } from '../../../src/edit/usual-call.ts';
import type { Access, Schema } from '../../../src/model/shape.ts';
import { type Site as Booted, boot, type TokenOptions, until } from '../../boot.ts';
import { type Answer, bearer, PASSWORD, type Sent } from '../../client.ts';
import { writeRules } from '../role/_site.ts';

export const SECRET = 'tk_cs_secret';

const active = { name: 'active', type: 'active' };
const owner = { schema: 'profile', kind: '1:1' };

/** Orders with lines, and with seats that a role rules; lines with parts; tags that nobody owns. */
const SCHEMAS = [
  { name: 'profile', fields: [{ name: 'name', type: 'text', required: true }] },
  {
    name: 'order',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'state', type: 'text' },
      { name: 'data', type: 'rawjson' },
      { name: 'lines', type: 'computed', expression: 'line.count' },
      active,
    ],
    relations: [
      owner,
      { schema: 'line', kind: '1:N' },
      { schema: 'seat', kind: '1:N' },
      { schema: 'tag', kind: 'N:N' },
    ],
  },
  {
    name: 'line',
    fields: [
      { name: 'text', type: 'text', required: true },
      { name: 'price', type: 'decimal', scale: 2 },
      { name: 'word', type: 'password' },
      active,
    ],
    relations: [owner, { schema: 'part', kind: '1:N' }],
  },
  {
    name: 'seat',
    fields: [
      { name: 'row', type: 'text', required: true, filterable: true },
      { name: 'code', type: 'text', default: 'hidden' },
    ],
    relations: [owner],
  },
  { name: 'part', fields: [{ name: 'text', type: 'text', required: true }], relations: [owner] },
  { name: 'tag', fields: [{ name: 'word', type: 'text', required: true }] },
  // What the project hears of orders that are durable.
  { name: 'echo', fields: [{ name: 'word', type: 'text', required: true }] },
].map((schema) => {
  const singular = schema.name.charAt(0).toUpperCase() + schema.name.slice(1);
  return { singular, plural: `${singular}s`, ...schema };
}) as unknown as Schema[];

const getSchema = (name: string): Schema => SCHEMAS.find((schema) => schema.name === name) as Schema;

const ROWS = ['create', 'update', 'remove', 'restore'] as const;

const generated = (['public', 'app', 'user'] as const).flatMap((access: Access) =>
  ['order', 'line', 'seat', 'part', 'tag'].flatMap((name) =>
    (['search', 'detail', 'batch', ...ROWS] as const)
      .filter((action) => (access === 'user' ? name !== 'tag' || action === 'create' : action === 'create'))
      .map((action) => createCall(access, getSchema(name), action)),
  ),
);

const call = (access: Access, method: string, path: string, event: string, parameters: object, more: object = {}) => ({
  title: `${method} ${path}`,
  access,
  method,
  path: `/${access}/${path}`,
  event,
  parameters,
  ...more,
});

const pair = { schema1: 'order', schema2: 'tag' };
const own: Readonly<Record<string, object>> = {
  'user-tag-create': call('user', 'post', 'tag/create', 'system-model-create', { schema: 'tag' }, { own: false }),
  'user-order-held': call(
    'user',
    'patch',
    'held/:order_id',
    'system-model-update',
    { schema: 'order' },
    { concurrency: 'required' },
  ),
  'user-order-fixed': call('user', 'post', 'fixed', 'system-model-create', { schema: 'order', order_state: 'new' }),
  'user-order-import': call('user', 'post', 'order/import', 'system-model-import', { schema: 'order' }),
  'user-order-link-tag': call('user', 'put', 'order/:order_id/tag/:tag_id', 'system-relation-link', pair),
  'user-order-unlink-tag': call('user', 'delete', 'order/:order_id/tag/:tag_id', 'system-relation-unlink', pair),
  'user-order-wild': call('user', 'post', 'wild/*', 'system-model-create', { schema: 'order' }),
  // `/user/order/create` is another route: a parameter must not lead there.
  'user-order-any': call('user', 'post', 'order/:order_state', 'system-model-create', { schema: 'order' }),
};

const CODE = `
import type { App } from 'treadle';
export default function calls(app: App) {
  app.rest({ name: 'hand', access: 'user', method: 'post', path: '/user/hand', scope: 'orders' }, (_request, response) => {
    response.setResults({ done: true });
  });
  app.on('POST /rest/user/part/create', (request, response) => {
    if (request.getPost('part_text') === 'guarded') response.refuse({ status: 403, message: 'The guard said no.' });
    if (request.getPost('part_text') === 'page') response.setContent('<p>A page</p>');
  });
  app.after('system-model-create', { schema: 'order' }, (request, response) => {
    if (request.getStage('order_title') === 'vetoed') response.refuse({ status: 409, message: 'Vetoed after.' });
  });
  app.committed(
    'system-model-create',
    'echo-order',
    ({ results }) => app.emit('system-model-create', { schema: 'echo', echo_word: results.order_title }),
    { schema: 'order' },
  );
}
`;

const app = (clientId: string, scopes: readonly string[]) => ({
  title: clientId,
  clientId,
  secretHash: `sha256:${digest(SECRET)}`,
  redirectUris: ['https://app.example/cb'],
  scopes,
});

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into as it comes.
export type Json = any;

export interface JsonAnswer extends Omit<Answer, 'json'> {
  readonly json: Json;
}

export interface Orders extends Pick<Booted, 'app' | 'emit' | 'close' | 'cli'> {
  readonly una: number;
  readonly vic: number;
  token(options?: Partial<TokenOptions>): Promise<string>;
  send(method: string, path: string, sent?: Sent & { readonly token?: string }): Promise<JsonAnswer>;
  /** Rows of a table, by SQL. */
  count(table: string): Promise<number>;
  /** Titles of the orders that a `committed` listener heard of, once no job is left. */
  echoes(): Promise<string[]>;
}

export interface OrdersOptions {
  readonly perMinute?: number;
  readonly files?: Readonly<Record<string, unknown>>;
}

/** A served project with orders, and two users. */
export async function startOrders({ perMinute = 1_000_000, files = {} }: OrdersOptions = {}): Promise<Orders> {
  const calls = Object.fromEntries([...generated.map(({ name, value }) => [name, value]), ...Object.entries(own)]);
  const users = Object.keys(calls).filter((name) => name.startsWith('user-'));
  const apps = Object.keys(calls).filter((name) => name.startsWith('app-'));
  const site = await boot({
    template: 'none',
    settings: { api: true, limits: { perMinute } },
    files: {
      'config/webhook/order-changed.json': {
        title: 'An order changed',
        event: 'system-model-create',
        parameters: { schema: 'order' },
        type: 'order.created',
      },
      'config/scope/orders.json': { slug: 'orders', name: 'Orders', access: 'user', calls: [...users, 'hand'] },
      'config/scope/few.json': {
        slug: 'few',
        name: 'Few',
        access: 'user',
        calls: ['user-order-create', 'user-order-update'],
      },
      'config/scope/shop.json': { slug: 'shop', name: 'Shop', access: 'app', calls: apps },
      'config/app/full.json': app('full', ['orders', 'few', 'shop']),
      'config/app/suspended.json': app('suspended', ['orders', 'shop']),
      'app/www/.treadle.ts': `import calls from './src/calls';\nexport default [calls];\n`,
      'app/www/src/calls.ts': CODE,
      ...Object.fromEntries(SCHEMAS.map((schema) => [`config/schema/${schema.name}.json`, schema])),
      ...Object.fromEntries(Object.entries(calls).map(([name, value]) => [`config/rest/${name}.json`, value])),
      ...files,
    },
    change: (project) =>
      writeRules(project, {
        user: {
          seat: {
            detail: { read: ['*', '-code'] },
            create: { check: { seat_row: 'A' }, write: ['row', 'order_id'] },
            update: { filter: { seat_row: 'A' }, write: ['row'] },
          },
        },
      }),
  });
  const add = async (profile_name: string): Promise<number> => {
    const account = { auth_slug: `${profile_name}@example.org`, auth_password: PASSWORD, auth_active: 1 };
    return Number((await site.emit('auth-create', { ...account, profile_name })).getResults('profile_id'));
  };
  const [una, vic] = [await add('Una'), await add('Vic')];
  const { kysely } = site.app.services.database;
  await kysely.updateTable('treadle_app').set({ active: 0 }).where('client_id', '=', 'suspended').execute();
  return {
    app: site.app,
    emit: (event, stage?: Row) => site.emit(event, stage),
    cli: (...argv) => site.cli(...argv),
    close: () => site.close(),
    una,
    vic,
    token: (options = {}) => site.token({ client: 'full', profile: una, scopes: ['orders'], ...options }),
    async send(method, path, { token, headers, ...sent } = {}) {
      const known = token === undefined ? {} : bearer(token);
      const answer = await site.send(method, path, { ...sent, headers: { ...known, ...headers } });
      return { ...answer, json: answer.json() };
    },
    count: async (table) => (await site.rows(table)).length,
    async echoes() {
      await until(async () => ((await site.rows('treadle_job')).length === 0 ? true : undefined));
      return (await site.rows('echo')).map(({ echo_word }) => String(echo_word)).sort();
    },
  };
}
