import { ACTIONS, type Action, createCall, createLinkCall } from '../../../src/edit/usual-call.ts';
import { ACCESS, FIELD_TYPES, type FieldType, type Schema } from '../../../src/model/shape.ts';
import { boot, type Site } from '../../boot.ts';
import type { Client } from '../../client.ts';
import type { Project } from '../../project.ts';

type Json = Record<string, unknown>;

/** Additional keys that a type needs. */
const MORE: Partial<Record<FieldType, Json>> = {
  select: {
    options: [
      { key: 'a', value: 'A' },
      { key: 'b', value: 'B' },
    ],
    filterable: true,
  },
  radios: {
    options: [
      { key: 'a', value: 'A' },
      { key: 'b', value: 'B' },
    ],
  },
  multiselect: {
    options: [
      { key: 'a', value: 'A' },
      { key: 'b', value: 'B' },
    ],
  },
  checkboxes: {
    options: [
      { key: 'a', value: 'A' },
      { key: 'b', value: 'B' },
    ],
  },
  fieldset: { fieldset: 'place', multiple: true },
  table: { columns: ['left', 'right'] },
  number: { filterable: true, sortable: true },
  date: { filterable: true, sortable: true },
  tag: { filterable: true },
  textarea: { searchable: true },
  none: { list: { format: 'custom', parameters: ['{{thing_text}}!'] } },
  active: { filterable: true },
  created: { sortable: true },
  computed: { expression: 'decimal * 2 + coalesce(number, 0)', filterable: true, sortable: true },
};

/** Every field type, each under its own name, and two that must be unique. */
const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  fields: [
    { name: 'name', type: 'text', required: true, searchable: true, sortable: true, filterable: true },
    { name: 'sku', type: 'text', unique: true, validation: [{ method: 'char_lte', parameters: 20 }] },
    ...FIELD_TYPES.map((type) => ({ name: type, type, ...MORE[type] })),
  ],
  relations: [
    { schema: 'profile', kind: '1:1' },
    { schema: 'cover', kind: '1:0' },
    { schema: 'part', kind: '1:N' },
    { schema: 'label', kind: 'N:N' },
    { schema: 'thing', kind: 'N:N', name: 'twin' },
  ],
} as unknown as Schema;

const toPlain = (name: string, relations: readonly object[] = []): Schema =>
  ({
    name,
    singular: name[0]?.toUpperCase() + name.slice(1),
    plural: `${name[0]?.toUpperCase()}${name.slice(1)}s`,
    fields: [{ name: 'title', type: 'text', required: true, filterable: true }],
    relations,
  }) as unknown as Schema;

const PART = toPlain('part', [{ schema: 'profile', kind: '1:1' }]);
const COVER = toPlain('cover');
const LABEL = toPlain('label');
const PLACE = {
  name: 'place',
  singular: 'Place',
  plural: 'Places',
  fields: [
    { name: 'street', type: 'text', required: true },
    { name: 'from', type: 'date' },
  ],
};

const CONTROLLER = `import type { App } from 'treadle';

export default function api(app: App) {
  app.rest({ access: 'public', method: 'get', path: '/public/hello', title: 'Hello' }, (_request, response) => {
    response.setResults({ hello: 'world' });
  });
  app.rest(
    { access: 'user', method: 'post', path: '/user/hello', title: 'Hello, you', scope: 'thing' },
    (request, response) => {
      if (request.getStage('fail')) response.setError(true, 'No.').setStatus(422);
      else response.setResults({ hello: request.getStage('profile_id') });
    },
  );
  app.webhook({ type: 'greeting.said', event: 'greeting-say' });
}
`;

/** Every generated call on things, with public, app and user access. */
function listCalls(): { name: string; value: Json; access: string }[] {
  const targets = new Map([COVER, PART, LABEL, THING].map((schema) => [schema.name, schema]));
  return ACCESS.flatMap((access) =>
    ACTIONS.flatMap((action: Action) => {
      if (action !== 'link' && action !== 'unlink') return [{ ...createCall(access, THING, action), access }];
      const relations = (THING.relations ?? []).filter(({ kind }) => kind !== '1:1');
      const open = relations.filter(({ schema }) => access !== 'user' || schema !== 'cover');
      return open.map((relation) => ({
        ...createLinkCall(access, THING, relation, { action, target: targets.get(relation.schema) }),
        access,
      }));
    }),
  ).map(({ name, value, access }) => ({ name, value: value as unknown as Json, access }));
}

