import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HookApp } from '../../../src/feature/webhook/hook-app.ts';
import { createFakeClock, type FakeClock } from '../../clock.ts';
import { createScript, createWorld, pass, type World } from './world.ts';

type Row = Record<string, unknown>;
const OWN = 'https://own.example/hook';
const ANN = 'https://ann.example/hook';

const toApp = (id: number, more: Partial<HookApp> = {}): HookApp => ({
  app_id: id,
  client_id: `client-${id}`,
  name: null,
  title: `App ${id}`,
  webhook: id === 1 ? ANN : `https://app-${id}.example/hook`,
  hooks: ['profile-created'],
  active: true,
  stopped: false,
  public: false,
  secret_version: 1,
  ...more,
});

/** Accounts 10 and 20 own the apps 1 and 2. */
const OWNERS: Readonly<Record<string, number>> = { '10': 1, '20': 2 };
const APPS = [toApp(1), toApp(2)];

interface At {
  clock: FakeClock;
  world: World;
  answer: { status: number; headers: Record<string, string>; body: string };
  sent: { url: string; headers?: Readonly<Record<string, string>>; body?: unknown }[];
}

async function createAt(): Promise<At> {
  const clock = createFakeClock();
  const answer = { status: 200, headers: {} as Record<string, string>, body: '' };
  const script = createScript(clock, () => answer);
  const apps = () =>
    APPS.filter(({ hooks }) => hooks.length > 0).map((app) => ({
      ...app,
      url: String(app.webhook),
      owner_profile_id: app.app_id,
    }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ url: OWN }], apps });
  world.context.plan.bus.on('webhook-app-search', (request, response) => {
    const stage = request.getStage() as Row;
    const own = stage.owner === undefined ? undefined : OWNERS[String(stage.owner)];
    const rows = APPS.filter(
      (app) =>
        (stage.owner === undefined || app.app_id === own) &&
        (stage.app_id === undefined || app.app_id === Number(stage.app_id)) &&
        (stage.client_id === undefined || app.client_id === stage.client_id),
    );
    response.setError(false).setResults({ rows });
  });
  return { clock, world, answer, sent: script.sent };
}

const search = async ({ world }: At, stage: Row): Promise<Row[]> =>
  (await world.emit('webhook-delivery-search', stage)).getResults('rows') as Row[];
const urls = async (at: At, stage: Row): Promise<unknown[]> => (await search(at, stage)).map(({ url }) => url).sort();

const log = suite('the log of web hooks');

log('each filter finds its rows, and an unknown filter is refused', async () => {
  const at = await createAt();
  const { world, clock } = at;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const first = Math.floor(clock.now() / 1000);
  clock.advance(3_600_000);
  at.answer.status = 500;
  await world.act({ profile_id: 2 });
  await world.worker().idle();
  const all = await search(at, {});
  assert.is(all.length, 6);
  const event = String(all[0]?.event_id);
  const table: [Row, number][] = [
    [{ hook: 'profile-created' }, 6],
    [{ hook: 'other' }, 0],
    [{ client_id: 'client-1' }, 2],
    [{ app_id: 2 }, 2],
    [{ app_id: 9 }, 0],
    [{ url: OWN }, 2],
    [{ type: 'profile.created', state: 'pending' }, 3],
    [{ type: 'other' }, 0],
    [{ state: 'pending,delivered' }, 6],
    [{ state: 'delivered' }, 3],
    [{ state: '' }, 6],
    [{ event_id: event }, 3],
    [{ since: first + 1 }, 3],
    [{ until: first + 1 }, 3],
    [{ since: new Date((first + 1) * 1000).toISOString() }, 3],
    [{ since: '2026-01-02' }, 0],
    [{ owner: 10 }, 2],
    [{ owner: 10, client_id: 'client-2' }, 0],
    [{ owner: 30 }, 0],
    [{ owner: null }, 0],
    [{ receiver: all[0]?.receiver }, 2],
  ];
  for (const [stage, count] of table) assert.is((await search(at, stage)).length, count, JSON.stringify(stage));
  const state = await world.emit('webhook-delivery-search', { state: 'delivred' });
  assert.is(state.getStatus(), 422);
  assert.match(String(state.getMessage()), 'delivered');
  assert.is((await world.emit('webhook-delivery-search', { since: 'yesterday' })).getStatus(), 422);
  assert.is((await world.emit('webhook-delivery-search', { limit: 101 })).getStatus(), 422);
  const page = await world.emit('webhook-delivery-search', { limit: 4 });
  assert.is((page.getResults('rows') as Row[]).length, 4);
  const rest = await world.emit('webhook-delivery-search', { limit: 4, before: page.getResults('next') });
  assert.is((rest.getResults('rows') as Row[]).length, 2);
  assert.is(rest.getResults('next'), null);
  await world.close();
});

