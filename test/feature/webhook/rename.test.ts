import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveWebhookSecret } from '../../../src/core/secret/webhook-secret.ts';
import { createFakeClock } from '../../clock.ts';
import { createScript, createWorld, pass, type Sent, secret, type World } from './world.ts';

const rename = suite('webhook/rename');

const OLD = { name: 'sold', url: 'https://receiver.example/hook' };
/** Renamed twice: its secret is still derived from the first name. */
const NEW = { ...OLD, name: 'paid', secretName: 'sold' };
const LAST = { ...NEW, name: 'booked' };

/** True if the request verifies with the secret of a version, at the time it was sent. */
function verifies(sent: Sent | undefined, version: number): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': at = '',
    'webhook-signature': signatures = '',
  } = sent?.headers ?? {};
  const signer = new Webhook(deriveWebhookSecret(secret, 'sold', undefined, version));
  const own = signer.sign(id, new Date(Number(at) * 1000), String(sent?.body));
  return signatures.split(' ').includes(own);
}

rename('a renamed hook signs with both secrets for the rest of the day', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [OLD] });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  await world.reload([{ ...OLD, secretVersion: 2 }]);
  for (const [hook, hours, expected] of [
    [{ ...NEW, secretVersion: 2 }, 1, [true, true]],
    [{ ...LAST, secretVersion: 2 }, 1, [true, true]],
    [{ ...LAST, secretVersion: 2 }, 24, [false, true]],
  ] as const) {
    await world.reload([hook]);
    await pass(world, clock, hours * 3600);
    await world.act({ profile_id: 2 });
    await world.worker().idle();
    const sent = script.sent.at(-1);
    assert.equal([verifies(sent, 1), verifies(sent, 2)], expected, `${hook.name} after ${hours} h`);
  }
  assert.is((await world.table('treadle_receiver')).length, 1);
  await world.close();
});

rename(
  'what waits for a renamed hook is sent, what is disabled stays so, and the log is under the new name',
  async () => {
    const clock = createFakeClock();
    const state = { status: 500 };
    const script = createScript(clock, () => ({ status: state.status }));
    const world = await createWorld({ clock, outbound: script.outbound, hooks: [OLD] });
    await world.act({ profile_id: 1 });
    await world.worker().idle();
    await world.reload([NEW]);
    await world.reload([LAST]);
    state.status = 410;
    await pass(world, clock, 60);
    await world.act({ profile_id: 2 });
    await pass(world, clock, 60);
    assert.is(script.sent.length, 2, 'the second attempt, and none for a receiver that is gone');
    const rows = await world.table('treadle_delivery');
    assert.equal(
      rows.map(({ hook, state: own }) => [hook, own]),
      [
        ['booked', 'disabled'],
        ['booked', 'disabled'],
      ],
    );
    await world.close();
  },
);

rename('apps are told each new name once, before their receivers have it', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [OLD] });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  const told: unknown[] = [];
  const hear = (bus: World['context']['plan']['bus']): void => {
    bus.on('webhook-app-rename', (request, response) => {
      told.push([request.getStage('from'), request.getStage('to')]);
      response.setError(false).setResults({ count: 0 });
    });
  };
  await world.reload([NEW], hear);
  await world.reload([LAST], hear);
  assert.equal(told, [
    ['sold', 'paid'],
    ['sold', 'booked'],
    ['paid', 'booked'],
  ]);
  await world.close();
});

rename('an event that was recorded before the rename is spread after it', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [OLD] });
  await world.worker().stop();
  await world.act({ profile_id: 1 });
  await world.reload([NEW]);
  await world.worker().idle();
  assert.is(script.sent.length, 1);
  await world.close();
});

rename('a hook that takes a former name has its own receivers', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [OLD] });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  await world.reload([NEW, { ...OLD, type: 'other.sold' }]);
  await world.act({ profile_id: 2 });
  await world.worker().idle();
  assert.equal((await world.table('treadle_receiver')).map(({ hook }) => hook).sort(), ['paid', 'sold']);
  assert.is(script.sent.length, 3);
  await world.close();
});

rename.run();
