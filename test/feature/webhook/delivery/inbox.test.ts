import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Meta } from '../../../../src/core/bus/followers.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { packageRoot } from '../../../../src/core/file/package-root.ts';
import { Request } from '../../../../src/core/request/request.ts';
import { Response } from '../../../../src/core/request/response.ts';
import { deriveWebhookSecret } from '../../../../src/core/secret/webhook-secret.ts';
import { parsePairs } from '../../../../src/core/text/pairs.ts';
import { webhook } from '../../../../src/feature/webhook/index.ts';
import { createViews } from '../../../../src/pages/view.ts';
import { createScript, createWorld, secret, toFacts, type World } from '../world.ts';

const INBOX = '/developer/webhooks/inbox';
const LOCAL = { REMOTE_ADDR: '127.0.0.1', host: 'localhost:3000' };

/** Requests the route as the runtime does, without sessions and views. */
async function ask(
  world: World,
  method: 'GET' | 'POST',
  server: Record<string, string>,
  query = '',
): Promise<Response> {
  const services = {
    ...world.context.services,
    sessions: { formToken: () => 'token' },
    views: createViews({ folder: `${packageRoot}/templates`, clock: systemClock }),
    baseUrl: () => 'https://blog.example',
  };
  const context = { ...world.context, services } as unknown as World['context'];
  const { routes = [] } = webhook.contribute({ ...world.context.plan, isDevelopment: true });
  const route = routes.find((each) => each.path === INBOX && each.method === method);
  const request = new Request({
    method,
    path: INBOX,
    query,
    get: () => parsePairs(query),
    post: () => ({ action: 'test', hook: 'profile-created' }),
    server: () => server,
    session: () => ({}),
  });
  const response = new Response(request);
  await route?.listen(context)(request, response, {} as Meta);
  return response;
}

const inbox = suite('the inbox of web hooks');

inbox('exists in development only', () => {
  const list = (isDevelopment: boolean): number =>
    (webhook.contribute(toFacts({ hooks: [], isDevelopment })).routes ?? []).filter(({ path }) => path === INBOX)
      .length;
  assert.is(list(false), 0);
  assert.is(list(true), 2);
});

inbox('shows what would be sent where nobody receives it, with a signature that verifies', async () => {
  const clock = systemClock;
  const world = await createWorld({ clock, outbound: createScript(clock, () => ({})).outbound, hooks: [{}] });
  assert.match(String((await ask(world, 'GET', LOCAL)).getContent()), 'Nothing happened yet');
  await world.act({ profile_id: 1, profile_name: '<script>alert(1)</script>' });
  await world.worker().idle();
  const text = String((await ask(world, 'GET', LOCAL)).getContent());
  assert.match(text, 'Nobody receives it');
  assert.not.match(text, '<script>alert');
  const [event] = await world.table('treadle_event');
  const plain = text.replaceAll('&#x3D;', '=').replaceAll('&quot;', '"').replaceAll('&#x27;', "'");
  const head = (name: string): string => new RegExp(`^.*?${name}: ([^<\n]*)`, 'm').exec(plain)?.[1] ?? '';
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, head(name)]),
  );
  const stamp = new Date(Number(event?.created_at) * 1000).toISOString();
  const body = `{"type":"profile.created","timestamp":"${stamp}","data":${event?.data}}`;
  new Webhook(deriveWebhookSecret(secret, 'profile-created', undefined, 1)).verify(body, headers);
  const part = await ask(world, 'GET', LOCAL, 'part=list');
  assert.match(String(part.getContent()), '"list":"');
  await world.close();
});