log('a delivery shows what was sent and what came back, without the secrets of either', async () => {
  const at = await createAt();
  const { world, answer } = at;
  Object.assign(answer, { status: 500, body: 'a\u0000b', headers: { 'set-cookie': 'sid=secret', server: 'x' } });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const [row] = await search(at, { client_id: 'client-1' });
  const found = await world.emit('webhook-delivery-detail', { delivery_id: row?.delivery_id, owner: 10 });
  const detail = found.getResults() as Row;
  assert.is(detail.payload, at.sent[0]?.body);
  const [attempt] = detail.attempt as Row[];
  assert.is(attempt?.status, 500);
  assert.equal(attempt?.response_head, { 'set-cookie': '(hidden)', server: 'x' });
  assert.is(attempt?.response_body, 'a\uFFFDb');
  assert.is((attempt?.request_head as Row | undefined)?.['webhook-id'], detail.event_id);
  assert.not.match(JSON.stringify(found.getResults()), 'sid=secret');
  assert.is(
    (await world.emit('webhook-delivery-detail', { delivery_id: row?.delivery_id, owner: 20 })).getStatus(),
    404,
  );
  assert.is((await world.emit('webhook-delivery-detail', {})).getStatus(), 404);
  assert.is((await world.emit('webhook-delivery-detail', { delivery_id: 'x' })).getStatus(), 404);
  await world.close();
});

log('sends again one, or those of a filter, and never those of another owner', async () => {
  const at = await createAt();
  const { world, answer } = at;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const [row] = await search(at, { client_id: 'client-1' });
  const replay = async (stage: Row) => {
    const response = await world.emit('webhook-delivery-replay', stage);
    return response.isError() ? response.getStatus() : response.getResults('count');
  };
  assert.is(await replay({ delivery_id: row?.delivery_id, owner: 20 }), 404);
  assert.is(await replay({ owner: 20, dry_run: 1 }), 422);
  assert.is(await replay({ hook: 'profile-created' }), 0, 'nothing failed');
  assert.is(await replay({ hook: 'profile-created', state: 'any', dry_run: 1 }), 3);
  assert.is(at.sent.length, 3);
  assert.is(await replay({ delivery_id: row?.delivery_id, owner: 10 }), 1);
  await world.worker().idle();
  assert.is(at.sent.length, 4);
  assert.is(at.sent[3]?.url, ANN);
  assert.is(at.sent[3]?.headers?.['webhook-id'], row?.event_id);
  answer.status = 410;
  await world.act({ profile_id: 2 });
  await world.worker().idle();
  answer.status = 200;
  assert.is(await replay({ since: '2026-01-01', owner: 10 }), 1, "the owner's own");
  assert.is(await replay({ since: '2026-01-01' }), 2, 'the others');
  await world.worker().idle();
  assert.is((await search(at, { state: 'delivered' })).length, 6);
  await world.close();
});

