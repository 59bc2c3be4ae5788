// Also on PostgreSQL: removed rows are left out by SQL.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, ask } from '../client.ts';
import type { Project } from '../project.ts';
import { startWorld, type World } from './_world.ts';

/** Removed rows and links of private rows: a request's input does not reach them, through any route. */
const test = suite('security: removed rows and hidden links');

const CONTROLLER = `
export default function rows(app) {
  const answer = (response) => response.setJson({ error: response.isError(), rows: response.getResults('rows') ?? [] });
  app.get('/rows/same', async (request, response) => {
    await app.emit('system-model-search', request.setStage('schema', 'thing'), response);
  });
  app.get('/rows/copy', async (request, response) => {
    const found = await app.emit('system-model-search', { ...request.getStage(), schema: 'thing' });
    response.setResults(found.getResults() ?? null);
    if (found.isError()) response.setStatus(found.getStatus()).setError(true, found.getMessage());
  });
  app.get('/rows/code', async (request, response) => {
    request.setStage('schema', 'thing').setStage('filter', 'thing_active', 'any');
    await app.emit('system-model-search', request, response);
  });
  app.get('/rows/detail', async (request, response) => {
    await app.emit('system-model-detail', request.setStage('schema', 'thing'), response);
  });
  app.get('/rows/tags', async (request, response) => {
    request.setStage('schema', 'tag').setStage('filter', 'note_id', request.getGet('of'));
    await app.emit('system-model-search', request, response);
  });
}
`;

const schema = (name: string, more: object) => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields: [
    { name: 'name', type: 'text', filterable: true },
    { name: 'active', type: 'active' },
  ],
  ...more,
});

const search = (name: string, more: object = {}) => ({
  title: name,
  access: 'public',
  method: 'get',
  path: `/public/${name}/search`,
  event: 'system-model-search',
  parameters: { schema: name },
  ...more,
});

function addDefinitions(project: Project): void {
  const define = (path: string, value: object): void => project.write(`config/${path}.json`, value);
  const relations = [
    { schema: 'profile', kind: '1:1' },
    { schema: 'tag', kind: 'N:N' },
    { schema: 'note', kind: 'N:N', name: 'next' },
  ];
  define('schema/tag', schema('tag', {}));
  define('schema/note', schema('note', { relations }));
  define('rest/public-tag-search', search('tag'));
  const open = search('thing', { path: '/public/thing/open', removed: true });
  define('rest/public-thing-open', open);
  define('rest/public-thing-any', { ...open, event: 'system-model-detail', path: '/public/thing/any/:thing_id' });
  const fixed = { schema: 'thing', filter: { thing_active: 'any' } };
  define('rest/public-thing-fixed', search('thing', { path: '/public/thing/fixed', parameters: fixed }));
  define('rest/public-auth-search', search('auth', { event: 'auth-search', parameters: {} }));
  project.addController('rows', CONTROLLER);
}

let world: World;
let removed = 0;

test.before(async () => {
  world = await startWorld(addDefinitions);
  const { app } = world.site;
  const make = async (stage: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const made = await app.emit('system-model-create', stage as { schema: string });
    assert.is(made.isError(), false, made.getMessage() ?? '');
    return made.getResults() as Record<string, unknown>;
  };
  await make({ schema: 'thing', thing_name: 'kept', profile_id: 1 });
  removed = Number((await make({ schema: 'thing', thing_name: 'vanished', profile_id: 1 })).thing_id);
  await app.emit('system-model-remove', { schema: 'thing', thing_id: removed });
  for (const name of ['open', 'linked', 'gone']) await make({ schema: 'tag', tag_name: name });
  for (const name of ['private', 'other']) await make({ schema: 'note', note_name: name, profile_id: 1 });
  const link = (schema2: string, more: object) =>
    app.emit('system-relation-link', { schema1: 'note', schema2, ...more } as { schema1: string; schema2: string });
  for (const tag of [2, 3]) assert.is((await link('tag', { note_id: 1, tag_id: tag })).isError(), false);
  assert.is((await link('note', { relation: 'next', note_id_1: 1, note_id_2: 2 })).isError(), false);
  await app.emit('system-model-remove', { schema: 'tag', tag_id: 3 });
});

test.after(() => world.close());

const get = (path: string): Promise<Answer> => ask(world.url + path, { headers: { accept: 'application/json' } });

