import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveWebhookSecret } from '../../../../src/core/secret/webhook-secret.ts';
import { createFakeClock, type FakeClock } from '../../../clock.ts';
import { type AppRow, createScript, createWorld, type Sent, secret, type World } from '../world.ts';

const rotation = suite('webhook/rotation');

const HOOK = { url: 'https://receiver.example/hook' };
const DAY = 86_400;
const HOUR = 3600;

/** The npm verifier uses the real time, so requests must be sent then. */
const startAt = (secondsBack: number): FakeClock => createFakeClock(Date.now() - secondsBack * 1000);

/** The versions whose secret verifies the request, by the npm verifier. */
function accepts(sent: Sent | undefined, clientId: string | undefined, most = 5): number[] {
  const headers = { ...sent?.headers };
  return Array.from({ length: most }, (_, index) => index + 1).filter((version) => {
    try {
      new Webhook(deriveWebhookSecret(secret, 'profile-created', clientId, version)).verify(
        String(sent?.body),
        headers,
      );
      return true;
    } catch {
      return false;
    }
  });
}

async function fire(world: World): Promise<void> {
  await world.act({ profile_id: 1 });
  await world.worker().idle();
}

rotation('the npm verifier refuses what was tampered with, what is late and what is early', async () => {
  const cases = [
    { back: 0, isAccepted: true },
    { back: 290, isAccepted: true },
    { back: 310, isAccepted: false },
    { back: -290, isAccepted: true },
    { back: -310, isAccepted: false },
  ];
  for (const { back, isAccepted } of cases) {
    const clock = startAt(back);
    const script = createScript(clock, () => ({}));
    const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
    await fire(world);
    assert.equal(accepts(script.sent[0], undefined), isAccepted ? [1] : [], `${back} s ago`);
    await world.close();
  }
});

rotation('old and new sign for 24 h from when the version rose, also across restarts', async () => {
  const clock = startAt(DAY);
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await fire(world);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  clock.advance((DAY - 60) * 1000);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  await fire(world);
  assert.equal(accepts(script.sent[1], undefined), [1, 2], 'a minute before the day is over');
  assert.is(script.sent[1]?.headers?.['webhook-signature']?.split(' ').length, 2);
  clock.advance(60_000);
  await fire(world);
  assert.equal(accepts(script.sent[2], undefined), [2], 'after it');
  await world.close();
});

rotation('a process with the older plan goes on signing so that both sides verify', async () => {
  const clock = startAt(0);
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await fire(world);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  await world.reload([HOOK]);
  await fire(world);
  assert.equal(accepts(script.sent[1], undefined), [1, 2]);
  const [receiver] = await world.table('treadle_receiver');
  assert.is(Number(receiver?.version), 2, 'it does not take the version back');
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  const [again] = await world.table('treadle_receiver');
  assert.is(again?.rotated_at, receiver?.rotated_at, 'it is no second rotation');
  await world.close();
});

rotation('a second rotation within the day ends the oldest secret', async () => {
  const clock = startAt(HOUR);
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await fire(world);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  clock.advance(HOUR * 1000);
  await world.reload([{ ...HOOK, secretVersion: 3 }]);
  await fire(world);
  assert.equal(accepts(script.sent[1], undefined), [2, 3]);
  await world.close();
});

rotation("an app's own version rotates its secret alone, and counts on with the hook's", async () => {
  const clock = startAt(2 * DAY);
  const script = createScript(clock, () => ({}));
  const versions = new Map([
    ['a', 1],
    ['b', 1],
  ]);
  const apps = (): AppRow[] =>
    [...versions].map(([id, version], index) => ({
      app_id: index,
      client_id: id,
      url: `https://${id}.example/`,
      owner_profile_id: null,
      secret_version: version,
    }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK], apps });
  const last = (id: string): Sent | undefined =>
    script.sent.filter(({ url }) => url.startsWith(`https://${id}.`)).at(-1);
  await fire(world);
  versions.set('a', 2);
  await fire(world);
  clock.advance(DAY * 1000);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  clock.advance(DAY * 1000);
  await fire(world);
  assert.equal(accepts(last('a'), 'a'), [3], 'the hook and the app were rotated once each');
  assert.equal(accepts(last('b'), 'b'), [2]);
  assert.equal(accepts(last('receiver'), undefined), [2]);
  versions.set('a', 3);
  await fire(world);
  assert.equal(accepts(last('a'), 'a'), [3, 4]);
  assert.equal(accepts(last('b'), 'b'), [2]);
  await world.close();
});

rotation(
  "an app's file that raises its version is noted when the plan is swapped in, not at the next event",
  async () => {
    const clock = startAt(2 * DAY);
    const script = createScript(clock, () => ({}));
    const file = { clientId: 'a', hooks: ['profile-created'], secretVersion: 1 };
    const apps = (): AppRow[] => [
      {
        app_id: 1,
        client_id: 'a',
        url: 'https://a.example/',
        owner_profile_id: null,
        secret_version: file.secretVersion,
      },
    ];
    const world = await createWorld({ clock, outbound: script.outbound, hooks: [{}], apps, fileApps: () => [file] });
    await fire(world);
    assert.equal(accepts(script.sent.at(-1), 'a'), [], 'sent two days ago');
    file.secretVersion = 2;
    await world.reload([{}]);
    const [noted] = await world.table('treadle_receiver');
    assert.is(Number(noted?.rotated_at), Math.floor(clock.now() / 1000));
    assert.equal([Number(noted?.previous_version), Number(noted?.version)], [1, 2]);
    await world.reload([{}]);
    clock.advance(DAY * 1000);
    await fire(world);
    assert.is(script.sent.at(-1)?.headers?.['webhook-signature']?.split(' ').length, 1, 'a day after the swap');
    file.secretVersion = 3;
    await world.reload([{ secretVersion: 2 }]);
    clock.advance((DAY - 60) * 1000);
    await fire(world);
    assert.equal(accepts(script.sent.at(-1), 'a'), [2, 4], 'both rose at once: what was there before signs too');
    await world.close();
  },
);

rotation('a retry is signed with what is new by then', async () => {
  const clock = startAt(10);
  const script = createScript(clock, (_, index) => ({ status: index === 1 ? 500 : 200 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await fire(world);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    await world.worker().idle();
  }
  assert.is(script.sent.length, 2);
  assert.is(script.sent[1]?.headers?.['webhook-id'], script.sent[0]?.headers?.['webhook-id']);
  assert.equal(accepts(script.sent[1], undefined), [1, 2]);
  await world.close();
});

rotation('a hook under another name signs on with its secret', async () => {
  const clock = startAt(0);
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ ...HOOK, secretName: 'other' }] });
  await fire(world);
  assert.equal(accepts(script.sent[0], undefined), []);
  const verifier = new Webhook(deriveWebhookSecret(secret, 'other', undefined, 1));
  assert.ok(verifier.verify(String(script.sent[0]?.body), { ...script.sent[0]?.headers }));
  await world.close();
});

rotation.run();
