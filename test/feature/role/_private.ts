import type { Row } from '../../../src/database/row-statement.ts';
import { ask, type Client } from '../../client.ts';
import type { Project } from '../../project.ts';
import { startWorld, type World } from '../../security/_world.ts';
import { writeRules } from './_site.ts';

/** A site with private fields: the phone of profiles, the note of reviews, the key of clubs, which have no owner. */
export interface PrivateWorld {
  readonly world: World;
  readonly tokens: Readonly<Record<string, string>>;
  readonly browsers: Readonly<Record<string, Client>>;
  readonly profiles: Readonly<Record<string, number>>;
  /** Asks a call, as somebody; `person` undefined: without a token. */
  call(path: string, person?: string, sent?: { method?: string; json?: unknown; headers?: Row }): Promise<Answered>;
  /** Emits in a page's request, as somebody; `person` undefined: a visitor. */
  emit(event: string, stage: Row, person?: string): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly tag: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into as it comes.
  readonly results: any;
}

const flags = { filterable: true, sortable: true };

const SCHEMAS: readonly Row[] = [
  {
    name: 'review',
    singular: 'Review',
    plural: 'Reviews',
    fields: [
      { name: 'title', type: 'text', searchable: true, ...flags },
      { name: 'note', type: 'text', private: true, ...flags },
      { name: 'active', type: 'active' },
    ],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
  {
    name: 'club',
    singular: 'Club',
    plural: 'Clubs',
    fields: [
      { name: 'title', type: 'text', ...flags },
      { name: 'key', type: 'text', private: true, ...flags },
    ],
    relations: [
      { schema: 'profile', kind: 'N:N' },
      { schema: 'review', kind: '1:N' },
    ],
  },
];

const ACTIONS = {
  search: ['get', ''],
  detail: ['get', '/:ID'],
  update: ['put', '/:ID'],
} as const;

function writeConfig(project: Project, rules: Readonly<Record<string, unknown>>, hooks: readonly Row[]): void {
  for (const schema of SCHEMAS) project.write(`config/schema/${schema.name}.json`, schema);
  project.edit<{ fields: Row[] }>('config/schema/profile.json', ({ fields }) => {
    fields.push({ name: 'phone', type: 'text', private: true, ...flags });
  });
  const calls: string[] = [];
  for (const access of ['public', 'app', 'user', 'mine'])
    for (const schema of ['profile', 'review', 'club'])
      for (const [action, [method, id]] of Object.entries(ACTIONS)) {
        if (action === 'update' && access !== 'user' && access !== 'mine') continue;
        if (access === 'mine' && schema === 'club') continue;
        const name = `p-${access}-${schema}-${action}`;
        const door = access === 'mine' ? 'user' : access;
        if (door === 'user') calls.push(name);
        project.write(`config/rest/${name}.json`, {
          title: name,
          access: door,
          open: true,
          method,
          path: `/${door}/p${access}/${schema}/${action}${id.replace('ID', `${schema}_id`)}`,
          event: `system-model-${action}`,
          parameters: { schema },
          ...(action === 'search' ? { aggregate: ['group', 'sum', 'count'] } : {}),
          ...(access === 'user' ? { own: false } : {}),
        });
      }
  project.edit<{ calls: string[] }>('config/scope/all.json', (scope) => void scope.calls.push(...calls));
  for (const hook of hooks) project.write(`config/webhook/${hook.name}.json`, hook.file);
  writeRules(project, rules);
  project.addController(
    'door',
    `export default function door(app) {
      app.all('/door/:door', async (request, response) => {
        const event = request.getStage('door');
        request.removeStage('door');
        await app.emit(event, request, response);
      });
    }\n`,
  );
}

/** Ann and Ben, each with a phone, a review with a note and a seat in a club; Cleo with the role `clerk`; Ada is an administrator. */
export async function startPrivateWorld(
  rules: Readonly<Record<string, unknown>>,
  hooks: readonly Row[] = [],
  change: (project: Project) => void = () => {},
): Promise<PrivateWorld> {
  const world = await startWorld((project) => {
    writeConfig(project, rules, hooks);
    change(project);
  });
  const { app } = world.site;
  const { kysely } = app.services.database;
  const browsers: Record<string, Client> = { ann: world.ann, ben: world.ben };
  for (const [name, role] of [
    ['cleo', 'clerk'],
    ['ada', 'admin'],
  ] as const) {
    const browser = world.site.browser();
    await browser.signUp(name, `${name}@example.org`);
    await kysely
      .updateTable('treadle_auth')
      .set({ auth_type: role })
      .where('auth_slug', '=', `${name}@example.org`)
      .execute();
    browsers[name] = browser;
  }
  const profiles: Record<string, number> = {};
  const tokens: Record<string, string> = {};
  await app.emit('system-model-create', { schema: 'club', club_title: 'Chess', club_key: 'K-CLUB' });
  for (const [name, browser] of Object.entries(browsers)) {
    const auth = (await kysely
      .selectFrom('treadle_auth')
      .selectAll()
      .where('auth_slug', '=', `${name}@example.org`)
      .executeTakeFirstOrThrow()) as Row;
    const id = Number(auth.profile_id);
    profiles[name] = id;
    tokens[name] = (await world.authorize(browser)).access;
    await app.emit('system-model-update', { schema: 'profile', profile_id: id, profile_phone: `P-${name}` });
    await app.emit('system-model-create', {
      schema: 'review',
      review_title: `wool ${name}`,
      review_note: `N-${name}`,
      profile_id: id,
      club_id: 1,
    });
    await app.emit('system-relation-link', { schema1: 'club', schema2: 'profile', club_id: 1, profile_id: id });
  }
  const app1 = Buffer.from(`${world.app.clientId}:${world.app.secret}`).toString('base64');
  const toAnswered = (answer: Awaited<ReturnType<typeof ask>>): Answered => ({
    status: answer.status,
    tag: answer.headers.etag ?? '',
    text: answer.text,
    results: answer.headers['content-type']?.includes('json') ? answer.json()?.results : undefined,
  });
  return {
    world,
    tokens,
    browsers,
    profiles,
    async call(path, person, { headers, ...sent } = {}) {
      const basic = path.startsWith('/rest/app') ? { authorization: `Basic ${app1}` } : {};
      const bearer = person === undefined ? basic : { authorization: `Bearer ${tokens[person]}` };
      return toAnswered(await ask(world.url + path, { ...sent, headers: { ...bearer, ...(headers as object) } }));
    },
    async emit(event, stage, person) {
      const query = new URLSearchParams(Object.entries(stage).map(([key, value]) => [key, String(value)]));
      const path = `/door/${event}?${query}`;
      const headers = { accept: 'application/json' };
      if (person === undefined) return toAnswered(await ask(world.url + path, { headers }));
      return toAnswered(await (browsers[person] as Client).get(path, headers));
    },
  };
}
