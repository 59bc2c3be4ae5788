import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { webhook } from '../../../src/feature/webhook/index.ts';
import { createOutbound } from '../../../src/outbound/http.ts';
import { createFakeClock } from '../../clock.ts';
import { passUntil } from '../../queue/world.ts';
import { createReceiver, createScript, createWorld, toFacts } from './world.ts';

const capture = suite('capture');

const HOOK = { url: 'https://receiver.example/hook' };

capture('an event row commits with the data; a failed action fires nothing', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  for (let turn = 0; turn < 20; turn += 1) await world.act({ profile_id: turn }, undefined, true).catch(() => {});
  await world.worker().idle();
  assert.is((await world.table('treadle_event')).length, 0);
  assert.is((await world.table('treadle_job')).length, 0);
  assert.is(script.sent.length, 0);
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  assert.is(script.sent.length, 1);
  await world.close();
});

capture('matches the stage by every parameter, deep, and texts as numbers', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const parameters = { schema: 'profile', filter: { a: 1, list: ['x'] } };
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ ...HOOK, parameters }] });
  const stages: [Record<string, unknown>, boolean][] = [
    [{ schema: 'profile', filter: { a: '1', list: ['x'], more: 2 } }, true],
    [{ schema: 'article', filter: { a: 1, list: ['x'] } }, false],
    [{ schema: 'profile', filter: { a: 2, list: ['x'] } }, false],
    [{ schema: 'profile', filter: { a: 1, list: ['x', 'y'] } }, false],
    [{ schema: 'profile' }, false],
    [{}, false],
  ];
  for (const [stage, isFired] of stages) {
    const before = (await world.table('treadle_event')).length;
    await world.act({}, stage);
    assert.is((await world.table('treadle_event')).length - before, isFired ? 1 : 0, JSON.stringify(stage));
  }
  await world.close();
});

capture('sends to the hook and to each app once; the audience user reaches the owner only', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const app = (id: number, owner: number | null) => ({
    app_id: id,
    client_id: `c${id}`,
    url: `https://app${id}.example/`,
    owner_profile_id: owner,
  });
  const apps = () => [app(1, 10), app(2, 20), app(3, null)];
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK], apps });
  await world.act({ profile_id: 10 });
  await world.worker().idle();
  assert.equal(script.sent.map((sent) => sent.url).sort(), [
    'https://app1.example/',
    'https://app2.example/',
    'https://app3.example/',
    'https://receiver.example/hook',
  ]);
  const [event] = await world.table('treadle_event');
  // The job that fanOuts the event is handed out a second time, as after a kill.
  const job = { queue: 'webhook', kind: 'event', payload: event?.event_id, lane: 'event', due_at: 0 };
  await world.database.kysely.insertInto('treadle_job').values(job).execute();
  world.worker().wake();
  await world.worker().idle();
  assert.is(script.sent.length, 4, 'one delivery an event and receiver');
  await world.reload([{ ...HOOK, audience: 'user' }]);
  await world.act({ profile_id: 20 });
  await world.worker().idle();
  assert.equal(
    script.sent
      .slice(4)
      .map((sent) => sent.url)
      .sort(),
    ['https://app2.example/', 'https://receiver.example/hook'],
  );
  await world.close();
});

capture('fanOuts one event to hundreds of apps, and stops trying one that was suspended', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (sent) => ({ status: sent.url.includes('app0.') ? 500 : 200 }));
  let apps = Array.from({ length: 250 }, (_, index) => ({
    app_id: index,
    client_id: `c${index}`,
    url: `https://app${index}.example/`,
    owner_profile_id: null,
  }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{}], apps: () => apps });
  await world.act({ profile_id: 10 });
  await world.worker().idle();
  assert.is(new Set(script.sent.map((sent) => sent.url)).size, 250);
  apps = apps.slice(1);
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    await world.worker().idle();
  }
  assert.is(script.sent.length, 250);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'failed');
  await world.close();
});

capture('W8: a receiver that hangs adds nothing to a queued action', async () => {
  const receiver = await createReceiver(() => {});
  const outbound = createOutbound({ clock: systemClock });
  const clock = createFakeClock();
  const world = await createWorld({ clock, outbound, hooks: [{ url: receiver.url }], isDevelopment: true });
  // It would never end if it waited: nothing else moves the clock.
  await world.act({ profile_id: 1 });
  assert.is((await world.table('treadle_job')).length, 1, 'it is queued');
  assert.is((await world.table('treadle_delivery')).length, 0);
  while (receiver.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await passUntil({ clock, database: world.database }, world.worker().stop(), 3000);
  await world.close();
  await receiver.close();
});

capture('inline delivers before the action answers', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ ...HOOK, delivery: 'inline' }] });
  await world.act({ profile_id: 1 });
  assert.is(script.sent.length, 1);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  assert.is((await world.table('treadle_job')).length, 0);
  await world.close();
});

