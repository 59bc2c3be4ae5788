import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { TreadleError } from '../../../src/core/errors.ts';
import { deriveWebhookSecret } from '../../../src/core/secret/webhook-secret.ts';
import { createOutbound } from '../../../src/outbound/http.ts';
import { createFakeClock } from '../../clock.ts';
import { createReceiver, createScript, createWorld, pass, secret } from './world.ts';

const delivery = suite('delivery');

const HOOK = { url: 'https://receiver.example/hook' };
const DAY = 86_400;

const toHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

delivery('the npm verifier accepts what a real receiver gets, and refuses it when it was changed', async () => {
  const receiver = await createReceiver((_, response) => response.end());
  const world = await createWorld({
    clock: systemClock,
    outbound: createOutbound({ clock: systemClock }),
    hooks: [{ url: receiver.url }],
    isDevelopment: true,
  });
  await world.act({ profile_id: 7, profile_name: 'Zoë', auth_password: 'x', access_token: 'y' });
  while (receiver.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.worker().idle();
  const [got] = receiver.received;
  const verifier = new Webhook(deriveWebhookSecret(secret, 'profile-created', undefined, 1));
  const headers = toHeaders(got?.headers ?? {});
  const payload = verifier.verify(got?.body ?? '', headers) as { type: string; timestamp: string; data: unknown };
  assert.is(payload.type, 'profile.created');
  assert.equal(payload.data, { profile_id: 7, profile_name: 'Zoë' });
  assert.match(payload.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  assert.is(got?.body, JSON.stringify(payload), 'minified');
  assert.match(headers['user-agent'] ?? '', /^Treadle\//);
  assert.match(headers['webhook-id'] ?? '', /^msg_[\w-]{20,}$/);
  assert.is(headers['webhook-sequence'], '1');
  assert.throws(() => verifier.verify(`${got?.body} `, headers));
  assert.throws(() => verifier.verify(got?.body ?? '', { ...headers, 'webhook-id': 'msg_other' }));
  const other = new Webhook(deriveWebhookSecret(secret, 'profile-created', 'client', 1));
  assert.throws(() => other.verify(got?.body ?? '', headers));
  const [row] = await world.table('treadle_delivery');
  assert.is(row?.state, 'delivered');
  await world.close();
  await receiver.close();
});

delivery('W1: 500 three times, then 200: one id, a new timestamp and signature each', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (_, index) => ({
    status: index <= 3 ? 500 : 200,
    body: 'b',
    headers: { a: '1' },
  }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  const start = clock.now();
  await world.act({ profile_id: 1 });
  await pass(world, clock, 3000);
  const at = script.sent.map((sent) => (sent.at - start) / 1000);
  assert.is(at.length, 4);
  assert.is(at[0], 0);
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  for (const [index, gap] of [5, 300, 1800].entries()) {
    const actual = gaps[index] ?? 0;
    assert.ok(actual >= gap * 0.8 - 1 && actual <= gap * 1.2 + 1, `${actual} s instead of ${gap} s`);
  }
  const heads = script.sent.map((sent) => sent.headers ?? {});
  assert.is(new Set(heads.map((head) => head['webhook-id'])).size, 1);
  assert.is(new Set(heads.map((head) => head['webhook-timestamp'])).size, 4);
  assert.is(new Set(heads.map((head) => head['webhook-signature'])).size, 4);
  assert.is(new Set(script.sent.map((sent) => sent.body)).size, 1);
  for (const [index, head] of heads.entries())
    assert.is(Number(head['webhook-timestamp']), Math.floor((script.sent[index]?.at ?? 0) / 1000));
  const attempts = await world.table('treadle_attempt');
  assert.equal(
    attempts.map((row) => [row.number, row.status]),
    [
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 200],
    ],
  );
  assert.is(attempts[0]?.response_body, 'b');
  assert.is(attempts[0]?.response_head, '{"a":"1"}');
  const [receiver] = await world.table('treadle_receiver');
  assert.is(receiver?.failing_since, null, 'a success clears it');
  await world.close();
});

delivery('ten attempts over 75 h 35 min, then it is failed; a month later the log is empty', async () => {
  const clock = createFakeClock();
  const timeout = new TreadleError('OUTBOUND_FAILED', 'No complete answer within 15 s.', { detail: 'timeout' });
  const script = createScript(clock, () => timeout);
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  const start = clock.now();
  await world.act({ profile_id: 1 });
  await pass(world, clock, 4.5 * DAY);
  assert.is(script.sent.length, 10);
  const whole = ((script.sent.at(-1)?.at ?? 0) - start) / 3_600_000;
  assert.ok(whole > 60.4 && whole < 90.8, `${whole} h`);
  const [row] = await world.table('treadle_delivery');
  assert.is(row?.state, 'failed');
  assert.is(row?.attempts, 10);
  assert.is(row?.error, 'timeout: No complete answer within 15 s.');
  assert.is((await world.table('treadle_job')).length, 0);
  await pass(world, clock, 27 * DAY, DAY);
  while ((await world.table('treadle_event')).length > 0) clock.advance(3_600_000);
  assert.is((await world.table('treadle_delivery')).length, 0);
  assert.is((await world.table('treadle_attempt')).length, 0);
  await world.close();
});

delivery('honours Retry-After, up to 24 h', async () => {
  const clock = createFakeClock();
  const waits = ['3600', '999999', 'nonsense'];
  const script = createScript(clock, (_, index) => ({
    status: 429,
    headers: { 'retry-after': waits[index - 1] ?? '' },
  }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await world.act({ profile_id: 1 });
  await pass(world, clock, 26 * 3600);
  const at = script.sent.map((sent) => sent.at / 1000);
  assert.ok((at[1] ?? 0) - (at[0] ?? 0) >= 3600 && (at[1] ?? 0) - (at[0] ?? 0) <= 3620);
  assert.ok((at[2] ?? 0) - (at[1] ?? 0) >= 86_400 && (at[2] ?? 0) - (at[1] ?? 0) <= 86_420);
  await world.close();
});

delivery('Retry-After holds all that waits for its receiver, and none of it spends an attempt on that', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (sent, index) =>
    sent.url === HOOK.url && index === 1 ? { status: 429, headers: { 'retry-after': '120' } } : {},
  );
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  const start = clock.now();
  for (let id = 1; id <= 5; id += 1) await world.act({ profile_id: id });
  await pass(world, clock, 110, 1);
  assert.is(script.sent.length, 1);
  await pass(world, clock, 30, 1);
  assert.is(script.sent.length, 6);
  assert.ok(script.sent.slice(1).every(({ at }) => at - start >= 120_000));
  const attempts = (await world.table('treadle_delivery')).map((row) => [row.state, Number(row.attempts)]);
  assert.equal(
    attempts.sort(),
    [1, 1, 1, 1, 2].map((count) => ['delivered', count]),
  );
  await world.close();
});

delivery('W3: 410 disables at once; what follows is kept; sending again by hand enables', async () => {
  const clock = createFakeClock();
  let status = 410;
  const script = createScript(clock, () => ({ status }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  const heard: unknown[] = [];
  world.context.plan.bus.on('webhook-receiver-disabled', (request) => void heard.push(request.getStage()));
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  await world.act({ profile_id: 2 });
  await pass(world, clock, 60);
  const reason = 'It answered 410 Gone.';
  assert.equal(heard, [{ hook: 'profile-created', client_id: null, url: HOOK.url, reason }]);
  assert.is(script.sent.length, 1);
  assert.equal(
    (await world.table('treadle_delivery')).map((row) => row.state),
    ['disabled', 'disabled'],
  );
  status = 204;
  const replay = await world.emit('webhook-delivery-replay', { hook: 'profile-created' });
  assert.is(replay.getResults('count'), 2);
  await world.worker().idle();
  assert.equal(
    (await world.table('treadle_delivery')).map((row) => row.state),
    ['delivered', 'delivered'],
  );
  assert.is(script.sent.at(-2)?.headers?.['webhook-id'], script.sent[0]?.headers?.['webhook-id']);
  await world.act({ profile_id: 3 });
  await world.worker().idle();
  assert.is(script.sent.length, 4);
  await world.close();
});

delivery('five days of nothing but failures disable the receiver', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({ status: 503 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  for (let day = 0; day < 6; day += 1) {
    await world.act({ profile_id: day });
    await pass(world, clock, DAY);
  }
  const [receiver] = await world.table('treadle_receiver');
  assert.ok(receiver?.disabled_at !== null);
  const count = script.sent.length;
  await world.act({ profile_id: 9 });
  await pass(world, clock, 2 * DAY);
  assert.is(script.sent.length, count);
  await world.close();
});

delivery('both secrets sign for 24 h after a version rises', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  const signatures = async (): Promise<string[]> => {
    await world.act({ profile_id: 1 });
    await world.worker().idle();
    return String(script.sent.at(-1)?.headers?.['webhook-signature']).split(' ');
  };
  assert.is((await signatures()).length, 1);
  await world.reload([{ ...HOOK, secretVersion: 2 }]);
  assert.is((await signatures()).length, 2);
  await pass(world, clock, DAY);
  const [last, ...more] = await signatures();
  assert.equal(more, []);
  assert.match(String(last), /^v1,[A-Za-z0-9+/]{43}=$/);
  await world.close();
});

delivery('a hook that is no longer defined sends nothing', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({ status: 500 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  await world.reload([]);
  // For an hour it may belong to a newer plan, which another process of a rolling deploy has.
  await pass(world, clock, 60);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'pending');
  await pass(world, clock, 3600);
  assert.is(script.sent.length, 1);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'failed');
  assert.is((await world.table('treadle_job')).length, 0);
  await world.close();
});

delivery('what an older plan does not know waits for a newer one', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (_, index) => ({ status: index === 1 ? 500 : 200 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await world.act({ profile_id: 1 });
  await world.worker().idle();
  for (const older of [[], [{}]]) {
    await world.reload(older);
    await pass(world, clock, 60);
    assert.is(script.sent.length, 1);
  }
  await world.reload([HOOK]);
  await pass(world, clock, 60);
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  await world.close();
});

delivery('the log is searched, and one delivery shows its attempts', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, (sent) => ({ status: String(sent.body).includes('bad') ? 500 : 200 }));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await world.act({ name: 'good' });
  await world.act({ name: 'bad' });
  await world.worker().idle();
  const rows = (await world.emit('webhook-delivery-search', { hook: 'profile-created' })).getResults('rows') as Record<
    string,
    unknown
  >[];
  assert.equal(
    rows.map((row) => row.state),
    ['pending', 'delivered'],
  );
  assert.is(rows[0]?.type, 'profile.created');
  const one = await world.emit('webhook-delivery-search', { delivery_id: rows[0]?.delivery_id });
  assert.is(one.getResults('rows', 0, 'attempt', 0, 'status'), 500);
  assert.is((await world.emit('webhook-delivery-replay', { delivery_id: 99 })).getStatus(), 404);
  assert.is((await world.emit('webhook-delivery-replay', {})).getStatus(), 422);
  await world.close();
});

delivery.run();