/** Ways to request removed rows in a query. */
const ASKED = [
  'filter[thing_active]=0',
  'filter[thing_active]=any',
  'filter[thing_active]=-1',
  'filter[thing_active]=false',
  'filter[thing_active][eq]=0',
  'filter[thing_active][ne]=1',
  'filter[thing_active][in]=0,1',
  'filter[thing_active][nin]=1',
  'filter[thing_active][null]=0',
  'filter[thing_active][lt]=1',
  'filter[thing_active][]=0',
  'in[thing_active]=0,1',
  'span[thing_active][]=0',
  'notnull=thing_active',
];

test('refuses every form on a call, on a page and in a stage that code copied', async () => {
  for (const query of ASKED) {
    for (const path of ['/rest/public/thing/search', '/rows/same', '/rows/copy']) {
      // Code that copies a text from the request makes it its own.
      if (path === '/rows/copy' && query.startsWith('notnull')) continue;
      const { status, text } = await get(`${path}?${query}`);
      assert.is(status, 400, `${path}?${query}`);
      assert.not.match(text, 'vanished', `${path}?${query}`);
    }
  }
  const { text } = await get(`/rest/public/thing/search?${ASKED[0]}`);
  assert.match(text, /\\"removed\\": true/, 'the remedy is told');
});

test('answers for the rows that are there, sorted and grouped by whether they are', async () => {
  for (const query of ['', 'filter[thing_active]=1', 'filter[thing_active][eq]=true', 'sort=thing_id']) {
    for (const path of ['/rest/public/thing/search', '/rows/same', '/rows/copy']) {
      const { status, text } = await get(`${path}?${query}`);
      assert.is(status, 200, `${path}?${query}`);
      assert.match(text, 'kept');
      assert.not.match(text, 'vanished', `${path}?${query}`);
    }
  }
});

test('shows removed rows where code asks, or the call says so', async () => {
  for (const path of [
    '/rows/code',
    '/rows/code?filter[thing_name][null]=0',
    '/rest/public/thing/fixed',
    '/rest/public/thing/open?filter[thing_active]=any',
    '/rest/public/thing/open?filter[thing_active]=0',
    `/rest/public/thing/any/${removed}?filter[thing_active]=any`,
  ]) {
    const { status, text } = await get(path);
    assert.is(status, 200, path);
    assert.match(text, 'vanished', path);
  }
  assert.not.match((await get('/rest/public/thing/open')).text, 'vanished', 'unless it is asked for');
});

test('has no detail of a removed row for what a request brings', async () => {
  for (const path of [
    `/rest/public/thing/detail/${removed}?filter[thing_active]=any`,
    `/rest/public/thing/any/${removed}`,
    `/rows/detail?thing_id=${removed}&filter[thing_active]=any`,
    `/rows/detail?thing_id=${removed}&filter[thing_active]=0`,
  ]) {
    assert.is((await get(path)).status, 404, path);
  }
});

test('keeps disabled accounts from what a request brings', async () => {
  for (const value of ['0', 'any']) {
    assert.is((await get(`/rest/public/auth/search?filter[auth_active]=${value}`)).status, 400, value);
  }
  assert.is((await get('/rest/public/auth/search?filter[auth_active]=1')).status, 200);
});

test('tells nobody from the other side what a private row is linked with', async () => {
  for (const query of [
    'filter[note_id]=1',
    'filter[note_id][in]=1,2',
    'in[note_id]=1',
    'filter[note.note_name]=private',
    'filter[note][note_name]=private',
    'filter[note][null]=0',
    'null=note',
    'filter[profile_id]=1',
    'sort=note_id',
    'expand=note',
    'fields=note_id',
    'group=note_id',
  ]) {
    const { status, text } = await get(`/rest/public/tag/search?${query}`);
    assert.is(status, 400, query);
    assert.not.match(text, /linked/, query);
  }
  const { text } = await get('/rows/tags?of=1&filter[tag_name][null]=0');
  assert.match(text, 'linked', 'code may ask');
});

test('finds nothing by a link to a removed row', async () => {
  const { app } = world.site;
  const count = async (filter: object): Promise<unknown> =>
    (await app.emit('system-model-search', { schema: 'note', filter } as { schema: string })).getResults('total');
  assert.equal([await count({ tag_id: 2 }), await count({ tag_id: 3 })], [1, 0]);
});

test.run();