capture('inline slows the action up to the time-out and never fails it; the rest goes on in the queue', async () => {
  const receiver = await createReceiver((_, response) => {
    if (receiver.received.length > 1) response.end();
    else clock.advance(15_000);
  });
  const clock = createFakeClock();
  const outbound = createOutbound({ clock });
  const hooks = [{ url: receiver.url, delivery: 'inline' as const }];
  const world = await createWorld({ clock, outbound, hooks, isDevelopment: true });
  const start = clock.now();
  const response = await world.act({ profile_id: 1 });
  assert.not.ok(response.isError());
  assert.is(clock.now() - start, 15_000);
  assert.is(receiver.received.length, 1);
  assert.is((await world.table('treadle_attempt'))[0]?.error, 'timeout: No complete answer within 15 s.');
  for (let second = 0; second < 10; second += 1) {
    await world.worker().idle();
    clock.advance(1000);
  }
  await world.worker().idle();
  assert.is(receiver.received.length, 2);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  await world.close();
  await receiver.close();
});

capture('inline that a crash cut short is taken up by the queue', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ ...HOOK, delivery: 'inline' }] });
  await world.act({ profile_id: 1 });
  const [event] = await world.table('treadle_event');
  await world.database.kysely.deleteFrom('treadle_delivery').execute();
  const job = {
    queue: 'webhook',
    kind: 'event',
    payload: event?.event_id,
    lane: 'event',
    due_at: Math.floor(clock.now() / 1000) + 25,
  };
  await world.database.kysely.insertInto('treadle_job').values(job).execute();
  for (let second = 0; second < 30; second += 1) {
    await world.worker().idle();
    clock.advance(1000);
  }
  await world.worker().idle();
  assert.is(script.sent.length, 2);
  await world.close();
});

capture('webhook-test fires trial data; webhook-call calls once', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (_, index) => ({ status: index === 2 ? 500 : 200, body: 'ok' }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  const trial = await world.emit('webhook-test', { hook: 'profile-created' });
  await world.worker().idle();
  assert.is(script.sent[0]?.headers?.['webhook-id'], trial.getResults('event_id'));
  assert.match(String(script.sent[0]?.body), /"data":\{"test":true\}\}$/);
  assert.is((await world.emit('webhook-test', { hook: 'none' })).getStatus(), 404);
  const stage = { url: 'https://x.example/', action: 'a', method: 'post', results: { b: 1 } };
  const failed = await world.emit('webhook-call', stage);
  assert.ok(failed.isError());
  assert.is(failed.getResults('status'), 500);
  const called = await world.emit('webhook-call', stage);
  assert.not.ok(called.isError());
  assert.is(called.getResults('body'), 'ok');
  assert.is(script.sent[2]?.body, '{"action":"a","data":{"b":1}}');
  await world.emit('webhook-call', { ...stage, method: 'get' });
  assert.is(script.sent[3]?.url, 'https://x.example/?action=a&data=%7B%22b%22%3A1%7D');
  await world.close();
});

capture('webhook-call passes the address guard', async () => {
  const clock = createFakeClock();
  const world = await createWorld({ clock, outbound: createOutbound({ clock }), hooks: [] });
  const refused = await world.emit('webhook-call', { url: 'http://169.254.169.254/', method: 'get' });
  assert.ok(refused.isError());
  assert.is(refused.getStatus(), 422);
  await world.close();
});

capture('a malformed URL is a problem, a private one an advice, and dev may call loopback', () => {
  const codes = (url: string, isDevelopment = false) =>
    (webhook.contribute(toFacts({ hooks: [{ url }], isDevelopment })).problems ?? []).map(({ code, severity }) => [
      code,
      severity,
    ]);
  assert.equal(codes('https://example.org/hook'), []);
  assert.equal(codes('ftp://example.org/'), [['WEBHOOK_URL_INVALID', undefined]]);
  assert.equal(codes('https://u:p@example.org/'), [['WEBHOOK_URL_INVALID', undefined]]);
  assert.equal(codes('http://127.0.0.1:9000/'), [['WEBHOOK_ADDRESS_REFUSED', 'advice']]);
  assert.equal(codes('http://127.0.0.1:9000/', true), []);
  // The app of a definition file, too.
  const { model, ...facts } = toFacts({ hooks: [] });
  const apps = new Map([['reader', { definition: { clientId: 'r', webhook: 'http://192.168.1.1/x' } }]]);
  const { problems = [] } = webhook.contribute({ ...facts, model: { ...model, apps } as unknown as typeof model });
  assert.equal(
    problems.map(({ code, file, path }) => [code, file, path]),
    [['WEBHOOK_ADDRESS_REFUSED', 'config/app/reader.json', 'webhook']],
  );
});

capture('app.webhook validates the same shape, and each hook needs its own name', () => {
  const codes = (...hooks: Parameters<typeof toFacts>[0]['hooks'][number][]) =>
    (webhook.contribute(toFacts({ hooks })).problems ?? []).map(({ code, path }) => `${code} ${path}`);
  assert.equal(codes({ type: 'nodots' }), ['WEBHOOK_HANDWRITTEN_INVALID type']);
  assert.equal(codes({ delivery: 'soon' as 'inline' }), ['WEBHOOK_HANDWRITTEN_INVALID delivery']);
  assert.equal(codes({}, { type: 'profile.born' }), ['WEBHOOK_NAME_TWICE ']);
  assert.equal(codes({ filter: { amount: { between: [] } } }), ['WEBHOOK_FILTER_INVALID filter.amount.between']);
});

capture.run();
