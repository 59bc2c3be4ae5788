import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import type { Answer } from '../../client.ts';

type Row = Record<string, unknown>;
const test = suite('what a user call reads beside its own rows');
const state = {} as { site: Site; tokens: string[] };

const text = (name: string): Row => ({ name, type: 'text', filterable: true });
const schema = (name: string, more: Row = {}): Row => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields: [text('title')],
  ...more,
});

const EVENTS = [
  'session-search',
  'session-remove',
  'grant-search',
  'grant-remove',
  'job-search',
  'job-detail',
  'mail-search',
  'webhook-delivery-search',
  'app-search',
];

const calls = Object.fromEntries(
  [
    ...EVENTS.map((event) => ({ name: `user-${event}`, event, parameters: undefined })),
    { name: 'user-any-search', event: 'system-model-search', parameters: undefined },
    { name: 'user-ticket-create', event: 'system-model-create', parameters: { schema: 'ticket' } },
  ].map(({ name, event, parameters }) => [
    `config/rest/${name}.json`,
    {
      title: name,
      access: 'user',
      method: /-(?:create|remove)$/.test(event) ? 'post' : 'get',
      path: `/user/x/${name}`,
      event,
      ...(parameters ? { parameters } : {}),
    },
  ]),
);

const CONTROLLER = `export default function shop(app) {
  app.after('system-model-create', { schema: 'ticket' }, async (request, response) => {
    const talk = await app.emit('system-model-detail', { schema: 'talk', talk_id: 1 });
    const ruled = await app.emit('system-model-search', { schema: 'ruled' });
    response.setResults({ ...response.getResults(), talk: talk.getResults(), status: talk.getStatus(), ruled: ruled.getResults('total') });
  });
  app.rest({ access: 'user', method: 'get', path: '/user/x/read/:what', scope: 'all' }, async (request, response) => {
    const found = await app.emit('system-model-search', { schema: request.getStage('what') });
    response.setResults({ total: found.getResults('total') ?? null });
  });
  app.rest({ access: 'user', method: 'get', path: '/user/x/given', scope: 'all' }, async (request, response) => {
    await app.emit('system-model-search', request, response);
  });
  app.rest({ access: 'user', method: 'get', path: '/user/x/talks', scope: 'all' }, async (request, response) => {
    const found = await app.emit('system-model-search', { schema: 'talk', expand: 'ticket' });
    response.setResults({ rows: found.getResults('rows') });
  });
}
`;

test.before(async () => {
  state.site = await boot({
    files: {
      'config/schema/talk.json': schema('talk', { relations: [{ schema: 'ticket', kind: '1:N' }] }),
      'config/schema/ticket.json': schema('ticket', { relations: [{ schema: 'profile', kind: '1:1' }] }),
      'config/schema/ruled.json': schema('ruled'),
      'config/role/user.json': {
        slug: 'user',
        name: 'User',
        permissions: [],
        data: { ruled: { search: true, detail: true } },
      },
      ...calls,
    },
    settings: { api: true },
    change: async (project) => {
      await project.cli('api', 'populate');
      project.addController('shop', CONTROLLER);
      project.write('config/scope/all.json', {
        slug: 'all',
        name: 'All',
        access: 'user',
        calls: Object.keys(calls).map((file) => file.slice('config/rest/'.length, -'.json'.length)),
      });
      await project.cli('app', 'create', 'reader', '--title', 'Reader', '--scope', 'all');
    },
  });
  const { site } = state;
  for (const title of ['one', 'two']) {
    await site.emit('system-model-create', { schema: 'talk', talk_title: title });
    await site.emit('system-model-create', { schema: 'ruled', ruled_title: title });
  }
  state.tokens = [];
  for (const name of ['Ann', 'Bob']) {
    const made = await site.emit('auth-create', {
      auth_slug: `${name}@example.org`,
      auth_password: 'correct horse battery',
      profile_name: name,
      auth_active: 1,
    });
    const profile_id = Number(made.getResults('profile_id'));
    state.tokens.push(await site.token({ profile: profile_id, scopes: ['all'] }));
    const { ticket_id } = (
      await site.emit('system-model-create', { schema: 'ticket', ticket_title: name, profile_id })
    ).getResults() as Row;
    await site.emit('system-relation-link', { schema1: 'talk', schema2: 'ticket', talk_id: 1, ticket_id });
  }
});
test.after(() => state.site?.close());

