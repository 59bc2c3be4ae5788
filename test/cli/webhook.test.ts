import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findError } from '../../src/cli/hook/listen.ts';
import { main } from '../../src/cli/main.ts';
import { signWebhook } from '../../src/core/secret/webhook-secret.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

/** A receiver as `webhook listen` makes it, in this process; resolves with its output when it has ended. */
async function startListening(argv: readonly string[], cwd: string) {
  const out: string[] = [];
  const stop = new AbortController();
  const state = { isUp: (_url: string): void => {} };
  const url = new Promise<string>((resolve) => {
    state.isUp = resolve;
  });
  const ended = main(['webhook', 'listen', '--port', '0', ...argv], {
    stdout: {
      write(text: string) {
        out.push(text);
        const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)?.[0];
        if (found) state.isUp(found);
      },
    },
    stderr: { write: (text: string) => out.push(text) },
    stdin: (async function* () {})(),
    env: {},
    cwd,
    signal: stop.signal,
  });
  const failed = ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${out.join('')}`)));
  failed.catch(() => {});
  return { url: await Promise.race([url, failed]), ended, stop: () => stop.abort(), text: () => out.join('') };
}

function toDelivery(secret: string, body: string, seconds = Math.floor(Date.now() / 1000)) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secret, { id: 'msg_1', seconds, body }),
  };
}

const webhook = suite('webhook commands');
webhook.after(() => folders.remove());

webhook('a signature is judged as Standard Webhooks has it', () => {
  const body = '{"type":"a.b"}';
  const now = 1_700_000_000;
  const good = toDelivery(SECRET, body, now);
  const judge = (headers: object, at = now, secrets = [SECRET]) =>
    findError(secrets, { headers: { ...headers }, body }, at);
  assert.is(judge(good), undefined);
  assert.is(judge(good, now + 300), undefined);
  assert.is(judge(good, now, [OTHER, SECRET]), undefined);
  const both = `v1a,x ${toDelivery(OTHER, body, now)['webhook-signature']} ${good['webhook-signature']}`;
  assert.is(judge({ ...good, 'webhook-signature': both }), undefined, 'one of several is enough');
  const table: [string, object, number, string][] = [
    ['late', good, now + 301, 'seconds off'],
    ['early', good, now - 301, 'seconds off'],
    ['another id', { ...good, 'webhook-id': 'msg_2' }, now, 'no signature'],
    ['no id', { ...good, 'webhook-id': undefined }, now, 'webhook-id'],
    ['milliseconds', { ...good, 'webhook-timestamp': `${now}000` }, now, 'webhook-timestamp'],
    ['no signature', { ...good, 'webhook-signature': '' }, now, 'no v1 entry'],
    ['a cut one', { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -1) }, now, 'no signature'],
  ];
  for (const [name, headers, at, words] of table) assert.match(String(judge(headers, at)), words, name);
  assert.match(String(judge(good, now, [OTHER])), 'no signature');
  assert.match(String(findError([SECRET], { headers: good, body: `${body} ` }, now)), 'no signature');
});

webhook('listen verifies, answers and ends after a count', async () => {
  const cwd = folders.make();
  const listening = await startListening(['--secret', SECRET, '--status', '202', '--count', '3'], cwd);
  const body = JSON.stringify({ type: 'a.b', data: { x: '\u009b2J' } });
  const send = async (headers: Record<string, string>) =>
    (await fetch(listening.url, { method: 'POST', body, headers })).status;
  assert.is(await send(toDelivery(SECRET, body)), 202);
  assert.is(await send(toDelivery(SECRET, body)), 202);
  assert.is(await send(toDelivery(OTHER, body)), 400);
  assert.is(await listening.ended, 1, 'one was refused');
  assert.match(listening.text(), 'a.b  verified  -> 202');
  assert.match(listening.text(), 'verified, again');
  assert.match(listening.text(), 'REFUSED: no signature matches this secret');
  assert.not.match(listening.text(), '\u009b2J');
});

webhook('listen tells the type of a CloudEvent, whole or by headers', async () => {
  const cwd = folders.make();
  const listening = await startListening(['--secret', SECRET, '--count', '3'], cwd);
  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(listening.url, { method: 'POST', body, headers: { ...toDelivery(SECRET, body), ...headers } })).status;
  const whole = JSON.stringify({
    specversion: '1.0',
    id: 'msg_1',
    source: 'https://x.example',
    type: 'c.whole',
    data: {},
  });
  assert.is(await send(whole, { 'content-type': 'application/cloudevents+json; charset=utf-8' }), 204);
  const attributes = { 'ce-specversion': '1.0', 'ce-source': 'https://x.example', 'ce-type': 'c.headed' };
  assert.is(await send('{"type":"of the row"}', { ...attributes, 'ce-id': 'msg_1' }), 204);
  assert.is(await send('{}', { ...attributes, 'ce-id': 'msg_2' }), 400, 'the id that is signed is another');
  await listening.ended;
  assert.match(listening.text(), 'c.whole  verified');
  assert.match(listening.text(), 'c.headed  verified');
  assert.match(listening.text(), 'ce-source: https://x.example');
  assert.match(listening.text(), 'REFUSED: the header ce-id differs from webhook-id');
});

webhook('listen passes on what it verified, and stops when it is asked to', async () => {
  const cwd = folders.make();
  const got: { body: string; id: string }[] = [];
  const behind = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ body: Buffer.concat(chunks).toString(), id: String(request.headers['webhook-id']) });
      response.writeHead(418).end('tea');
    });
  });
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
  const { port } = behind.address() as AddressInfo;
  const listening = await startListening(
    ['--json', '--secret', SECRET, '--forward', `http://127.0.0.1:${port}/x`],
    cwd,
  );
  const body = '{"type":"a.b"}';
  const headers = toDelivery(SECRET, body);
  const answer = await fetch(listening.url, { method: 'POST', body, headers });
  assert.is(answer.status, 418);
  assert.is(await answer.text(), 'tea');
  assert.equal(got, [{ body, id: 'msg_1' }]);
  behind.closeAllConnections();
  await new Promise((resolve) => behind.close(resolve));
  assert.is((await fetch(listening.url, { method: 'POST', body, headers })).status, 502, 'nobody is behind it');
  listening.stop();
  assert.is(await listening.ended, 0);
  assert.match(listening.text(), '"isVerified": true');
});

