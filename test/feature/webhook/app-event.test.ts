import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WebhookWorker } from '../../../src/feature/webhook/delivery/worker.ts';
import { webhook } from '../../../src/feature/webhook/index.ts';
import type { HookModel } from '../../../src/model/model.ts';
import { describeStage } from '../../../src/plan/event/describe.ts';
import { askToken, CALLBACK, createWorld, getTokens, SECRET, type World } from '../oauth/_flow.ts';

/** Which of Treadle's own events fire a web hook, with all features together. */
const test = suite('webhook/app-event');

const toHook = (event: string, name = event, url?: string): [string, HookModel] => [
  name,
  {
    name,
    definition: { title: name, event, type: `told.${name}`, ...(url === undefined ? {} : { url }) },
    schema: undefined,
    file: `config/webhook/${name}.json`,
  },
];

interface Made {
  readonly app_id: number;
  readonly client_id: string;
  readonly client_secret: string;
  readonly webhook_secrets: readonly { readonly secret: string }[];
}

const WISH = { title: 'One', owner: 1, redirect_uris: [CALLBACK], scopes: ['sensitive'] };
/** An app with its own web hook, so that its answers have signing secrets. */
const HOOKED = { ...WISH, webhook: 'https://one.example/hook', hooks: ['app-create'] };

interface Case {
  /** Runs before the event; its results are in the stage of the event. */
  prepare?(world: World, made: Made): Promise<Record<string, unknown>>;
  stage?(made: Made): Record<string, unknown>;
  /** Names in the data of the hook. */
  readonly data: readonly string[];
  /** A stage that is refused or changes nothing; undefined if the event accepts any. */
  readonly refused: Record<string, unknown> | undefined;
}

const NOBODY = { app_id: 999, client_id: 'nobody', owner: 1, hook: 'nobody', auth_id: 999 };
const byId = ({ app_id }: Made) => ({ app_id, owner: 1 });
const byClient = ({ client_id }: Made) => ({ client_id });

/** The ids of Una, of the app `reader` that she allowed, and of its session. */
async function findSession(world: World) {
  await getTokens(world);
  const [grant] = (await world.site.rows('treadle_grant')).slice(-1);
  return { auth_id: grant?.auth_id, app_id: grant?.app_id, grant_id: grant?.grant_id };
}

const CASES: Readonly<Record<string, Case>> = {
  'app-create': { stage: () => HOOKED, data: ['app_id', 'client_id', 'title'], refused: { ...HOOKED, title: '' } },
  'app-update': {
    stage: (made) => ({ ...HOOKED, ...byId(made), title: 'Two' }),
    data: ['app_id', 'client_id', 'pending'],
    refused: { ...HOOKED, ...NOBODY },
  },
  'app-refresh': { stage: byId, data: ['app_id', 'client_id', 'old_until'], refused: NOBODY },
  'app-approve': { stage: byClient, data: ['app_id', 'client_id', 'approved'], refused: NOBODY },
  'app-suspend': { stage: byClient, data: ['app_id', 'client_id'], refused: NOBODY },
  'app-restore': { stage: byClient, data: ['app_id', 'client_id'], refused: NOBODY },
  'webhook-app-rotate': { stage: byId, data: ['app_id', 'client_id', 'secret_version'], refused: NOBODY },
  'webhook-secret-rotate': { stage: byId, data: ['app_id', 'client_id', 'secret_version'], refused: NOBODY },
  'app-session-remove': {
    prepare: async (world) => ({ ...(await findSession(world)), owner: 1 }),
    data: ['removed', 'app_id', 'client_id', 'grant_id'],
    refused: NOBODY,
  },
  'grant-remove': { prepare: findSession, data: ['removed', 'auth_id', 'app_id'], refused: NOBODY },
  'oauth-revoke': {
    prepare: async (world) => ({
      client_id: 'reader',
      client_secret: SECRET,
      token: (await getTokens(world)).access_token,
    }),
    data: ['app_id', 'client_id', 'profile_id', 'kind'],
    // Not an error, but nothing was revoked.
    refused: { client_id: 'reader', client_secret: SECRET, token: 'unknown' },
  },
  'webhook-receiver-disabled': {
    stage: () => ({ hook: 'app-create', client_id: null, url: 'https://x.example/?key=k', reason: 'It answered 410.' }),
    data: ['hook', 'client_id', 'reason'],
    refused: undefined,
  },
  'app-remove': { stage: byClient, data: ['app_id', 'client_id'], refused: NOBODY },
};

const HOOKS = new Map(Object.keys(CASES).map((event) => toHook(event)));

const setUp = (hooks: ReadonlyMap<string, HookModel>, send?: NonNullable<Parameters<typeof createWorld>[0]>['send']) =>
  createWorld({ model: { hooks }, features: [webhook], ...(send ? { send } : {}) });

/** The data of a hook's events, oldest first. */
const findTold = async ({ site }: World, hook: string): Promise<string[]> =>
  (await site.rows('treadle_event')).filter((row) => row.hook === hook).map(({ data }) => String(data));

const create = async ({ site }: World, wish: Record<string, unknown> = HOOKED): Promise<Made> =>
  (await site.emit('app-create', wish)).getResults() as unknown as Made;