log('a receiver shows its state; enabling it sends what it missed', async () => {
  const at = await createAt();
  const { world, answer, clock } = at;
  const receivers = async (stage: Row = {}) =>
    (await world.emit('webhook-receiver-search', stage)).getResults('rows') as Row[];
  assert.equal(
    (await receivers()).map(({ url, state }) => [url, state]),
    [
      [OWN, 'unused'],
      [ANN, 'unused'],
      ['https://app-2.example/hook', 'unused'],
    ],
  );
  answer.status = 410;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  await world.act({ profile_id: 2 });
  await world.worker().idle();
  const [mine] = await receivers({ owner: 10 });
  assert.is(mine?.state, 'disabled');
  assert.match(String(mine?.disabled_reason), '410');
  assert.is(mine?.missed, 2);
  assert.is((await receivers({ state: 'disabled' })).length, 3);
  assert.is((await world.emit('webhook-receiver-search', { state: 'off' })).getStatus(), 422);
  const refused = await world.emit('webhook-receiver-enable', { receiver: mine?.receiver, owner: 20 });
  assert.is(refused.getStatus(), 404);
  for (const stage of [{}, { receiver: '' }, { owner: 10 }])
    for (const event of ['webhook-receiver-enable', 'webhook-receiver-disable'])
      assert.is((await world.emit(event, stage)).getStatus(), 404, `${event} ${JSON.stringify(stage)}`);
  answer.status = 200;
  clock.advance(1000);
  const enabled = await world.emit('webhook-receiver-enable', { receiver: mine?.receiver, owner: 10 });
  assert.is(enabled.getResults('count'), 2);
  await world.worker().idle();
  const [after] = await receivers({ owner: 10 });
  assert.is(after?.state, 'enabled');
  assert.is(after?.missed, 0);
  assert.is(after?.last_success_at, Math.floor(clock.now() / 1000));
  const quiet = await world.emit('webhook-receiver-enable', { url: OWN, catch_up: 0 });
  assert.equal(quiet.getResults(), { receivers: 1, count: 0, skipped: [] });
  await world.emit('webhook-receiver-disable', { app_id: 1, owner: 10, reason: 'moving house' });
  const count = at.sent.length;
  await world.act({ profile_id: 3 });
  await world.worker().idle();
  assert.is(at.sent.length, count + 1, 'the own address only: the second app is still disabled');
  assert.is((await receivers({ owner: 10 }))[0]?.disabled_reason, 'moving house');
  await world.close();
});

log('sends nothing that was kept for a receiver once it is removed', async () => {
  const at = await createAt();
  const { world, clock } = at;
  await world.emit('webhook-receiver-disable', { app_id: 1, owner: 10 });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  assert.is((await search(at, { app_id: 1 }))[0]?.state, 'disabled');
  // The app was suspended, or no longer lists the hook: its owner still has the page to enable it.
  const [ann] = APPS.splice(0, 1, toApp(1, { hooks: [] }));
  clock.advance(120_000);
  const count = at.sent.length;
  const answer = await world.emit('webhook-delivery-replay', { owner: 10, app_id: 1, state: 'any' });
  await world.worker().idle();
  APPS.splice(0, 1, ann as HookApp);
  assert.is(at.sent.length, count);
  assert.is(answer.getResults('count'), 0);
  assert.is(answer.getResults('skipped', 0, 'reason'), 'The app App 1 receives profile-created no longer.');
  assert.is((await search(at, { app_id: 1 }))[0]?.state, 'disabled', 'it stays as it was');
  await world.close();
});

log('sending again tells which receivers it enables, and which get nothing', async () => {
  const at = await createAt();
  const { world } = at;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  await world.emit('webhook-receiver-disable', { client_id: 'client-1', reason: 'Moving house' });
  const [second] = APPS.splice(1, 1, toApp(2, { pending: ['profile-created'] }));
  const all = { hook: 'profile-created', state: 'any' };
  const enabled = [{ hook: 'profile-created', url: ANN, client_id: 'client-1', disabled_reason: 'Moving house' }];
  const reason = 'The app App 2 waits for approval of profile-created.';
  const url = 'https://app-2.example/hook';
  const skipped = [{ hook: 'profile-created', url, client_id: 'client-2', count: 1, reason }];
  const dry = (await world.emit('webhook-delivery-replay', { ...all, dry_run: 1 })).getResults() as Row;
  assert.equal([dry.count, (dry.receivers as Row[]).length], [2, 2]);
  assert.equal([dry.enabled, dry.skipped], [enabled, skipped]);
  const [mine] = await search(at, { client_id: 'client-2' });
  const one = await world.emit('webhook-delivery-replay', { delivery_id: mine?.delivery_id });
  assert.equal([one.getStatus(), one.getMessage()], [409, `${reason} Nothing is sent to it again.`]);
  const sent = (await world.emit('webhook-delivery-replay', all)).getResults();
  assert.equal(sent, { count: 2, next: null, enabled, skipped });
  await world.worker().idle();
  APPS.splice(1, 1, second as HookApp);
  assert.is(at.sent.length, 5);
  assert.is((await search(at, { state: 'delivered' })).length, 3, 'what was skipped stays delivered');
  await world.close();
});