webhook('listen says what is wrong with its flags', async () => {
  const cwd = folders.make();
  const table: [string[], string][] = [
    [['--secret', 'hex'], 'does not start with whsec_'],
    [['--port', '99999'], '--port'],
    [['--status', '99'], '--status'],
    [['--app', 'reader'], '--app needs --hook'],
    [['--forward', 'http://127.0.0.1:1/', '--status', '500'], 'cannot be combined'],
  ];
  for (const [argv, words] of table) {
    const { code, err } = await run(['webhook', 'listen', ...argv], { cwd });
    assert.is(code, 64, argv.join(' '));
    assert.match(err, words);
  }
});

const parse = ({ code, out, err }: RunResult): Record<string, unknown> => {
  assert.is(code, 0, out + err);
  return JSON.parse(out);
};

webhook('rotate raises the version in the file, of a hook or of an app', async () => {
  const cwd = folders.makeProject();
  const json = async (...argv: string[]) => parse(await run([...argv, '--json'], { cwd }));
  await json('api', 'populate');
  await json(
    ...['app', 'create', 'reader', '--title', 'Reader', '--redirect-uri', 'https://example.org/cb'],
    ...['--webhook', 'https://example.org/hook', '--hook', 'profile-created'],
  );
  const secret = async (...argv: string[]) =>
    (await json('webhook', 'secret', 'profile-created', ...argv)).webhookSecret;
  const [own, app] = [await secret(), await secret('--app', 'reader')];
  assert.is((await json('webhook', 'rotate', 'profile-created', '--dry-run')).isDryRun, true);
  assert.is(await secret(), own);
  const rotated = await run(['webhook', 'rotate', 'profile-created'], { cwd });
  assert.match(rotated.out, 'For 24 hours');
  assert.match(readFileSync(join(cwd, 'config/webhook/profile-created.json'), 'utf8'), '"secretVersion": 2');
  assert.is.not(await secret(), own);
  assert.is.not(await secret('--app', 'reader'), app);
  const between = [await secret(), await secret('--app', 'reader')];
  assert.is((await json('webhook', 'rotate', '--app', 'reader')).secretVersion, 2);
  assert.is(await secret(), between[0]);
  assert.is.not(await secret('--app', 'reader'), between[1]);
  const clientId = (await json('app', 'show', 'reader')).clientId as string;
  assert.is(await secret('--app', clientId), await secret('--app', 'reader'));
  const table: [string[], string][] = [
    [['rotate', 'profile-creatd'], 'Did you mean "profile-created"?'],
    [['rotate'], 'The argument <name> is missing'],
    [['rotate', 'profile-created', '--app', 'reader'], 'cannot be combined'],
    [['secret', 'profile-created', '--app', 'readr'], 'Did you mean "reader"?'],
  ];
  for (const [argv, words] of table) {
    const { code, err } = await run(['webhook', ...argv], { cwd });
    assert.is(code, 64, argv.join(' '));
    assert.match(err, words);
  }
});

