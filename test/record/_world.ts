// The site that every recorded request is sent to: the blog with its API, a schema of nearly every type, roles with rules,
// an app. Clock and random bytes are given, so that two plays give the same answers.
import { createHash } from 'node:crypto';
import process from 'node:process';
import type { Clock, Random } from '../../src/core/clock.ts';
import { addArticle, boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';
import type { Project } from '../project.ts';

/** Random bytes that depend on what was asked before only since the last `restart`. */
export interface SeededRandom {
  readonly random: Random;
  /** Begins the bytes of this name. */
  restart(name: string): void;
}

export function createSeededRandom(): SeededRandom {
  let [seed, count] = ['start', 0];
  const block = (): Buffer => createHash('sha512').update(`${seed} ${count++}`).digest();
  return {
    random(bytes) {
      const blocks: Buffer[] = [];
      for (let length = 0; length < bytes; length += 64) blocks.push(block());
      return Buffer.concat(blocks).subarray(0, bytes);
    },
    restart(name) {
      [seed, count] = [name, 0];
    },
  };
}

/** Tells a time that only the player moves. Its callbacks come by the machine's time: work beside a request must end. */
export interface PlayedClock extends Clock {
  advance(milliseconds: number): void;
}

const START = Date.UTC(2026, 0, 5, 12);

function createPlayedClock(): PlayedClock {
  let now = START;
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
      timer.unref();
      return () => clearTimeout(timer);
    },
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

const flags = { filterable: true, sortable: true };
const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  history: true,
  fields: [
    { name: 'name', type: 'text', searchable: true, validation: [{ method: 'required' }], ...flags },
    { name: 'body', type: 'wysiwyg', searchable: true },
    { name: 'note', type: 'markdown' },
    { name: 'count', type: 'number', ...flags },
    { name: 'weight', type: 'float', ...flags },
    { name: 'price', type: 'price', ...flags },
    { name: 'mail', type: 'email' },
    { name: 'phone', type: 'text', private: true, filterable: true },
    { name: 'pin', type: 'password' },
    { name: 'tags', type: 'tag', filterable: true },
    { name: 'data', type: 'rawjson' },
    { name: 'place', type: 'latlng' },
    { name: 'day', type: 'date', ...flags },
    { name: 'at', type: 'time', ...flags },
    { name: 'flag', type: 'checkbox', filterable: true },
    { name: 'code', type: 'slug' },
    { name: 'uid', type: 'uuid' },
    {
      name: 'kind',
      type: 'select',
      options: [
        { key: 'a', value: 'A' },
        { key: 'b', value: 'B' },
      ],
      ...flags,
    },
    { name: 'file', type: 'file' },
    { name: 'list', type: 'textlist' },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
    { name: 'updated', type: 'updated' },
  ],
  relations: [
    { schema: 'profile', kind: '1:1' },
    { schema: 'label', kind: 'N:N' },
  ],
};
const LABEL = {
  name: 'label',
  singular: 'Label',
  plural: 'Labels',
  fields: [
    { name: 'word', type: 'text', searchable: true, ...flags },
    { name: 'level', type: 'number', ...flags },
    { name: 'active', type: 'active' },
  ],
};

const shown = { read: ['*', '-mail'] };
/** Roles: what visitors and users see, one for a part of the admin section, one for accounts, one with rules only. */
const ROLES = {
  guest: { permissions: [], data: { thing: { search: { filter: { thing_flag: 1 }, ...shown }, detail: shown } } },
  user: {
    permissions: [],
    data: {
      thing: {
        search: { filter: { thing_count: { lte: 20 } }, ...shown },
        detail: { filter: { thing_count: { lte: 20 } }, ...shown },
        create: { write: ['*', '-price'] },
        update: { filter: { profile_id: '$me.profile_id' }, write: ['*', '-price'] },
        remove: { filter: { profile_id: '$me.profile_id' } },
      },
    },
  },
  editor: {
    permissions: ['article', 'comment', 'thing', 'label'].map((name) => ({
      method: 'all',
      path: `/admin/system/model/${name}/**`,
    })),
    data: {
      thing: {
        search: { filter: { thing_kind: 'a' }, read: ['*', '-note', 'phone'] },
        detail: { filter: { thing_kind: 'a' }, read: ['*', '-note', 'phone'] },
        create: true,
        update: { filter: { thing_kind: 'a' }, write: ['*', '-body'] },
        remove: { filter: { thing_kind: 'a' } },
        link: true,
      },
    },
  },
  support: {
    permissions: ['/admin', '/admin/user/**', '/admin/session/**', '/admin/history/**'].map((path) => ({
      method: 'all',
      path,
    })),
  },
  desk: { permissions: [], data: { thing: { search: true, detail: { read: ['*', 'phone'] } } } },
};

const METHODS = { search: 'get', detail: 'get', create: 'post', update: 'put', remove: 'delete' } as const;
type Action = keyof typeof METHODS;

function addCall(project: Project, access: 'public' | 'app' | 'user', schema: string, action: Action): string {
  const name = `${access}-${schema}-${action}`;
  const id = action === 'search' || action === 'create' ? '' : `/:${schema}_id`;
  project.write(`config/rest/${name}.json`, {
    title: name,
    access,
    method: METHODS[action],
    path: `/${access === 'app' ? 'public/app' : access}/${schema}/${action}${id}`,
    event: `system-model-${action}`,
    parameters: { schema },
  });
  return name;
}