log('a trial that fails is tried once, says nothing of its receiver, and is sent again by its id only', async () => {
  const at = await createAt();
  const { world, answer, clock } = at;
  for (const status of [500, 410]) {
    answer.status = status;
    const trial = await world.emit('webhook-test', { hook: 'profile-created', app_id: 1 });
    const event = trial.getResults('event_id');
    const count = at.sent.length;
    await pass(world, clock, 86_400);
    assert.is(at.sent.length, count + 1, 'one attempt');
    const [row] = await search(at, { event_id: event });
    assert.equal([row?.state, row?.status, row?.attempts], ['failed', status, 1]);
    const [receiver] = (await world.emit('webhook-receiver-search', { app_id: 1 })).getResults('rows') as Row[];
    assert.equal([receiver?.state, receiver?.missed, receiver?.failing_since], ['enabled', 0, null]);
    const replay = async (stage: Row) => (await world.emit('webhook-delivery-replay', stage)).getResults('count');
    assert.is(await replay({ hook: 'profile-created', state: 'any' }), 0);
    assert.is(await replay({ event_id: event }), 1);
    await pass(world, clock, 86_400);
    assert.is(at.sent.length, count + 2, 'and one again');
  }
  await world.close();
});

log('a receiver that fails tells what came back last', async () => {
  const at = await createAt();
  const { world, answer, clock } = at;
  answer.status = 500;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  clock.advance(1000);
  answer.status = 503;
  await world.act({ profile_id: 2 });
  await world.worker().idle();
  const last = async () => (await world.emit('webhook-receiver-search', { app_id: 1 })).getResults('rows', 0) as Row;
  assert.equal([(await last()).state, (await last()).last_status, (await last()).last_error], ['failing', 503, null]);
  answer.status = 200;
  await pass(world, clock, 3600);
  assert.equal([(await last()).state, (await last()).last_status], ['enabled', null]);
  await world.close();
});

log('a trial event goes to its receiver, with data of the schema', async () => {
  const at = await createAt();
  const { world } = at;
  const test = (stage: Row) => world.emit('webhook-test', { hook: 'profile-created', ...stage });
  const one = await test({ app_id: 1, owner: 10 });
  assert.match(String(one.getResults('event_id')), /^msg_test_/);
  await world.worker().idle();
  assert.equal(
    at.sent.map(({ url }) => url),
    [ANN],
  );
  assert.match(String(at.sent[0]?.body), '"data":{"test":true}');
  assert.is((await test({ app_id: 2, owner: 10 })).getStatus(), 404, "another's app");
  assert.is((await test({ hook: 'profile-creatd' })).getStatus(), 404);
  const all = await test({ data: { profile_id: 5 } });
  await world.worker().idle();
  assert.is((await urls(at, { event_id: all.getResults('event_id') })).length, 3);
  const count = at.sent.length;
  await world.emit('webhook-receiver-disable', { app_id: 1 });
  for (const stage of [{ app_id: 1 }, {}]) {
    const event = (await test(stage)).getResults('event_id');
    await world.worker().idle();
    const [row] = await search(at, { event_id: event, client_id: 'client-1' });
    assert.equal([row?.state, row?.attempts], ['failed', 0], 'it is not kept');
    assert.match(String(row?.error), 'The receiver is disabled');
  }
  assert.is(at.sent.length, count + 2, 'to the others of the second');
  const enabled = await world.emit('webhook-receiver-enable', { app_id: 1 });
  assert.is(enabled.getResults('count'), 0, 'nor caught up with');
  await world.close();
});

log.run();
