import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, type AppOptions, createApp } from '../../../src/boot.ts';
import { silentLog } from '../../../src/core/log.ts';
import { digest } from '../../../src/core/secret.ts';
import { placeUrl, removePlace, SERVER } from '../../database/_where.ts';
import { type Answer, type Asked, ask as askRaw } from '../../runtime/_harness.ts';

const NOTE = { schema: 'note' };

const schemas = {
  profile: {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [{ name: 'name', type: 'text', required: true }],
  },
  note: {
    name: 'note',
    singular: 'Note',
    plural: 'Notes',
    fields: [
      { name: 'title', type: 'text', required: true, sortable: true, filterable: true },
      { name: 'text', type: 'textarea' },
      { name: 'code', type: 'text', validation: [{ method: 'unique', message: 'Code is taken' }] },
      { name: 'active', type: 'active' },
    ],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
};

const call = (access: string, method: string, action: string, more: object = {}) => ({
  title: `${access} ${action}`,
  access,
  method,
  path: `/${access === 'app' ? 'public/app' : access}/note/${action}${/search|create/.test(action) ? '' : '/:note_id'}`,
  event: `system-model-${action}`,
  parameters: NOTE,
  ...more,
});

const calls: Record<string, object> = {
  'held-note-update': call('public', 'patch', 'update', { path: '/public/held/:note_id', concurrency: 'required' }),
  'kept-note-detail': call('public', 'get', 'detail', {
    path: '/public/kept/:note_id',
    maxAge: 60,
    deprecated: '2026-01-31',
    sunset: '2026-12-31',
  }),
};
for (const access of ['public', 'app', 'user']) {
  for (const [method, action] of [
    ['get', 'search'],
    ['get', 'detail'],
    ['post', 'create'],
    ['patch', 'update'],
    ['delete', 'remove'],
    ['post', 'restore'],
  ] as const)
    calls[`${access}-note-${action}`] = call(access, method, action);
}

export const SECRET = 'tk_cs_test';
export const TOKEN = 'tk_at_test';

export interface World {
  readonly app: Application;
  readonly url: string;
  readonly root: string;
  ask(path: string, asked?: Asked): Promise<Answer>;
  /** Sends JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  count(where?: object): Promise<number>;
  close(): Promise<void>;
}

function writeProject(root: string, more: Readonly<Record<string, unknown>>, settings: object): void {
  const files: Record<string, unknown> = {
    'config/settings.json': settings,
    'config/scope/notes.json': {
      slug: 'notes',
      name: 'Your notes',
      access: 'user',
      calls: Object.keys(calls).filter((name) => name.startsWith('user-')),
    },
    'config/app/reader.json': {
      title: 'Reader',
      clientId: 'reader',
      secretHash: `sha256:${digest(SECRET)}`,
      redirectUris: ['https://reader.example/cb', 'http://127.0.0.1/cb'],
      scopes: ['notes'],
    },
    'config/app/other.json': {
      title: 'Other',
      clientId: 'other',
      redirectUris: ['https://other.example/cb'],
      scopes: ['notes'],
    },
    ...Object.fromEntries(Object.entries(schemas).map(([name, value]) => [`config/schema/${name}.json`, value])),
    ...Object.fromEntries(Object.entries(calls).map(([name, value]) => [`config/rest/${name}.json`, value])),
    ...more,
  };
  for (const [file, value] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/**
 * A user with a profile, and a token of the app `reader` for that user: inserted directly, because scrypt and the
 * dialog take a second.
 */
async function addToken({ services }: Application['context']): Promise<void> {
  const { kysely } = services.database;
  const { app_id } = await kysely
    .selectFrom('treadle_app')
    .select('app_id')
    .where('client_id', '=', 'reader')
    .executeTakeFirstOrThrow();
  const auth = {
    auth_slug: 'una@example.org',
    auth_password: 'x',
    auth_active: 1,
    profile_id: 1,
    auth_created: '2026-01-01 00:00:00',
    auth_updated: '2026-01-01 00:00:00',
  };
  const { auth_id } = await kysely
    .insertInto('treadle_auth')
    .values(auth)
    .returning('auth_id')
    .executeTakeFirstOrThrow();
  await kysely
    .insertInto('treadle_token')
    .values({
      token_hash: digest(TOKEN),
      kind: 'access',
      app_id,
      auth_id,
      profile_id: 1,
      scopes: '["notes"]',
      created_at: 0,
      expires_at: 4_000_000_000,
    })
    .execute();
}

/** A small project with calls of each access on notes and two profiles, served. */
export async function startWorld(
  options: {
    readonly files?: Readonly<Record<string, unknown>>;
    readonly settings?: object;
    readonly app?: Partial<AppOptions>;
  } = {},
): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-rest-'));
  const place = placeUrl('var/app.db');
  const env = {
    TREADLE_SECRET: 'test only, at least 32 characters long',
    ...(SERVER === undefined ? {} : { DATABASE_URL: place }),
  };
  writeProject(root, options.files ?? {}, { name: 'Notes', ...options.settings });
  const app = await createApp({ root, mode: 'test', env, log: silentLog, ...options.app });
  for (const profile_name of ['Una', 'Olaf'])
    await app.emit('system-model-create', { schema: 'profile', profile_name });
  await addToken(app.context);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const ask = (path: string, asked?: Asked) => askRaw(url + path, asked);
  return {
    app,
    url,
    root,
    ask,
    send: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    count: async (where = {}) =>
      Number(
        (
          await app.emit('system-model-search', { schema: 'note', filter: { note_active: 'any', ...where } })
        ).getResults('total'),
      ),
    async close() {
      await app.close();
      await removePlace(place);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export const bearer = { authorization: `Bearer ${TOKEN}` };

export const results = (answer: Answer): Record<string, unknown> => JSON.parse(answer.text).results;