webhook('test, deliveries and replay, against a receiver that fails and then does not', async () => {
  const cwd = folders.makeProject();
  const json = async (...argv: string[]) => parse(await run([...argv, '--json'], { cwd }));
  await json('api', 'populate');
  const failing = await startListening(['--hook', 'profile-created', '--status', '500'], cwd);
  const none = await run(['webhook', 'test', 'profile-created'], { cwd });
  assert.is(none.code, 64);
  assert.match(none.err, 'has no URL of its own');
  await json('webhook', 'update', 'profile-created', '--url', failing.url);
  const tried = await run(['webhook', 'test', 'profile-created', '--data', '{"profile_id":7}', '--json'], { cwd });
  assert.is(tried.code, 1, 'the receiver failed');
  const { rows } = JSON.parse(tried.out) as { rows: { delivery_id: number; status: number }[] };
  assert.is(rows[0]?.status, 500);
  const id = String(rows[0]?.delivery_id);
  assert.match(failing.text(), '"profile_id": 7');
  failing.stop();
  await failing.ended;
  const port = new URL(failing.url).port;
  const good = await startListening(['--hook', 'profile-created', '--count', '1', '--port', port], cwd);
  const again = parse(await run(['webhook', 'replay', id, '--json'], { cwd })) as { rows: { state: string }[] };
  assert.is(again.rows[0]?.state, 'delivered');
  assert.is(await good.ended, 0, 'it was verified');
  const listed = (await json('webhook', 'deliveries', '--since', '1h', '--state', 'delivered')) as { rows: unknown[] };
  assert.is(listed.rows.length, 1);
  const shown = await run(['webhook', 'deliveries', id], { cwd });
  assert.match(shown.out, 'Attempt 2');
  assert.match(shown.out, 'webhook-signature: v1,');
  const event = (again.rows[0] as { event_id?: string }).event_id ?? '';
  assert.is((await json('webhook', 'replay', '--event', event, '--dry-run')).count, 1);
  assert.is((await json('webhook', 'replay', '--hook', 'profile-created', '--dry-run')).count, 0, 'a trial by its id');
  assert.is((await json('webhook', 'replay', '--failed', '--since', '1d')).count, 0);
  const receivers = async () => ((await json('webhook', 'receivers')) as { rows: { state: string }[] }).rows;
  assert.is((await json('webhook', 'disable', 'profile-created')).receivers, 1);
  assert.is((await receivers())[0]?.state, 'disabled');
  assert.is((await run(['webhook', 'test', 'profile-created'], { cwd })).code, 1, 'it is disabled');
  const dry = (await run(['webhook', 'replay', id, '--dry-run'], { cwd })).out;
  assert.match(dry, /These receivers are disabled and would be enabled:\n +profile-created +http/);
  const named = JSON.parse((await run(['webhook', 'replay', id, '--json'], { cwd })).out) as { enabled: unknown[] };
  assert.is(named.enabled.length, 1, 'who is enabled by it is told');
  assert.is((await json('webhook', 'disable', 'profile-created')).receivers, 1);
  const enabled = () => json('webhook', 'enable', 'profile-created', '--no-catch-up');
  assert.equal(await enabled(), { receivers: 1, enabled: 1, count: 0, skipped: [] });
  assert.equal(await enabled(), { receivers: 1, enabled: 0, count: 0, skipped: [] }, 'it is enabled already');
  assert.is((await receivers())[0]?.state, 'enabled');
  assert.match((await run(['doctor'], { cwd })).out, /web hooks +\d+ queued; \d+ attempts in 24 hours/);
  await refuseAll(cwd, id, failing.url);
});

/** Wrong uses of the commands, in a project with a hook of this URL and this delivery. */
async function refuseAll(cwd: string, id: string, url: string): Promise<void> {
  const table: [string[], number, string][] = [
    [['enable', 'profile-creatd'], 64, 'Did you mean "profile-created"?'],
    [['enable', 'profile-created', '--url', 'https://no.example/'], 64, `There is only ${url}`],
    [['enable', 'profile-created', '--since', 'noon'], 64, 'Write 2026-01-15'],
    [['deliveries', '--state', 'failled'], 64, '--state'],
    [['deliveries', id, '--hook', 'profile-created'], 64, 'cannot be combined'],
    [['deliveries', '999'], 64, 'There is no delivery 999'],
    [['deliveries', 'abc'], 64, `<id> can't be "abc"`],
    [['replay'], 64, 'Say what to send again'],
    [['replay', id, '--since', '1h'], 64, 'cannot be combined'],
    [['replay', '999'], 64, 'There is no delivery 999'],
    [['test', 'profile-creatd'], 64, 'Did you mean "profile-created"?'],
    [['test', 'profile-created', '--data', '[1]'], 64, '--data is not a JSON object'],
    [['test', 'profile-created', '--profile', 'abc'], 64, `--profile can't be "abc"`],
    [['deliveries', id, id], 64, 'Too many arguments'],
    [['test', 'profile-created', '--data', '{'], 64, '--data is not JSON'],
    [['test', 'profile-created', '--app', 'x', '--all'], 64, 'cannot be combined'],
  ];
  for (const [argv, code, words] of table) {
    const failed = await run(['webhook', ...argv], { cwd });
    assert.is(failed.code, code, `${argv.join(' ')}: ${failed.out}${failed.err}`);
    assert.match(failed.err, words, argv.join(' '));
  }
}

webhook.run();