inbox('is shown on this machine alone, by a name of this machine', async () => {
  const clock = systemClock;
  const world = await createWorld({ clock, outbound: createScript(clock, () => ({})).outbound, hooks: [{}] });
  const table: [string, string, number][] = [
    ['127.0.0.1', '127.0.0.1:3000', 200],
    ['::1', '[::1]:3000', 200],
    ['::ffff:127.0.0.1', 'blog.localhost', 200],
    ['192.0.2.1', 'localhost:3000', 403],
    ['127.0.0.1', 'evil.example', 403],
    ['127.0.0.1', '127.0.0.1.evil.example:3000', 403],
    ['127.0.0.1', '', 403],
    ['', 'localhost', 403],
  ];
  const tunnel = { ...LOCAL, 'x-forwarded-for': '192.0.2.1' };
  assert.is((await ask(world, 'GET', tunnel)).getStatus(), 403, 'a tunnel that ends here brings strangers');
  assert.is(
    (await ask(world, 'GET', { ...LOCAL, host: 'blog.example' })).getStatus(),
    403,
    'nor is the public address ours',
  );
  for (const [address, host, status] of table) {
    const server = { REMOTE_ADDR: address, host: host };
    assert.is((await ask(world, 'GET', server)).getStatus(), status, `${address} ${host}`);
    if (status === 403) assert.is((await ask(world, 'POST', server)).getStatus(), 403);
  }
  assert.is((await world.table('treadle_event')).length, 0);
  assert.is((await ask(world, 'POST', LOCAL)).getStatus(), 303);
  assert.is((await world.table('treadle_event')).length, 1);
  await world.close();
});

inbox(
  'tells of each receiver its own headers, and the command that prints the secret they are signed with',
  async () => {
    const clock = systemClock;
    const world = await createWorld({
      clock,
      outbound: createScript(clock, () => ({})).outbound,
      hooks: [{ url: 'https://own.example/' }],
      apps: () => [{ app_id: 1, client_id: 'reader', url: 'https://app.example/', owner_profile_id: null }],
    });
    await world.act({ profile_id: 1 });
    await world.worker().idle();
    const text = String((await ask(world, 'GET', LOCAL)).getContent()).replaceAll('&#x3D;', '=');
    const [event] = await world.table('treadle_event');
    const body = `{"type":"profile.created","timestamp":"${new Date(Number(event?.created_at) * 1000).toISOString()}","data":${event?.data}}`;
    for (const [url, app, command] of [
      [
        'https://own.example/',
        undefined,
        'npx treadle webhook secret profile-created</code> (for https://own.example/)',
      ],
      ['https://app.example/', 'reader', 'npx treadle webhook secret profile-created --app reader</code>'],
    ] as const) {
      assert.match(text, command);
      const [, part = ''] = text.split(`Headers to ${url}`);
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
          name,
          new RegExp(`${name}: ([^<\n]*)`).exec(part)?.[1] ?? '',
        ]),
      );
      new Webhook(deriveWebhookSecret(secret, 'profile-created', app, 1)).verify(body, headers);
    }
    await world.close();
  },
);

inbox('shows an event in its format, with a signature that verifies what it shows', async () => {
  for (const format of ['cloudevents-structured', 'cloudevents-binary'] as const) {
    const clock = systemClock;
    const world = await createWorld({ clock, outbound: createScript(clock, () => ({})).outbound, hooks: [{ format }] });
    await world.act({ profile_id: 1 });
    await world.worker().idle();
    const text = String((await ask(world, 'GET', LOCAL)).getContent())
      .replaceAll('&#x3D;', '=')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'");
    const [, curl = ''] = /<pre[^>]*as curl">([\s\S]*?)<\/pre>/.exec(text) ?? [];
    const headers = Object.fromEntries(
      [...curl.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name, value]) => [name, value]),
    );
    const [, body = ''] = /--data-raw '([^']*)'/.exec(curl) ?? [];
    new Webhook(deriveWebhookSecret(secret, 'profile-created', undefined, 1)).verify(body, headers);
    const isWhole = format === 'cloudevents-structured';
    assert.match(text, isWhole ? /<span[^>]*>CloudEvents<\/span>/ : /<span[^>]*>CloudEvents, binary<\/span>/);
    assert.match(text, '<span class="t-muted t-small">profile-created</span>', 'which hook of this type');
    assert.is(headers['content-type'], isWhole ? 'application/cloudevents+json; charset=utf-8' : 'application/json');
    assert.is(isWhole ? JSON.parse(body).source : headers['ce-source'], 'https://blog.example');
    assert.equal(isWhole ? JSON.parse(body).data : JSON.parse(body), { profile_id: 1 });
    await world.close();
  }
});

inbox.run();
