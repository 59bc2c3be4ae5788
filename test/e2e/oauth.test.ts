import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver on loopback that keeps what arrives. */
async function startReceiver(): Promise<{ url: string; next(): Promise<Received>; close(): void }> {
  const arrived: Received[] = [];
  const waiting: ((received: Received) => void)[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const received = { headers: request.headers as Record<string, string>, body };
    const wake = waiting.shift();
    if (wake) wake(received);
    else arrived.push(received);
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    next: () =>
      new Promise((done) => {
        const received = arrived.shift();
        if (received) done(received);
        else waiting.push(done);
      }),
    close: () => void server.close(),
  };
}

const flow = suite('the three-legged flow');
const at: {
  site?: Site;
  id: string;
  secret: string;
  hookSecret: string;
  receiver?: Awaited<ReturnType<typeof startReceiver>>;
} = { id: '', secret: '', hookSecret: '' };
const site = (): Site => at.site as Site;

flow.before(async () => {
  at.receiver = await startReceiver();
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      const { data } = await project.cli(
        'app',
        'create',
        'reader',
        '--title',
        'Reader',
        '--scope',
        'profile_read',
        '--webhook',
        String(at.receiver?.url),
        '--hook',
        'profile-created',
      );
      at.id = String(data.clientId);
      at.secret = String(data.clientSecret);
      at.hookSecret = String(data.webhookSecret);
    },
  });
});
flow.after(async () => {
  at.receiver?.close();
  await site().close();
});

async function allow(browser: Client): Promise<string> {
  const path = `/dialog/request?client_id=${at.id}`;
  const dialog = await browser.get(path);
  assert.is(dialog.status, 200);
  assert.match(dialog.text, /Reader/);
  assert.match(dialog.text, /Allow/i);
  const csrf = /name="csrf" value="([^"]*)"/.exec(dialog.text)?.[1] ?? '';
  const permission = /name="permissions\[\]"[^>]*value="([^"]*)"/.exec(dialog.text)?.[1] ?? '';
  const answer = await browser.post(path, { action: 'allow', csrf, 'permissions[]': [permission] });
  assert.is(answer.status, 303);
  const to = new URL(answer.location, site().url);
  assert.is(to.pathname, '/developer/app/search');
  const code = to.searchParams.get('code');
  assert.ok(code);
  return code as string;
}

const exchange = (code: string, secret = at.secret): Promise<Response> =>
  fetch(`${site().url}/rest/access?client_id=${at.id}&client_secret=${secret}&code=${code}`, { method: 'POST' });

const callUser = (token: string): Promise<Response> =>
  fetch(`${site().url}/rest/user/profile/detail?access_token=${token}`);

flow('ends in a user call that answers with that user’s profile', async () => {
  const browser = site().browser();
  await browser.signUp('Fay', 'fay@example.org');
  const answer = await exchange(await allow(browser));
  assert.is(answer.status, 200);
  const { error, results, ...rest } = (await answer.json()) as { error: boolean; results: Record<string, string> };
  assert.is(error, false);
  assert.equal(rest, {});
  assert.equal(Object.keys(results), [
    'access_token',
    'access_secret',
    'profile_id',
    'profile_name',
    'profile_created',
  ]);
  assert.type(results.profile_id, 'string');
  assert.is(results.profile_name, 'Fay');
  assert.match(results.profile_created as string, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.is(answer.headers.get('cache-control'), 'no-store');
  const call = await callUser(results.access_token as string);
  assert.is(call.status, 200);
  const detail = (await call.json()) as { error: boolean; results: Record<string, unknown> };
  assert.is(detail.error, false);
  assert.is(detail.results.profile_name, 'Fay');
});

flow('refuses a call without a token, with a bad one, and app calls without an app', async () => {
  const none = await fetch(`${site().url}/rest/user/profile/detail`);
  assert.is(none.status, 401);
  assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer/);
  assert.not.match(none.headers.get('www-authenticate') ?? '', /error/);
  const bad = await callUser('nonsense');
  assert.is(bad.status, 401);
  assert.match(bad.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  assert.is((await fetch(`${site().url}/rest/public/profile/detail/1`)).status, 401);
  assert.is((await fetch(`${site().url}/rest/public/profile/detail/1?client_id=${at.id}`)).status, 200);
  assert.is((await fetch(`${site().url}/rest/public/profile/search`)).status, 200);
});

flow('a code raced by 30 gives one token set', async () => {
  const browser = site().browser();
  await browser.signUp('Gil', 'gil@example.org');
  const code = await allow(browser);
  const answers = await Promise.all(Array.from({ length: 30 }, () => exchange(code)));
  assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 29 }, () => 400)]);
  const winner = (await answers.find(({ status }) => status === 200)?.json()) as { results: { access_token: string } };
  assert.is((await callUser(winner.results.access_token)).status, 200, 'losers of the race revoke nothing');
  assert.is((await exchange(code, 'wrong')).status, 401);
  assert.is((await callUser(winner.results.access_token)).status, 200, 'a replay with a wrong secret revokes nothing');
  assert.is((await exchange(code)).status, 400);
  assert.is((await callUser(winner.results.access_token)).status, 401, 'a valid replay revokes');
});

flow('deny comes back with access_denied', async () => {
  const browser = site().browser();
  await browser.signUp('Hal', 'hal@example.org');
  const path = `/dialog/request?client_id=${at.id}&state=a%26b`;
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  const answer = await browser.post(path, { action: 'deny', csrf });
  const to = new URL(answer.location, site().url);
  assert.is(to.searchParams.get('error'), 'access_denied');
  assert.is(to.searchParams.get('state'), 'a&b');
});

flow('the hook’s delivery is accepted by the npm verifier, and refused when it was changed', async () => {
  const received = await at.receiver?.next();
  assert.ok(received);
  const verifier = new Webhook(at.hookSecret);
  const body = received?.body ?? '';
  const payload = verifier.verify(body, received?.headers ?? {}) as { type: string; data: Record<string, unknown> };
  assert.is(payload.type, 'profile.created');
  assert.type(payload.data.profile_id, 'number');
  assert.throws(() => verifier.verify(body.replace('profile', 'Profile'), received?.headers ?? {}));
});

flow('the developer section and the docs are there', async () => {
  const browser = site().browser();
  await browser.signUp('Ida', 'ida@example.org');
  for (const path of [
    '/developer/app/search',
    '/developer/app/create',
    '/developer/docs',
    '/developer/docs/calls',
    '/developer/docs/scopes',
    '/developer/docs/webhooks',
  ]) {
    const page = await browser.get(path);
    assert.is(page.status, 200, path);
    assert.match(page.text, /<!doctype html>/i, path);
  }
  const openapi = JSON.parse((await browser.get('/developer/docs/openapi.json')).text);
  assert.match(openapi.openapi, /^3\.1/);
  assert.ok(openapi.paths['/rest/user/profile/detail']);
});

flow.run();