/** Hooks on things: whole rows, and two columns of an update; in every format. */
const HOOKS = {
  'thing-created': { title: 'Thing created', event: 'system-model-create', type: 'thing.created' },
  'thing-updated': { title: 'Thing updated', event: 'system-model-update', type: 'thing.updated' },
  'thing-counted': {
    title: 'Thing counted',
    event: 'system-model-update',
    type: 'thing.counted',
    fields: ['thing_id', 'thing_number'],
  },
  'thing-whole': {
    title: 'Thing, as a CloudEvent in one piece',
    event: 'system-model-update',
    type: 'thing.whole',
    format: 'cloudevents-structured',
  },
  'thing-headed': {
    title: 'Thing, as a CloudEvent by headers',
    event: 'system-model-create',
    type: 'thing.headed',
    format: 'cloudevents-binary',
  },
};

/** Writes the definitions of an API with a bit of everything; its hooks use `receiver`, if given. */
async function writeApi(project: Project, receiver?: string): Promise<void> {
  await project.cli('api', 'populate');
  for (const schema of [THING, PART, COVER, LABEL]) project.write(`config/schema/${schema.name}.json`, schema);
  project.write('config/fieldset/place.json', PLACE);
  const calls = listCalls();
  for (const { name, value } of calls) {
    const opened = name.endsWith('-thing-search') ? { removed: true } : {};
    project.write(`config/rest/${name}.json`, { ...value, ...opened });
  }
  const update = calls.find(({ name }) => name === 'user-thing-update')?.value;
  project.write('config/rest/user-thing-revise.json', {
    ...update,
    path: '/user/thing/revise/:thing_id',
    concurrency: 'required',
  });
  project.write('config/rest/public-thing-count.json', {
    ...calls.find(({ name }) => name === 'public-thing-search')?.value,
    path: '/public/thing/count',
    aggregate: ['group', 'count', 'sum'],
    deprecated: '2026-01-31',
    sunset: '2027-01-31',
  });
  for (const name of ['part', 'cover', 'label']) {
    const schema = { part: PART, cover: COVER, label: LABEL }[name] as Schema;
    const made = createCall('public', schema, 'create');
    project.write(`config/rest/${made.name}.json`, made.value);
  }
  const users = calls.filter(({ access }) => access === 'user').map(({ name }) => name);
  const all = [...users, 'user-thing-revise'];
  project.write('config/scope/thing.json', { slug: 'thing', name: 'Your things', access: 'user', calls: all });
  project.write('config/scope/batch.json', {
    slug: 'batch',
    name: 'Change many things',
    access: 'app',
    calls: ['app-thing-batch'],
  });
  for (const [name, hook] of Object.entries(HOOKS)) {
    const url = receiver === undefined ? {} : { url: receiver };
    project.write(`config/webhook/${name}.json`, { ...hook, parameters: { schema: 'thing' }, ...url });
  }
  project.addController('api', CONTROLLER);
}

export interface Api {
  readonly site: Site;
  readonly url: string;
  readonly app: { readonly id: string; readonly secret: string };
  readonly user: Client;
  /** The user's access token with the scope that lists every user call. */
  readonly token: string;
  /** A token without that scope. */
  readonly poor: string;
  /** The OpenAPI document of the running server. */
  readonly document: Json;
  close(): Promise<void>;
}

const REDIRECT = 'https://app.example/cb';

/** Runs the classic flow with these scopes. */
export async function authorize(api: Pick<Api, 'site' | 'app' | 'user'>, scope: string): Promise<string> {
  const { app, user, site } = api;
  const path = `/dialog/request?client_id=${app.id}&scope=${encodeURIComponent(scope)}`;
  const shown = await user.post(path, { action: 'allow', 'permissions[]': scope.split(' ') });
  const code = new URL(shown.location).searchParams.get('code') ?? '';
  const query = `client_id=${app.id}&client_secret=${app.secret}&code=${code}`;
  return (await site.send('POST', `/rest/access?${query}`)).json().results.access_token;
}

/** Serves that API, with a user, an app of hers and tokens. */
export async function startApi(settings: Json = {}, receiver?: string): Promise<Api> {
  const site = await boot({
    env: { TREADLE_SECRET: 'a secret of the tests, of enough characters' },
    settings,
    change: (project) => writeApi(project, receiver),
  });
  const user = site.browser();
  await user.signUp('Ann', 'ann@example.org');
  const made = await site.app.emit('app-create', {
    title: 'Reader',
    owner: 1,
    redirect_uris: [REDIRECT],
    scopes: ['profile_read', 'thing', 'batch'],
  });
  if (made.isError()) throw new Error(String(made));
  const app = { id: String(made.getResults('client_id')), secret: String(made.getResults('client_secret')) };
  const known = { site, app, user };
  const document: Json = (await site.get('/developer/docs/openapi.json')).json();
  return {
    ...known,
    url: site.url,
    token: await authorize(known, 'profile_read thing'),
    poor: await authorize(known, 'profile_read'),
    document,
    close: () => site.close(),
  };
}
