import type { Application } from '../../../src/boot.ts';
import { digest } from '../../../src/core/secret/secret.ts';
import { type BootOptions, boot, type Site } from '../../boot.ts';
import { type Answer, ask as askRaw, type Sent } from '../../client.ts';
import type { Files } from '../../project.ts';

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
/** The token of another user, for the same app. */
export const OTHER_TOKEN = 'tk_at_other';

export interface World extends Pick<Site, 'app' | 'url' | 'root' | 'close'> {
  ask(path: string, sent?: Sent): Promise<Answer>;
  /** Sends JSON. */
  send(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>;
  count(where?: object): Promise<number>;
}

const listFiles = (): Files => ({
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
});

interface Holder {
  readonly slug: string;
  readonly profileId: number;
  readonly token: string;
}

/**
 * A user with this profile, and a token of the app `reader` for that user: inserted directly, because scrypt and the
 * dialog take a second.
 */
async function addToken({ services }: Application['context'], { slug, profileId, token }: Holder): Promise<void> {
  const { kysely } = services.database;
  const { app_id } = await kysely
    .selectFrom('treadle_app')
    .select('app_id')
    .where('client_id', '=', 'reader')
    .executeTakeFirstOrThrow();
  const auth = {
    auth_slug: slug,
    auth_password: 'x',
    auth_active: 1,
    profile_id: profileId,
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
      token_hash: digest(token),
      kind: 'access',
      app_id,
      auth_id,
      profile_id: profileId,
      scopes: '["notes"]',
      created_at: 0,
      expires_at: 4_000_000_000,
    })
    .execute();
}

/** A small project with calls of each access on notes and two profiles, served. */
export async function startWorld(options: BootOptions = {}): Promise<World> {
  const { settings, files } = options;
  const site = await boot({
    ...options,
    template: 'none',
    settings: { name: 'Notes', ...settings },
    files: { ...listFiles(), ...files },
  });
  for (const profile_name of ['Una', 'Olaf'])
    await site.emit('system-model-create', { schema: 'profile', profile_name });
  await addToken(site.app.context, { slug: 'una@example.org', profileId: 1, token: TOKEN });
  await addToken(site.app.context, { slug: 'olaf@example.org', profileId: 2, token: OTHER_TOKEN });
  const ask = (path: string, sent?: Sent) => askRaw(site.url + path, sent);
  return {
    app: site.app,
    url: site.url,
    root: site.root,
    close: () => site.close(),
    ask,
    send: (method, path, json, headers = {}) => ask(path, { method, headers, json }),
    async count(where = {}) {
      const filter = { note_active: 'any', ...where };
      return Number((await site.emit('system-model-search', { schema: 'note', filter })).getResults('total'));
    },
  };
}

export const bearer = { authorization: `Bearer ${TOKEN}` };

export const results = (answer: Answer): Record<string, unknown> => answer.json().results;