for (const [event, { prepare, stage, data, refused }] of Object.entries(CASES))
  test(`${event} fires once, with what happened and no secret; refused it fires nothing`, async () => {
    const world = await setUp(HOOKS);
    if (refused) {
      const response = await world.site.emit(event, refused);
      assert.ok(event === 'oauth-revoke' || response.isError(), event);
      assert.equal(await world.site.rows('treadle_event'), []);
    }
    const made = await create(world);
    const wish = { ...stage?.(made), ...(await prepare?.(world, made)) };
    const before = (await findTold(world, event)).length;
    const response = await world.site.emit(event, wish);
    assert.not(response.isError(), response.getMessage());
    const told = (await findTold(world, event)).slice(before);
    assert.is(told.length, 1);
    const sent = JSON.parse(String(told[0]));
    for (const name of data) assert.ok(Object.hasOwn(sent, name), `${name} in ${told[0]}`);
    const results = { ...(response.getResults() as object) } as Partial<Made>;
    const secrets = [made, results].flatMap(({ client_secret, webhook_secrets = [] }) => [
      ...(client_secret === undefined ? [] : [client_secret]),
      ...webhook_secrets.map(({ secret }) => secret),
    ]);
    assert.ok(secrets.length >= 2);
    const all = (await world.site.rows('treadle_event')).map((row) => String(row.data)).join('\n');
    for (const secret of [...secrets, SECRET, 'key=k']) assert.not(all.includes(secret), event);
    await world.site.close();
  });

test('what is rolled back around it fires nothing', async () => {
  const world = await setUp(HOOKS);
  await world.site.services.database
    .transaction(async () => {
      await create(world);
      throw new Error('rolled back');
    })
    .catch(() => {});
  assert.equal(await world.site.rows('treadle_event'), []);
  await world.site.close();
});

test('a token is told of where it ends, and not once more', async () => {
  const world = await setUp(HOOKS);
  const { access_token, refresh_token } = await getTokens(world);
  for (const token of [access_token, access_token, refresh_token, refresh_token])
    await world.site.emit('oauth-revoke', { client_id: 'reader', client_secret: SECRET, token });
  const told = (await findTold(world, 'oauth-revoke')).map((data) => JSON.parse(data).kind);
  assert.equal(told, ['access', 'refresh']);
  await world.site.close();
});

test('what reports nothing that happened fires nothing, by name or by pattern', async () => {
  const silent = await setUp(new Map());
  const events = silent.site.context.plan.events.filter(({ kind }) => kind === 'silent' || kind === 'queues');
  await silent.site.close();
  assert.ok(events.length > 10);
  const named = events.map(({ name }) => toHook(name));
  const patterns = [toHook('oauth-*', 'o'), toHook('rest-*', 'r'), toHook('app-t*', 'a'), toHook('webhook-c*', 'w')];
  const send = async () => ({ status: 200, headers: {}, body: '', milliseconds: 1 });
  const world = await setUp(new Map([...named, ...patterns]), send);
  const made = await create(world, WISH);
  const stage = { ...made, owner: 1, hook: 'o', auth_id: 2, url: 'https://x.example/' };
  const succeeded: string[] = [];
  for (const record of events) {
    const declared = describeStage(record);
    // A search refuses what it does not declare.
    const taken = Object.fromEntries(Object.entries(stage).filter(([name]) => Object.hasOwn(declared, name)));
    const response = await world.site.emit(record.name, taken);
    if (!response.isError()) succeeded.push(record.name);
  }
  for (const event of ['app-search', 'app-traffic', 'app-trial', 'grant-search', 'webhook-app-search', 'webhook-call'])
    assert.ok(succeeded.includes(event), event);
  const answer = await askToken(world, { grant_type: 'client_credentials', scope: 'stats' });
  assert.is(answer.status, 200, answer.text);
  await getTokens(world);
  assert.equal(await world.site.rows('treadle_event'), []);
  await world.site.close();
});

test('every event of apps that is not said to report nothing is tried above', async () => {
  const world = await setUp(HOOKS);
  const { events } = world.site.context.plan;
  await world.site.close();
  const ofApps = events.filter(
    ({ name, kind }) => kind !== 'silent' && kind !== 'queues' && /^(?:app|grant|oauth)-/.test(name),
  );
  assert.equal(
    ofApps.map(({ name }) => name).filter((event) => !Object.hasOwn(CASES, event)),
    [],
  );
});

test('a hook that reports disabled receivers ends once its own receivers are gone', async () => {
  const sent: string[] = [];
  const hooks = new Map([
    toHook('app-create', 'first', 'https://first.example/hook'),
    toHook('webhook-receiver-disabled', 'told', 'https://told.example/hook'),
    toHook('webhook-receiver-disabled', 'also', 'https://also.example/hook'),
  ]);
  const world = await setUp(hooks, async ({ url }) => {
    sent.push(url);
    return { status: 410, headers: {}, body: '', milliseconds: 1 };
  });
  await world.site.emit('app-create', WISH);
  const worker = world.site.workers.find((each): each is WebhookWorker => 'idle' in each);
  const isTold = async (): Promise<boolean> =>
    (await findTold(world, 'told')).length >= 3 && (await findTold(world, 'also')).length >= 3;
  // Receivers are disabled one by one; a slow database needs more days of the fake clock, which cost nothing.
  for (let day = 0; day < 3 || (day < 20 && !(await isTold())); day += 1) {
    await worker?.idle();
    await world.site.clock.advance(86_400);
    await worker?.idle();
  }
  assert.equal([...sent].sort(), [
    'https://also.example/hook',
    'https://first.example/hook',
    'https://told.example/hook',
  ]);
  // One event for each of the three disabled receivers, to both hooks.
  for (const hook of ['told', 'also']) {
    const of = (await findTold(world, hook)).map((data) => JSON.parse(data).hook);
    assert.equal(of.sort(), ['also', 'first', 'told'], hook);
  }
  const rows = await world.site.rows('treadle_delivery');
  assert.equal([...new Set(rows.map(({ state }) => state))].sort(), ['disabled']);
  await world.site.close();
});

test.run();
