import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFakeClock } from '../../clock.ts';
import { type AppRow, createScript, createWorld, pass, type WorldOptions } from './world.ts';

/**
 * A hook whose receivers need approval: the search returns only approved ones, and may change its answer at any time.
 */
const approval = suite('webhook/approval');

const ANN: AppRow = { app_id: 1, client_id: 'ann', url: 'https://ann.example/hook', owner_profile_id: null };
const GUARDED = { approval: true };

async function setUp(hook: WorldOptions['hooks'][number], apps: () => readonly AppRow[], status = 200) {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({ status }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [hook], apps });
  const at = { pending: ['profile-created'] };
  world.context.plan.bus.on('webhook-app-search', (_, response) => {
    const row = { ...ANN, title: 'Ann', webhook: ANN.url, hooks: ['profile-created'], pending: at.pending };
    response.setError(false).setResults({ rows: [{ ...row, active: true, secret_version: 1 }] });
  });
  return { clock, world, sent: script.sent, at };
}

approval('an approval or a subscription ends between the event and its first attempt: nothing is sent', async () => {
  for (const [hook, reason] of [
    [GUARDED, 'no longer receives the web hook, or lost its approval.'],
    [{}, 'no longer receives the web hook.'],
  ] as const) {
    let searches = 0;
    const { world, sent } = await setUp(hook, () => {
      searches += 1;
      return searches === 1 ? [ANN] : [];
    });
    await world.act({ profile_id: 1 });
    await world.worker().idle();
    assert.is(sent.length, 0, JSON.stringify(hook));
    const [row] = await world.table('treadle_delivery');
    assert.is(row?.state, 'failed');
    assert.match(String(row?.error), reason);
    await world.close();
  }
});

approval('taken back between two attempts: there is no second one, nor when it is sent again', async () => {
  let apps: readonly AppRow[] = [ANN];
  const { clock, world, sent, at } = await setUp(GUARDED, () => apps, 500);
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  assert.is(sent.length, 1);
  apps = [];
  await pass(world, clock, 86_400);
  assert.is(sent.length, 1);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'failed');
  const replay = await world.emit('webhook-delivery-replay', { delivery_id: 1 });
  assert.is(replay.getStatus(), 409);
  await pass(world, clock, 60);
  assert.is(sent.length, 1, 'sent again to nobody');
  apps = [ANN];
  at.pending = [];
  await world.emit('webhook-delivery-replay', { delivery_id: 1 });
  await pass(world, clock, 60);
  assert.ok(sent.length > 1, 'and to the app once it is approved again');
  await world.close();
});

approval('what was kept for a disabled receiver is not sent once the approval is gone', async () => {
  let apps: readonly AppRow[] = [ANN];
  const { world, sent } = await setUp(GUARDED, () => apps);
  await world.emit('webhook-receiver-disable', { client_id: 'ann' });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'disabled');
  apps = [];
  const enabled = await world.emit('webhook-receiver-enable', { client_id: 'ann' });
  await world.worker().idle();
  assert.is(sent.length, 0);
  assert.equal([enabled.getResults('count'), enabled.getResults('skipped', 0, 'client_id')], [0, 'ann']);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'disabled');
  await world.close();
});

approval(
  'what arrived and was to be sent again stays delivered where the approval is taken back meanwhile',
  async () => {
    let apps: readonly AppRow[] = [ANN];
    const { world, sent, at } = await setUp(GUARDED, () => apps);
    at.pending = [];
    await world.act({ profile_id: 1 });
    await world.worker().idle();
    assert.is(sent.length, 1);
    // Withdrawn between the check and the attempt.
    apps = [];
    assert.is((await world.emit('webhook-delivery-replay', { delivery_id: 1 })).getResults('count'), 1);
    await world.worker().idle();
    assert.is(sent.length, 1);
    const [row] = await world.table('treadle_delivery');
    assert.is(row?.state, 'delivered');
    assert.match(String(row?.error), 'lost its approval');
    await world.close();
  },
);

approval('an app that waits is told so, and gets no trial event; one that has it gets one', async () => {
  const { world, sent, at } = await setUp(GUARDED, () => []);
  const look = async (stage: Record<string, unknown> = {}) => {
    const rows = (await world.emit('webhook-receiver-search', stage)).getResults('rows') as Record<string, unknown>[];
    return rows.map(({ state, waiting }) => [state, waiting]);
  };
  assert.equal(await look(), [['waiting', true]]);
  assert.equal(await look({ state: 'waiting' }), [['waiting', true]]);
  assert.equal(await look({ state: 'unused' }), []);
  const refused = await world.emit('webhook-test', { hook: 'profile-created', client_id: 'ann' });
  assert.is(refused.getStatus(), 409);
  assert.match(refused.getMessage() ?? '', 'The app Ann waits for approval of profile-created');
  await world.emit('webhook-receiver-disable', { client_id: 'ann' });
  assert.equal(await look(), [['disabled', true]]);
  await world.emit('webhook-receiver-enable', { client_id: 'ann' });
  assert.equal(await look(), [['waiting', true]]);
  at.pending = [];
  assert.equal(await look(), [['enabled', false]]);
  assert.is(sent.length, 0);
  await world.emit('webhook-test', { hook: 'profile-created', client_id: 'ann' });
  await world.worker().idle();
  assert.is(sent.length, 1);
  await world.close();
});

approval.run();
