import { type CloudEvent, HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { deriveWebhookSecret } from '../../../src/core/secret/webhook-secret.ts';
import { HOOK_FORMATS, type HookFormat } from '../../../src/model/shape.ts';
import { createOutbound } from '../../../src/outbound/http.ts';
import { createFakeClock } from '../../clock.ts';
import { createReceiver, createScript, createWorld, pass, type Received, secret, type World } from './world.ts';

const formats = suite('webhook/cloudevents');

const CLOUD_FORMATS = HOOK_FORMATS.filter((format) => format !== 'standard');
const SITE = 'https://blog.example';
const URL_ = 'https://receiver.example/hook';

/** Reads an event of a format, strictly by the specification. */
function readByHand(format: HookFormat, { headers, body }: Received): Record<string, unknown> {
  if (format === 'cloudevents-structured') {
    assert.is(headers['content-type'], 'application/cloudevents+json; charset=utf-8');
    return JSON.parse(body);
  }
  assert.is(headers['content-type'], 'application/json');
  assert.is(headers['ce-datacontenttype'], undefined);
  const own = Object.entries(headers).filter(([name]) => name.startsWith('ce-'));
  const attributes = own.map(([name, value]) => [name.slice(3), decodeURIComponent(String(value))]);
  return { ...Object.fromEntries(attributes), datacontenttype: headers['content-type'], data: JSON.parse(body) };
}

/** Checks a delivery against both standards; returns the event. */
function readEvent(format: HookFormat, got: Received, clientId?: string): Record<string, unknown> {
  const headers = Object.fromEntries(Object.entries(got.headers).map(([name, value]) => [name, String(value)]));
  new Webhook(deriveWebhookSecret(secret, 'profile-created', clientId, 1)).verify(got.body, headers);
  const event = readByHand(format, got);
  assert.is(event.specversion, '1.0');
  assert.is(event.id, headers['webhook-id']);
  assert.is(event.type, 'profile.created');
  assert.is(event.datacontenttype, 'application/json');
  assert.is(Number(event.sequence), Number(headers['webhook-sequence']));
  assert.match(String(event.sequence), /^\d{16}$/);
  assert.match(String(event.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  const seen = HTTP.toEvent({ headers: got.headers, body: got.body }) as CloudEvent<unknown>;
  assert.ok(seen.validate());
  for (const name of ['id', 'source', 'type', 'time', 'sequence', 'datacontenttype'])
    assert.is(seen[name], event[name], name);
  assert.equal(seen.data, event.data);
  return event;
}

/** Runs the worker until this many are delivered, for at most a minute. */
async function settle(world: World, count: number): Promise<void> {
  const end = systemClock.now() + 60_000;
  const isDone = async (): Promise<boolean> =>
    (await world.table('treadle_delivery')).filter(({ state }) => state === 'delivered').length === count;
  while (!(await isDone())) {
    assert.ok(systemClock.now() < end, 'not all was delivered within a minute');
    await world.worker().idle();
  }
}

for (const format of CLOUD_FORMATS)
  formats(`${format}: the SDK and the verifier of Standard Webhooks take what every receiver gets`, async () => {
    const [own, app] = await Promise.all([
      createReceiver((_, response) => response.end()),
      createReceiver((_, response) => response.end()),
    ]);
    const clock = systemClock;
    const world = await createWorld({
      clock,
      outbound: createOutbound({ clock }),
      hooks: [{ url: own.url, format }],
      apps: () => [{ app_id: 1, client_id: 'reader', url: app.url, owner_profile_id: null }],
      isDevelopment: true,
    });
    const rows: unknown[] = [
      { profile_id: 1, profile_name: 'Zo\u00eb "\u{1f600}" %41\r\n', auth_password: 'x' },
      { profile_id: 2, profile_note: null, profile_list: [1, { a: [] }] },
      [{ profile_id: 3 }, { profile_id: 4 }],
      { profile_id: 5, profile_big: '\u20ac'.repeat(90_000), profile_small: 'x' },
    ];
    const wanted: unknown[] = [
      { profile_id: 1, profile_name: 'Zo\u00eb "\u{1f600}" %41\r\n' },
      rows[1],
      rows[2],
      { profile_id: 5, profile_small: 'x', omitted: ['profile_big'] },
    ];
    for (const row of rows) await world.act(row);
    await settle(world, 2 * rows.length);
    const sources: string[] = [];
    for (const [{ received }, client] of [
      [own, undefined],
      [app, 'reader'],
    ] as const) {
      const events = received.map((got) => readEvent(format, got, client));
      events.sort((a, b) => (String(a.sequence) < String(b.sequence) ? -1 : 1));
      assert.equal(
        events.map(({ data }) => data),
        wanted,
      );
      for (const { source } of events) assert.is(source, SITE);
      sources.push(...events.map(({ source, id }) => `${source} ${id}`));
      for (const { body } of received) assert.ok(Buffer.byteLength(body) < 2 ** 18 + 1024);
    }
    assert.is(new Set(sources).size, rows.length, 'source and id name one event');
    await world.close();
    await Promise.all([own.close(), app.close()]);
  });

formats('what was recorded keeps its format and source at every attempt and when it is sent again', async () => {
  const clock = createFakeClock();
  const site = { url: `${SITE}/` };
  const script = createScript(clock, () => ({ status: 500 }));
  const world = await createWorld({
    clock,
    outbound: script.outbound,
    hooks: [{ url: URL_, format: 'cloudevents-structured' }],
    baseUrl: () => site.url,
  });
  await world.act({ profile_id: 1 });
  await pass(world, clock, 1);
  site.url = 'https://moved.example';
  for (const format of ['cloudevents-binary', 'standard'] as const) {
    await world.reload([{ url: URL_, format }]);
    await pass(world, clock, 3000);
    await world.emit('webhook-delivery-replay', { delivery_id: 1 });
    await pass(world, clock, 10);
  }
  assert.ok(script.sent.length >= 4, `${script.sent.length} attempts`);
  const bodies = new Set(script.sent.map(({ body }) => body));
  assert.is(bodies.size, 1);
  assert.is(JSON.parse(String(script.sent[0]?.body)).source, SITE, 'as it was, without a final slash');
  for (const { headers } of script.sent) {
    assert.is(headers?.['content-type'], 'application/cloudevents+json; charset=utf-8');
    assert.is(headers?.['ce-id'], undefined);
  }
  const detail = (await world.emit('webhook-delivery-detail', { delivery_id: 1 })).getResults() as Record<
    string,
    unknown
  >;
  assert.is(detail.payload, script.sent[0]?.body);
  assert.is(detail.format, 'cloudevents-structured');
  assert.not.ok('data' in detail || 'source' in detail);
  await world.act({ profile_id: 2 });
  await pass(world, clock, 1);
  assert.match(String(script.sent.at(-1)?.body), /^\{"type":/, 'a later event has the format of its time');
  const events = await world.table('treadle_event');
  assert.equal(
    events.map(({ format, source }) => [format, source]),
    [
      ['cloudevents-structured', SITE],
      [null, null],
    ],
  );
  await world.close();
});

formats('trial events and inline deliveries have the format, too', async () => {
  for (const format of HOOK_FORMATS) {
    const clock = createFakeClock();
    const script = createScript(clock, () => ({}));
    const hooks = [{ url: URL_, format, delivery: 'inline' as const }];
    const world = await createWorld({
      clock,
      outbound: script.outbound,
      hooks,
      baseUrl: () => 'https://b\u00fccher.example/\u00e4',
    });
    await world.act({ profile_id: 1 });
    assert.is(script.sent.length, 1, 'before the action ended');
    await world.emit('webhook-test', { hook: 'profile-created', data: { profile_id: 2 } });
    await world.worker().idle();
    assert.is(script.sent.length, 2);
    for (const [index, { headers = {}, body = '' }] of script.sent.entries()) {
      const data = { profile_id: index + 1 };
      if (format === 'standard') {
        assert.equal(JSON.parse(String(body)).data, data);
        continue;
      }
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const event = readByHand(format, { headers: lower, body: String(body) });
      assert.equal(event.data, data);
      assert.is(event.source, 'https://xn--bcher-kva.example/%C3%A4', 'a URI has ASCII alone');
    }
    await world.close();
  }
});

formats.run();
