import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import { deriveWebhookSecret } from '../../../src/core/secret/webhook-secret.ts';
import { createOutbound } from '../../../src/outbound/http.ts';
import { createFakeClock } from '../../clock.ts';
import { createReceiver, createScript, createWorld, secret, type World } from './world.ts';

/** The requirements that a delivery can show; schedule, fairness and TLS have their own files. */
const conformance = suite('webhook/conformance');

type Receiver = Awaited<ReturnType<typeof createReceiver>>;

async function inWorld(
  options: { readonly clock: Clock; readonly receiver: Receiver },
  fn: (world: World) => Promise<void>,
): Promise<void> {
  const { clock, receiver } = options;
  const outbound = createOutbound({ clock });
  const world = await createWorld({ clock, outbound, hooks: [{ url: receiver.url }], isDevelopment: true });
  try {
    await fn(world);
  } finally {
    await world.close();
    await receiver.close();
  }
}

/** The only delivery's last attempt. */
async function toAttempt(world: World): Promise<Record<string, unknown>> {
  for (;;) {
    await world.worker().idle();
    const attempt = (await world.table('treadle_attempt')).at(-1);
    if (attempt) return attempt;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

conformance('W2: a redirect is a failure, and its target is never contacted', async () => {
  const target = await createReceiver((_, response) => response.end());
  const receiver = await createReceiver((_, response) => response.writeHead(302, { location: target.url }).end());
  await inWorld({ clock: systemClock, receiver }, async (world) => {
    await world.act({ profile_id: 1 });
    const attempt = await toAttempt(world);
    assert.is(Number(attempt.status), 302);
    assert.is((await world.table('treadle_delivery'))[0]?.state, 'pending');
    assert.is(target.received.length, 0);
  });
  await target.close();
});

conformance('W3: 410 disables the receiver after one attempt; only 2xx counts as received', async () => {
  for (const [status, state] of [
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [300, 'pending'],
    [304, 'pending'],
    [400, 'pending'],
    [410, 'disabled'],
    [503, 'pending'],
  ] as const) {
    const receiver = await createReceiver((_, response) => response.writeHead(status).end());
    await inWorld({ clock: systemClock, receiver }, async (world) => {
      await world.act({ profile_id: 1 });
      await toAttempt(world);
      assert.is((await world.table('treadle_delivery'))[0]?.state, state, String(status));
      assert.is((await world.table('treadle_receiver'))[0]?.disabled_at === null, status !== 410);
    });
  }
});

conformance('W4: a receiver that sends a byte a second is cut at 15 s', async () => {
  const clock = createFakeClock();
  const receiver = await createReceiver((_, response) => {
    response.writeHead(200);
    const drip = (left: number): void => {
      response.write('a', () => {
        clock.advance(1000);
        if (left > 0) setImmediate(() => drip(left - 1));
      });
    };
    drip(20);
  });
  await inWorld({ clock, receiver }, async (world) => {
    await world.act({ profile_id: 1 });
    const attempt = await toAttempt(world);
    assert.is(attempt.error, 'timeout: No complete answer within 15 s.');
    assert.is(Number(attempt.milliseconds), 15_000);
  });
});

conformance('W5: of an endless answer 20 kB are read and kept, then the connection is closed', async () => {
  let isClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  const seen = { written: 0 };
  const chunk = Buffer.alloc(65_536, 'a');
  const receiver = await createReceiver((_, response) => {
    response.on('close', isClosed).writeHead(200, { 'content-length': String(2 ** 30) });
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) seen.written += chunk.length;
    };
    response.on('drain', more);
    more();
  });
  await inWorld({ clock: systemClock, receiver }, async (world) => {
    await world.act({ profile_id: 1 });
    const attempt = await toAttempt(world);
    await closed;
    assert.is(String(attempt.response_body).length, 20_000);
    assert.ok(seen.written < 2 ** 26, `${seen.written} bytes were taken`);
    assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  });
});

conformance('an answer that is not text is logged, and settles the delivery on either database', async () => {
  const receiver = await createReceiver((_, response) => response.end(Buffer.from([0x00, 0x61, 0xff, 0x00, 0xed])));
  await inWorld({ clock: systemClock, receiver }, async (world) => {
    await world.act({ profile_id: 1 });
    const attempt = await toAttempt(world);
    assert.is(attempt.response_body, '\ufffda\ufffd\ufffd');
    assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  });
});

conformance('W10: no table and no log line holds a signing secret', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({
    status: 410,
    body: 'gone',
    headers: { 'set-cookie': 'session=hidden' },
  }));
  const lines: string[] = [];
  const note = (event: string, fields?: object): void => void lines.push(JSON.stringify({ event, ...fields }));
  const log = { debug: note, info: note, warn: note, error: note };
  const hooks = [{ url: 'https://receiver.example/hook?key=own-secret' }];
  const world = await createWorld({ clock, outbound: script.outbound, hooks, log });
  await world.act({ profile_id: 1, auth_password: 'pass-word', nested: { client_secret: 'tk_cs_x' } });
  await world.worker().idle();
  const tables = ['treadle_event', 'treadle_delivery', 'treadle_attempt', 'treadle_receiver'];
  const rows = JSON.stringify(await Promise.all(tables.map((name) => world.table(name))));
  const whsec = deriveWebhookSecret(secret, 'profile-created', undefined, 1);
  for (const hidden of [whsec, whsec.slice(6), 'pass-word', 'tk_cs_x', 'session=hidden']) {
    assert.not.ok(rows.includes(hidden), hidden);
    assert.not.ok(lines.join('\n').includes(hidden), hidden);
  }
  assert.ok(lines.some((line) => line.includes('webhook.receiver.disabled')));
  assert.not.ok(lines.join('\n').includes('own-secret'), "a receiver's own secret in its URL is not logged");
  await world.close();
});

conformance('W11: 1,000 writes that are rolled back send nothing', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ url: 'https://receiver.example/' }] });
  for (let turn = 0; turn < 1000; turn += 1) await world.act({ profile_id: turn }, undefined, true).catch(() => {});
  await world.act({ profile_id: 7 });
  await world.worker().idle();
  clock.advance(60_000);
  await world.worker().idle();
  assert.is(script.sent.length, 1);
  assert.is((await world.table('treadle_event')).length, 1);
  await world.close();
});

conformance('results that cannot be printed do not fail the action', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [{ url: 'https://receiver.example/' }] });
  const circle: Record<string, unknown> = { profile_id: 1 };
  circle.self = circle;
  assert.not.ok((await world.act(circle)).isError());
  await world.worker().idle();
  assert.is(script.sent.length, 0);
  await world.close();
});

conformance.run();
