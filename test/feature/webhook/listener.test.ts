import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFakeClock } from '../../clock.ts';
import { passUntil } from '../../queue/world.ts';
import { type AppRow, createScript, createWorld, pass, type World } from './world.ts';

/** What the project's listeners do when a receiver is disabled, and what its owner sees afterwards. */
const listener = suite('webhook/listener');

const GONE = { name: 'gone', url: 'https://gone.example/' };
const GOOD = { name: 'good', url: 'https://good.example/', parameters: { schema: 'good' } };
const NOTE = {
  name: 'note',
  url: 'https://note.example/',
  parameters: { schema: 'note' },
  delivery: 'inline',
} as const;

/** Waits for the effect of another database turn. */
async function until(world: World, isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5000 && !isSo(); turn += 1) await world.database.write(async () => {});
  assert.ok(isSo(), String(isSo));
}

listener('a listener that waits for an inline hook itself does not hold up the queue', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, ({ url }) => ({ status: url === GONE.url ? 410 : 200 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [GONE, GOOD, NOTE] });
  const count = (url: string): number => script.sent.filter((sent) => sent.url === url).length;
  world.context.plan.bus.on('webhook-receiver-disabled', async () => {
    await world.act({ profile_id: 7 }, { schema: 'note' });
  });
  await world.act({ profile_id: 1 });
  await until(world, () => count(NOTE.url) === 1);
  for (let id = 0; id < 5; id += 1) await world.act({ profile_id: id }, { schema: 'good' });
  await until(world, () => count(GOOD.url) === 5);
  await world.worker().idle();
  await world.close();
});

listener(
  'one that never ends holds up neither the queue nor the end of the process; one that fails is logged',
  async () => {
    const clock = createFakeClock();
    const script = createScript(clock, ({ url }) => ({ status: url === GONE.url ? 410 : 200 }));
    const logged: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (message: string) => void logged.push(message) };
    const world = await createWorld({ clock, outbound: script.outbound, hooks: [GONE, GOOD], log });
    const state = { isHeard: false };
    world.context.plan.bus.on('webhook-receiver-disabled', async () => {
      state.isHeard = true;
      if (script.sent.length > 1) throw new Error('no');
      await new Promise(() => {});
    });
    await world.act({ profile_id: 1 });
    await until(world, () => state.isHeard);
    await world.act({ profile_id: 2 }, { schema: 'good' });
    await until(world, () => script.sent.length === 2);
    await world.emit('webhook-receiver-enable', { hook: 'gone' });
    await world.act({ profile_id: 3 });
    await until(world, () => logged.includes('webhook.listener.failed'));
    await passUntil({ clock, database: world.database }, world.worker().stop(), 500);
    await world.close();
  },
);

listener('an owner does not see what was never sent to his app and never will be', async () => {
  const clock = createFakeClock();
  const app: AppRow = { app_id: 1, client_id: 'ann', url: 'https://ann.example/', owner_profile_id: 1 };
  const state = { apps: [app], status: 200 };
  const script = createScript(clock, () => ({ status: state.status }));
  const hooks = [{ name: 'gone' }];
  const world = await createWorld({ clock, outbound: script.outbound, hooks, apps: () => state.apps });
  world.context.plan.bus.on('webhook-app-search', (_, response) => {
    const own = { app_id: 1, client_id: 'ann', name: null, title: 'Ann', webhook: app.url, hooks: ['gone'] };
    response.setError(false).setResults({ rows: [{ ...own, active: true, stopped: false, secret_version: 1 }] });
  });
  const ask = async (deliveryId: number, more = {}) =>
    (await world.emit('webhook-delivery-detail', { delivery_id: deliveryId, ...more })).getResults('payload');
  await world.act({ profile_id: 1, word: 'sent' });
  await pass(world, clock, 1);
  await world.emit('webhook-receiver-disable', { client_id: 'ann' });
  await world.act({ profile_id: 1, word: 'kept' });
  await pass(world, clock, 1);
  for (const id of [1, 2]) assert.type(await ask(id, { owner: 10 }), 'string');
  state.apps = [];
  assert.type(await ask(1, { owner: 10 }), 'string', 'it was sent');
  assert.is(await ask(2, { owner: 10 }), null);
  assert.type(await ask(2), 'string', 'who runs the site sees it');
  await world.close();
});

listener.run();