async function prepare(project: Project): Promise<void> {
  await project.cli('api', 'populate');
  project.write('config/schema/thing.json', THING);
  project.write('config/schema/label.json', LABEL);
  for (const [slug, role] of Object.entries(ROLES))
    project.write(`config/role/${slug}.json`, { slug, name: slug, ...role });
  const calls: string[] = [];
  for (const action of Object.keys(METHODS) as Action[]) {
    for (const access of ['public', 'app', 'user'] as const) {
      const name = addCall(project, access, 'thing', action);
      if (access === 'user') calls.push(name);
    }
    calls.push(addCall(project, 'user', 'comment', action));
    // No role has a rule for labels.
    addCall(project, 'public', 'label', action);
  }
  project.write('config/scope/all.json', { slug: 'all', name: 'Everything', access: 'user', calls });
  const hook = { audience: 'app', parameters: { schema: 'thing' } };
  project.write('config/webhook/thing-created.json', {
    title: 'A thing was made',
    event: 'system-model-create',
    type: 'thing.created',
    ...hook,
  });
  project.addController('net', LISTENERS);
}

/** Listeners of the project's own, so that the order of an emit shows. */
const LISTENERS = `export default function net(app) {
  app.on('system-model-create', (request, response) => {
    if (request.getStage('label_word') === 'stop') response.setError(true, 'Stopped by a listener.');
  }, 10);
  app.after('system-model-create', async (request, response) => {
    if (request.getStage('thing_name') === 'Followed')
      await app.emit('system-model-create', { schema: 'label', label_word: 'followed', label_level: 3 });
  });
  app.get('/net/things', async (request, response) => {
    const found = await app.emit('system-model-search', { ...request.getStage(), schema: 'thing' });
    response.setResults(found.getResults());
  });
}
`;

async function addRows(site: Site): Promise<void> {
  await addArticle(site, 'First words', '<p>Hello <strong>there</strong></p>');
  await addArticle(site, 'Second words', '<p>More</p>');
  for (const [index, word] of ['red', 'green', 'blue'].entries())
    await site.emit('system-model-create', { schema: 'label', label_word: word, label_level: index });
  for (let index = 1; index <= 12; index += 1) {
    const row = {
      thing_name: `Thing ${index} ${index % 3 === 0 ? 'wool' : 'silk'}`,
      thing_body: `<p>Body ${index}</p>`,
      thing_note: `*note* ${index}`,
      thing_count: index * 3,
      thing_weight: index / 3,
      thing_price: index * 1.1,
      thing_mail: `m${index}@example.org`,
      thing_phone: `+1 555 ${index}`,
      thing_pin: 'a secret word',
      thing_tags: ['one', `t${index % 2}`],
      thing_data: { a: index },
      thing_place: { lat: index, lng: -index },
      thing_day: `2026-01-${String(index).padStart(2, '0')}`,
      thing_at: '09:45:00',
      thing_flag: index % 2,
      thing_code: `code-${index}`,
      thing_kind: index % 2 === 0 ? 'a' : 'b',
      thing_list: ['x', 'y'],
      profile_id: (index % 3) + 1,
      label_id: [(index % 3) + 1],
    };
    await site.emit('system-model-create', { schema: 'thing', ...row });
  }
  await site.emit('system-model-create', { schema: 'comment', comment_detail: 'Well', article_id: 1, profile_id: 1 });
  await site.emit('system-model-remove', { schema: 'thing', thing_id: 12 });
}

/** Who sends requests. */
export type Person = 'visitor' | 'ann' | 'editor' | 'support' | 'desk' | 'admin' | 'app' | 'token';
export const PERSONS: readonly Person[] = ['visitor', 'ann', 'editor', 'support', 'desk', 'admin', 'app', 'token'];

export interface RecordWorld {
  readonly site: Site;
  readonly clock: PlayedClock;
  readonly seeded: SeededRandom;
  readonly persons: Readonly<Record<Person, Client>>;
  /** What a proxy leaves before each path. */
  readonly prefix: string;
  /** Pairs of a text that differs from run to run, and what stands for it. */
  readonly masks: readonly (readonly [string, string])[];
}

/** Of `run.mjs --under`: the base URL, and what the proxy leaves of its path before each path. */
const { TREADLE_RECORD_BASE: BASE, TREADLE_RECORD_PREFIX: PREFIX = '' } = process.env;
const REDIRECT = 'https://app.example/cb';

export async function startRecordWorld(): Promise<RecordWorld> {
  const clock = createPlayedClock();
  const seeded = createSeededRandom();
  const site = await boot({
    clock,
    random: seeded.random,
    env: { TREADLE_SECRET: 'a secret of the net, of enough characters', TREADLE_BASE_URL: BASE },
    settings: {
      api: true,
      admin: { write: true },
      limits: { perMinute: 1_000_000 },
      languages: ['en', 'de'],
    },
    change: prepare,
  });
  const ann = await site.as('Ann');
  const editor = await site.as('Edith', ['editor']);
  const support = await site.as('Sue', ['support']);
  const desk = await site.as('Dora', ['desk']);
  const admin = await site.as('Root', ['admin']);
  await addRows(site);
  const scopes = ['profile_read', 'all'];
  const made = await site.emit('app-create', { title: 'Reader', owner: 1, redirect_uris: [REDIRECT], scopes });
  const client = String(made.getResults('client_id'));
  const app = await site.asApp({ client, profile: null, scopes });
  const token = await site.asApp({ client, profile: 1, scopes });
  return {
    site,
    clock,
    seeded,
    prefix: PREFIX,
    persons: { visitor: site.browser(), ann, editor, support, desk, admin, app, token },
    masks: [
      [site.url, 'http://site'],
      [encodeURIComponent(site.url), encodeURIComponent('http://site')],
      [new URL(site.url).host, 'site'],
      [`localhost:${new URL(site.url).port}`, 'local-site'],
      [site.root, '/root'],
    ],
  };
}
