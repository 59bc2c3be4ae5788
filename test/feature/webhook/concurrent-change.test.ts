import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log } from '../../../src/core/log/log.ts';
import type { Outbound } from '../../../src/outbound/outbound.ts';
import { createFakeClock } from '../../clock.ts';
import { createScript, createWorld, pass, type World, type WorldOptions } from './world.ts';

const change = suite('webhook/concurrent change');

const HOOK = { url: 'https://receiver.example/hook' };
const DAY = 86_400;

/** An outbound that answers by a function, which may act first. */
const toOutbound = (
  answer: (call: number, url: string) => Promise<number> | number,
): Outbound & { calls: string[] } => {
  const calls: string[] = [];
  return {
    calls,
    judge: () => undefined,
    async send({ url }) {
      calls.push(url);
      return { status: await answer(calls.length, url), headers: {}, body: '', milliseconds: 1 };
    },
  };
};

/** Far more than any test needs: each turn is one write of the database. */
const MOST_TURNS = 5000;

/** Lets other database work continue until the condition holds. */
async function until({ database }: World, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS && !(await isSo()); turn += 1) await database.write(async () => {});
  assert.ok(await isSo(), String(isSo));
}

for (const [during, status, wanted] of [
  [10, 500, { calls: 11, state: 'delivered' }],
  [6, 500, { calls: 7, state: 'delivered' }],
  [3, 200, { calls: 3, state: 'delivered' }],
] as const) {
  change(`sent again during attempt ${during}, which is answered with ${status}`, async () => {
    const clock = createFakeClock();
    const state: { world?: World; at?: number; next?: number } = {};
    const outbound = toOutbound(async (call) => {
      if (call < during) return 500;
      if (call > during) {
        state.next ??= clock.now();
        return 200;
      }
      state.at = clock.now();
      const replay = await state.world?.emit('webhook-delivery-replay', { delivery_id: 1 });
      assert.is(replay?.getResults('count'), 1);
      return status;
    });
    const world = await createWorld({ clock, outbound, hooks: [HOOK] });
    state.world = world;
    await world.act({ profile_id: 1 });
    await pass(world, clock, 5 * DAY);
    assert.is(outbound.calls.length, wanted.calls);
    const [row] = await world.table('treadle_delivery');
    assert.is(row?.state, wanted.state);
    assert.is(row?.attempts, wanted.calls);
    if (state.next !== undefined)
      assert.ok(state.next - (state.at ?? 0) < 2000, 'at once, not when the old schedule says');
    await world.close();
  });
}

change('enabled while a delivery is about to be kept for a disabled receiver', async () => {
  const clock = createFakeClock();
  const outbound = toOutbound((call) => (call === 1 ? 500 : 200));
  const apps = [{ app_id: 1, client_id: 'ann', url: 'https://ann.example/', owner_profile_id: null }];
  const state: { world?: World; isWatched: boolean } = { isWatched: false };
  const world = await createWorld({ clock, outbound, hooks: [{}], apps: () => apps });
  state.world = world;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const set = (values: Record<string, unknown>) =>
    world.database.write(() => world.database.kysely.updateTable('treadle_receiver').set(values).execute());
  await set({ disabled_at: 1, disabled_reason: 'x' });
  // Called between reading the delivery and writing its result.
  world.context.plan.bus.on('webhook-subscriber-search', async () => {
    if (!state.isWatched) await set({ disabled_at: null, disabled_reason: null });
    state.isWatched = true;
  });
  await pass(world, clock, 60);
  assert.ok(state.isWatched);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  assert.is(outbound.calls.length, 2);
  await world.close();
});

change('sixteen answers of 410 at once are told of once', async () => {
  const clock = createFakeClock();
  const told: string[] = [];
  const note = (name: string): void => void told.push(name);
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Log;
  const state = { isGone: false };
  const held: (() => void)[] = [];
  const outbound = toOutbound(async () => {
    if (!state.isGone) return 200;
    await new Promise<void>((resolve) => held.push(resolve));
    return 410;
  });
  const world = await createWorld({ clock, outbound, hooks: [HOOK], log });
  for (let profile = 0; profile < 40; profile += 1) {
    await world.act({ profile_id: profile });
    await world.worker().idle();
  }
  state.isGone = true;
  for (let profile = 0; profile < 16; profile += 1) await world.act({ profile_id: profile });
  await until(world, () => held.length > 4);
  state.isGone = false;
  for (const answer of held) answer();
  await world.worker().idle();
  assert.is(told.filter((name) => name === 'webhook.receiver.disabled').length, 1);
  assert.ok((await world.table('treadle_receiver'))[0]?.disabled_at !== null);
  await world.close();
});

change('a success that ends after a failure clears it, whichever began first', async () => {
  const clock = createFakeClock();
  const held: (() => void)[] = [];
  const outbound = toOutbound(async (call) => {
    if (call === 3) await new Promise<void>((resolve) => held.push(resolve));
    return call === 4 ? 500 : 200;
  });
  const world = await createWorld({ clock, outbound, hooks: [HOOK] });
  for (const profile of [1, 2]) {
    await world.act({ profile_id: profile });
    await world.worker().idle();
  }
  await world.act({ profile_id: 3 });
  await until(world, () => held.length === 1);
  await world.act({ profile_id: 4 });
  await until(world, async () => (await world.table('treadle_receiver'))[0]?.failing_since !== null);
  held[0]?.();
  await world.worker().idle();
  assert.is((await world.table('treadle_receiver'))[0]?.failing_since, null);
  await world.close();
});

