import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DELAYS } from '../../../src/feature/webhook/delivery/deliver.ts';
import { createFakeClock } from '../../clock.ts';
import { createScript, createWorld, pass } from './world.ts';

const outage = suite('webhook/receiver outage');

const DAY = 86_400;
const LIVE = 'https://live.example/hook';
const APP = 'https://app.example/hook';

async function createSite() {
  const clock = createFakeClock();
  const start = clock.now();
  const state = { isAppUp: false };
  const script = createScript(clock, ({ url }) => ({ status: url === LIVE || state.isAppUp ? 204 : 503 }));
  const apps = () => [{ app_id: 1, client_id: 'c1', url: APP, owner_profile_id: null }];
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ url: LIVE }], apps });
  const to = (url: string) =>
    script.sent
      .filter((sent) => sent.url === url)
      .map((sent) => ({ at: (sent.at - start) / 1000, id: String(sent.headers?.['webhook-id']) }));
  const receiver = async () => (await world.table('treadle_receiver')).find((row) => row.url === APP);
  const figures = async () => (await world.emit('webhook-figures', {})).getResults() as Record<string, number>;
  return { clock, world, state, to, receiver, figures };
}

/** Attempts of each event, in seconds since its first one. */
function toTries(sent: readonly { at: number; id: string }[]): number[][] {
  const byId = new Map<string, number[]>();
  for (const { at, id } of sent) byId.set(id, [...(byId.get(id) ?? []), at]);
  return [...byId.values()].map((times) => times.map((at) => at - (times[0] ?? 0)));
}

/** Nine days with an app that is down: one event per day. */
async function runNineDays(site: Awaited<ReturnType<typeof createSite>>): Promise<void> {
  for (let day = 0; day < 9; day += 1) {
    await site.world.act({ profile_id: day });
    await pass(site.world, site.clock, DAY);
  }
}

outage('lasts a month: ten attempts, disabled after five days, enabled, caught up, forgotten', async () => {
  const site = await createSite();
  const { world, clock, state, to, receiver, figures } = site;
  await runNineDays(site);
  assert.is(to(LIVE).length, 9, 'the live one was called once an event');
  assert.is(new Set(to(LIVE).map(({ id }) => id)).size, 9);
  const [first = []] = toTries(to(APP));
  assert.is(first.length, 10);
  for (const [index, delay] of DELAYS.entries()) {
    const gap = (first[index + 1] ?? 0) - (first[index] ?? 0);
    assert.ok(gap >= delay * 0.8 - 1 && gap <= delay * 1.2 + 1, `attempt ${index + 2} after ${gap} s, not ${delay} s`);
  }
  const disabled = await receiver();
  const since = Number(disabled?.disabled_at) - Number(disabled?.failing_since);
  assert.ok(since >= 5 * DAY && since < 6.2 * DAY, `disabled after ${since} s`);
  const count = to(APP).length;
  const told = await figures();
  assert.equal([told.receivers_disabled, told.receivers_failing, told.depth, told.waiting], [1, 0, 0, 0]);

  state.isAppUp = true;
  await world.act({ profile_id: 9 });
  await pass(world, clock, DAY);
  assert.is(to(APP).length, count, 'a disabled one is not called');
  const enabled = await world.emit('webhook-delivery-replay', { hook: 'profile-created' });
  assert.is(enabled.getResults('count'), 10, 'all that it missed');
  await pass(world, clock, 60);
  assert.is(
    new Set(
      to(APP)
        .slice(count)
        .map(({ id }) => id),
    ).size,
    10,
  );
  const ids = (sent: readonly { id: string }[]) => [...new Set(sent.map(({ id }) => id))].sort();
  assert.equal(ids(to(APP)), ids(to(LIVE)), 'by the ids that the live one had');
  assert.is((await receiver())?.failing_since, null);
  const { attempts_hour, failures_hour, oldest_seconds } = await figures();
  assert.equal([attempts_hour, failures_hour, oldest_seconds], [10, 0, 0]);

  await pass(world, clock, 31 * DAY);
  for (let hour = 0; hour < 2000 && (await world.table('treadle_event')).length > 0; hour += 1) {
    clock.advance(3_600_000);
    await world.database.write(async () => {});
  }
  for (const table of ['treadle_event', 'treadle_delivery', 'treadle_attempt', 'treadle_job'])
    assert.equal(await world.table(table), [], table);
  await world.close();
});

outage('is the same again for the same seed', async () => {
  const times: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const site = await createSite();
    await site.world.act({ profile_id: 1 });
    await pass(site.world, site.clock, 5 * DAY);
    times.push(JSON.stringify(site.to(APP).map(({ at }) => at)));
    await site.world.close();
  }
  assert.is(times[0], times[1]);
  assert.is(JSON.parse(String(times[0])).length, 10);
});

outage('tells what waits, what is under way and how old the oldest is', async () => {
  const site = await createSite();
  await site.world.act({ profile_id: 1 });
  await pass(site.world, site.clock, 100);
  const { depth, waiting, under_way, oldest_seconds, failures_hour, receivers_failing } = await site.figures();
  assert.equal([depth, waiting, under_way, receivers_failing], [1, 0, 0, 1]);
  assert.ok(Math.abs(Number(oldest_seconds) - 100) <= 1, `${oldest_seconds}`);
  assert.is(failures_hour, 2);
  await site.world.worker().stop();
  site.clock.advance(3_600_000);
  const later = await site.figures();
  assert.is(later.waiting, 1);
  assert.ok(Number(later.wait_seconds) > 3000);
  await site.world.close();
});

outage.run();