const send = (method: string, path: string, json?: Row, who = 0): Promise<Answer> =>
  state.site.send(method, `/rest/user/x/${path}`, {
    headers: { authorization: `Bearer ${state.tokens[who]}` },
    ...(json ? { json } : {}),
  });

test('code reads rows that no owner and no rule concerns, and no others', async () => {
  const answer = await send('POST', 'user-ticket-create', { ticket_title: 'talking' });
  const { talk, status, ruled } = answer.json().results as Row;
  assert.is(status, 200, answer.text);
  assert.is((talk as Row).talk_title, 'one');
  assert.is(ruled, 0);
});

test('a value of a column that is the name of a schema refuses nothing', async () => {
  const answer = await send('POST', 'user-ticket-create', { ticket_title: 'talk' });
  assert.is(answer.json().results.status, 200);
});

test('rows of others stay hidden in relations of such rows', async () => {
  const { rows } = (await send('GET', 'talks')).json().results as { rows: Row[] };
  const [first] = rows as [Row];
  const titles = (first.ticket as Row[]).map(({ ticket_title: title }) => title);
  assert.equal(titles, ['Ann']);
});

test('the request itself names no schema, whichever way it does', async () => {
  for (const path of ['read/talk', 'given?schema=talk', 'user-any-search?schema=talk']) {
    const answer = await send('GET', path);
    const { total } = (answer.json().results ?? {}) as Row;
    assert.ok(total === 0 || answer.status >= 400, `${path}: ${answer.text}`);
  }
});

test('a refusal is logged once for a schema, with the remedy', () => {
  const lines = state.site.log.filter((line) => line.includes('refused-in-user-call'));
  const named = lines.map((line) => (JSON.parse(line) as Row).schema).sort();
  assert.equal(named, ['ruled', 'talk']);
  for (const line of lines) assert.match(line, /app\.asSystem/);
});

/** A consent of each account, with the token that the test has. */
async function giveGrants(): Promise<Row[]> {
  const { kysely } = state.site.app.services.database;
  const tokens = await state.site.rows('treadle_token');
  for (const { token_hash, app_id, auth_id, profile_id, created_at } of tokens) {
    const grant = { app_id, auth_id, profile_id, created_at, scopes: '["all"]' };
    const made = await kysely.insertInto('treadle_grant').values(grant).returning('grant_id').executeTakeFirstOrThrow();
    await kysely
      .updateTable('treadle_token')
      .set({ grant_id: made.grant_id })
      .where('token_hash', '=', String(token_hash))
      .execute();
  }
  return state.site.rows('treadle_grant');
}

test('an event of sessions and consents is held to the account of the token', async () => {
  const grants = await giveGrants();
  const byAccount = [...grants].sort((a, b) => Number(a.auth_id) - Number(b.auth_id)) as [Row, Row];
  for (const [who, { auth_id: own, grant_id: grant }] of byAccount.entries()) {
    for (const { auth_id: asked } of byAccount) {
      const sessions = await send('GET', `user-session-search?auth_id=${asked}`, undefined, who);
      const found = (sessions.json().results.rows as Row[]).map(({ grant_id: id }) => id);
      assert.equal(found, [Number(grant)], `${own} asks for ${asked}`);
      const consents = await send('GET', `user-grant-search?auth_id=${asked}`, undefined, who);
      assert.is((consents.json().results.rows as Row[]).length, 1, consents.text);
    }
  }
  const [mine, other] = byAccount;
  const isAlive = async (who: number): Promise<boolean> =>
    (await send('GET', 'user-session-search', undefined, who)).status === 200;
  assert.is((await send('POST', 'user-session-remove', { grant_id: Number(other.grant_id) })).status, 404);
  await send('POST', 'user-session-remove', { app_id: Number(mine.app_id) });
  assert.equal([await isAlive(0), await isAlive(1)], [false, true]);
});

test('a user call tells nothing of jobs, mails, deliveries and apps, and check says so', async () => {
  const refused = ['job-search', 'job-detail', 'mail-search', 'webhook-delivery-search', 'app-search'];
  for (const event of refused) assert.is((await send('GET', `user-${event}`, undefined, 1)).status, 403, event);
  const { data, out, err } = await state.site.cli('check', '--json');
  const told = `${JSON.stringify(data)}${out}${err}`;
  for (const event of refused) assert.match(told, `user-${event}`);
  assert.match(told, 'REST_EVENT_OF_EVERYBODY');
});

test.run();