change('a failure after weeks of silence starts the five days again', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({ status: 503 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await world.act({ profile_id: 1 });
  await pass(world, clock, 20 * DAY);
  const before = script.sent.length;
  await world.act({ profile_id: 2 });
  await world.worker().idle();
  assert.is(script.sent.length, before + 1);
  const read = async () => (await world.table('treadle_receiver'))[0];
  assert.is((await read())?.disabled_at, null);
  assert.is((await read())?.failing_since, Math.floor(clock.now() / 1000));
  for (let day = 0; day < 6; day += 1) {
    await world.act({ profile_id: day });
    await pass(world, clock, DAY);
  }
  assert.is((await read())?.disabled_reason, 'Every attempt of five days failed.');
  await world.close();
});

/** A site with one app whose URL can be changed. */
async function createMoving(more: Partial<WorldOptions> = {}) {
  const clock = createFakeClock();
  const app = { app_id: 1, client_id: 'ann', url: 'https://old.example/', owner_profile_id: null };
  const at = { app, isDown: true };
  const outbound = toOutbound((_, url) => (url.includes('old') || at.isDown ? 503 : 200));
  const world = await createWorld({ clock, outbound, hooks: [{}], apps: () => [at.app], ...more });
  world.context.plan.bus.on('webhook-app-search', (_, response) => {
    const whole = { ...at.app, title: 'Ann', webhook: at.app.url, hooks: ['profile-created'], active: true };
    response.setError(false).setResults({ rows: [{ ...whole, stopped: false, public: false, secret_version: 1 }] });
  });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const move = (): void => {
    at.app = { ...app, url: 'https://new.example/' };
    at.isDown = false;
  };
  return { clock, world, outbound, move };
}

change('what waits for a receiver goes to the address that it has by then', async () => {
  const { clock, world, outbound, move } = await createMoving();
  move();
  await pass(world, clock, 60);
  const [row] = await world.table('treadle_delivery');
  assert.equal([row?.state, row?.url], ['delivered', 'https://new.example/']);
  assert.equal(outbound.calls, ['https://old.example/', 'https://new.example/']);
  await world.close();
});

change('the first attempt goes to the address that the app has by then, with its secret version', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const old = { app_id: 1, client_id: 'ann', url: 'https://old.example/', owner_profile_id: null, secret_version: 1 };
  const at = { app: old, searches: 0 };
  const apps = () => {
    at.searches += 1;
    return [at.searches === 1 ? old : { ...old, url: 'https://new.example/', secret_version: 2 }];
  };
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{}], apps });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  assert.equal([at.searches, script.sent.map(({ url }) => url)], [2, ['https://new.example/']]);
  const receivers = (await world.table('treadle_receiver')).map(({ url, version }) => [url, Number(version)]);
  assert.equal(new Map(receivers as [string, number][]).get('https://new.example/'), 2);
  await world.close();
});

change('an address that has a delivery of the event already gets no second one', async () => {
  const { clock, world, outbound, move } = await createMoving();
  move();
  const [first] = await world.table('treadle_delivery');
  const { kysely } = world.database;
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const [, second] = await world.table('treadle_delivery');
  await world.database.write(() =>
    kysely
      .updateTable('treadle_delivery')
      .set({ event_id: first?.event_id })
      .where('delivery_id', '=', second?.delivery_id)
      .execute(),
  );
  await pass(world, clock, 60);
  const rows = await world.table('treadle_delivery');
  assert.equal(
    rows.map(({ state }) => state),
    ['failed', 'delivered'],
  );
  assert.match(String(rows[0]?.error), 'Another delivery takes the event');
  assert.equal(outbound.calls, ['https://old.example/', 'https://new.example/']);
  await world.close();
});

for (const how of ['webhook-delivery-replay', 'webhook-receiver-enable'])
  change(`${how} sends what a dead address missed to the new one`, async () => {
    const { clock, world, move } = await createMoving();
    await pass(world, clock, 6 * DAY);
    for (let day = 0; day < 7; day += 1) {
      await world.act({ profile_id: day });
      await pass(world, clock, DAY);
    }
    const states = async () => new Set((await world.table('treadle_delivery')).map((row) => row.state));
    assert.equal(await states(), new Set(['failed', 'disabled']));
    move();
    const sent = await world.emit(how, { client_id: 'ann', since: Math.floor(clock.now() / 1000) - 29 * DAY });
    assert.ok(Number(sent.getResults('count')) >= 8, String(sent.getMessage()));
    await pass(world, clock, 60);
    assert.equal(await states(), new Set(['delivered']));
    await world.close();
  });

change('a receiver that nothing names any more is forgotten with its log; one that is silent is not', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (sent) => ({ status: sent.url.includes('gone') ? 410 : 200 }));
  const app = { app_id: 1, client_id: 'ann', url: 'https://gone.example/', owner_profile_id: null };
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK], apps: () => [app] });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  assert.is((await world.table('treadle_receiver')).length, 2);
  const listLeft = () => world.table('treadle_receiver');
  await pass(world, clock, 29 * DAY);
  assert.is((await listLeft()).length, 2);
  // The speed of the machine decides how far a purge gets within an hour of the test's clock.
  await until(world, async () => {
    clock.advance(3_600_000);
    return (await listLeft()).length < 2;
  });
  assert.is((await world.table('treadle_delivery')).length, 0);
  assert.equal(
    (await listLeft()).map((row) => row.url),
    [HOOK.url],
  );
  // A silent receiver that a hook names also survives the next month.
  await pass(world, clock, 31 * DAY);
  assert.is((await listLeft()).length, 1);
  await world.close();
});

change.run();
