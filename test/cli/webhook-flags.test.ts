import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { toTime } from '../../src/cli/hook/filter.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const flags = suite('flags of the webhook commands');
flags.after(() => folders.remove());

const CODE = `export default [
  (app: any) =>
    app.webhook({ type: 'order.paid', event: 'order-pay', url: 'https://example.org/paid', secretVersion: 2 }),
];
`;

/** A project with hooks on article and profile, an app, and a hook in its code. */
async function makeProject() {
  const cwd = folders.makeProject();
  mkdirSync(join(cwd, 'app/order'), { recursive: true });
  writeFileSync(join(cwd, 'app/order/.treadle.ts'), CODE);
  const at = (...argv: string[]) => run(argv, { cwd });
  const json = async (...argv: string[]) => {
    const { code, out, err } = await at(...argv, '--json');
    assert.is(code, 0, out + err);
    return JSON.parse(out) as Record<string, unknown>;
  };
  await json('api', 'populate');
  return { cwd, at, json };
}

const ARTICLE = ['--title', 'Article', '--event', 'system-model-create', '--parameter', 'schema=article'];
const FULL = [...ARTICLE, '--type', 'article.created'];

flags('a time is a day that there is, a stamp, seconds, or how long ago', () => {
  const now = 1_000_000_000;
  const good: [string, number][] = [
    ['90s', now - 90],
    ['2h', now - 7200],
    ['3d', now - 3 * 86_400],
    ['2w', now - 14 * 86_400],
    ['999999w', 0],
    ['1234567', 1_234_567],
    ['2026-02-28', 1_772_236_800],
    ['2026-02-28 00:00:01', 1_772_236_801],
    ['2026-02-28T01:00:00+01:00', 1_772_236_800],
  ];
  for (const [text, seconds] of good) assert.is(toTime('--since', text, now), String(seconds), text);
  assert.is(toTime('--since', undefined, now), undefined);
  for (const text of ['2026-02-31', '2026-13-01', '2026-02-28 25:00', 'tomorrow', '2y', '-1', '2h3m']) {
    assert.throws(
      () => toTime('--until', text, now),
      (error: { code: string; message: string; hint: string }) => {
        assert.is(error.code, 'CLI_USAGE', text);
        assert.match(error.message, `--until can't be "${text}"`);
        assert.match(error.hint, '2h, 3d, 2w');
        return true;
      },
    );
  }
});

flags('a filter that no delivery can meet is refused before it is written', async () => {
  const { cwd, at, json } = await makeProject();
  const file = join(cwd, 'config/webhook/long.json');
  const table: [string[], string][] = [
    [['--filter', 'article_active.gte=abc'], 'WEBHOOK_FILTER_INVALID'],
    [['--filter', 'article_published=notadate'], 'WEBHOOK_FILTER_INVALID'],
    [['--url', 'nonsense'], 'url'],
    [['--filter', 'article_active.gte=abc', '--dry-run'], 'WEBHOOK_FILTER_INVALID'],
  ];
  for (const [argv, words] of table) {
    const { code, err } = await at('webhook', 'create', 'long', ...FULL, ...argv);
    assert.is(code, 5, argv.join(' '));
    assert.match(err, words);
    assert.is(existsSync(file), false, argv.join(' '));
  }
  const sample = await at('webhook', 'create', 'long', ...FULL, '--filter', 'x');
  assert.is(sample.code, 64);
  assert.match(sample.err, '--filter article_words.gte=100');
  await json('webhook', 'create', 'long', ...FULL);
  const before = readFileSync(file, 'utf8');
  assert.is((await at('webhook', 'update', 'long', '--filter', 'article_active.gte=abc')).code, 5);
  assert.is(readFileSync(file, 'utf8'), before);
  const broken = JSON.stringify({ ...JSON.parse(before), filter: { article_active: { gte: 'abc' } } });
  writeFileSync(file, broken);
  assert.is(
    (await at('webhook', 'update', 'long', '--title', 'Longer')).code,
    0,
    'what was wrong before stops nothing',
  );
});

flags('what is odd about a hook or an app is said when it is saved', async () => {
  const { at, json } = await makeProject();
  const refused = /allowPrivate/;
  const app = ['--title', 'X', '--redirect-uri', 'https://example.org/cb', '--hook', 'profile-created'];
  const table: [string[], RegExp][] = [
    [['webhook', 'create', 'a', ...FULL, '--url', 'http://10.0.0.1/hook'], refused],
    [
      ['webhook', 'update', 'a', '--url', 'http://169.254.169.254/'],
      /which is never called\. Write an address such as https:\/\/example\.org\/hook\.\n/,
    ],
    [['app', 'create', 'x', ...app, '--webhook', 'http://192.168.1.1/x'], refused],
    [['app', 'update', 'x', '--title', 'Y'], refused],
  ];
  for (const [argv, words] of table) {
    const { code, out, err } = await at(...argv);
    assert.is(code, 0, argv.join(' ') + err);
    assert.match(out, words, argv.join(' '));
  }
  assert.equal((await json('webhook', 'update', 'a', '--url', 'https://example.org/')).advice, []);
  const misspelt = await at('webhook', 'create', 'b', '--title', 'B', '--event', 'system-model-creat', '--type', 'b.c');
  assert.is(misspelt.code, 5);
  assert.match(misspelt.err, /Did you mean "system-model-create"/);
});

flags('a hook of the code is known where a hook is named', async () => {
  const { cwd, at, json } = await makeProject();
  const listed = await at('webhook', 'list');
  const [head = '', ...rows] = listed.out.trimEnd().split('\n');
  const heads = [
    'name',
    'title',
    'method',
    'event',
    'type',
    'audience',
    'approval',
    'format',
    'delivery',
    'url',
    'code',
  ];
  assert.equal(head.split(/ +/), heads);
  const column = head.indexOf('type');
  assert.ok(rows.length > 1);
  for (const row of rows) assert.match(row.slice(column), /^[a-z]+\.[a-z]+( |$)/, row);
  const defaults =
    /order-paid .*post +order-pay +order\.paid +app +no +standard +queued +https:\/\/example\.org\/paid +app\/order\/\.treadle\.ts/;
  assert.match(listed.out, defaults);
  for (const argv of [
    ['update', 'order-paid', '--url', 'https://example.org/'],
    ['remove', 'order-paid'],
    ['rename', 'order-paid', 'b'],
  ]) {
    const { code, err } = await at('webhook', ...argv);
    assert.is(code, 64, argv.join(' '));
    assert.match(err, /"order-paid" is in the code: app\.webhook in app\/order\/\.treadle\.ts[\s\S]*Change it there/);
  }
  assert.is((await json('webhook', 'show', 'order-paid')).url, 'https://example.org/paid');
  assert.match(String((await json('webhook', 'secret', 'order-paid')).webhookSecret), /^whsec_/);
  assert.is((await json('webhook', 'disable', 'order-paid')).receivers, 1);
  assert.match((await at('webhook', 'receivers')).err, 'webhook enable order-paid --url https://example.org/paid');
  assert.match((await at('webhook', 'enable', 'order-paid', '--dry-run')).out, 'would enable 1 receiver\n');
  const rotated = await at('webhook', 'rotate', 'order-paid');
  assert.is(rotated.code, 64);
  assert.match(rotated.err, /app\/order\/\.treadle\.ts[\s\S]*secretVersion: 3/);
  await json('app', 'create', 'reader', '--title', 'Reader', '--webhook', 'https://example.org/app');
  await json('app', 'update', 'reader', '--add-hook', 'order-paid');
  await json('app', 'update', 'reader', '--add-hook', 'profile-created');
  assert.is((await at('check')).code, 0);
  const secret = await json('webhook', 'secret', 'order-paid', '--app', 'reader');
  assert.match(String(secret.webhookSecret), /^whsec_/);
  for (const argv of [
    ['app', 'update', 'reader', '--add-hook', 'profile-creatd'],
    ['webhook', 'remove', 'profile-created', '--json'],
  ]) {
    const { code, out, err } = await at(...argv);
    assert.is.not(code, 0, argv.join(' '));
    assert.match(out + err, 'profile-created', argv.join(' '));
  }
  await json('app', 'update', 'reader', '--unset', 'hook');
  const wrong = await at('webhook', 'secret', 'order-payd');
  assert.is(wrong.code, 64);
  assert.match(wrong.err, 'Did you mean "order-paid"?');
  writeFileSync(join(cwd, 'app/order/.treadle.ts'), 'export default [() => { throw new Error("no"); }];');
  const partly = await at('webhook', 'list');
  assert.is(partly.code, 0);
  assert.match(partly.err, 'treadle check');
});

flags('a flag that fits nothing is wrong use, and no empty answer', async () => {
  const { at, json } = await makeProject();
  const table: [string[], string | RegExp][] = [
    [['deliveries', '--hook', 'profile-creatd'], /--hook[\s\S]*Did you mean "profile-created"/],
    [['deliveries', '--type', 'profile.creatd'], /--type[\s\S]*Did you mean "profile.created"/],
    [['deliveries', '--app', 'nobody'], 'There is no app "nobody"'],
    [['deliveries', '--before', 'abc'], '--before'],
    [['deliveries', '--limit', 'abc'], '--limit'],
    [['deliveries', '--limit', '0'], '1 to 100'],
    [['deliveries', '--limit', '500'], '1 to 100'],
    [['deliveries', '--since', '1h', '--until', '2h'], '--since is not before --until'],
    [['deliveries', '--since', '2026-02-31'], '--since'],
    [['deliveries', '--state', 'lost'], '--state'],
    [['receivers', '--hook', 'profile-creatd'], /--hook[\s\S]*Did you mean "profile-created"/],
    [['receivers', '--app', 'nobody'], 'There is no app "nobody"'],
    [['enable', 'profile-created'], 'it has no URL'],
    [['disable', 'profile-created', '--dry-run'], 'it has no URL'],
    [
      ['enable', 'order-paid', '--url', 'https://example.org/payd'],
      /--url[\s\S]*Did you mean "https:\/\/example.org\/paid"/,
    ],
    [['enable', 'order-paid', '--url', 'http://nope/', '--dry-run'], '--url'],
    [['listen', '--host', 'no.such.host.invalid'], '--host'],
    [['listen', '--host', '192.0.2.1'], '--host'],
    [['listen', '--forward', 'foo'], '--forward'],
  ];
  for (const [argv, words] of table) {
    const { code, err, out } = await at('webhook', ...argv);
    assert.is(code, 64, `${argv.join(' ')}: ${out}${err}`);
    assert.match(err, words, argv.join(' '));
  }
  assert.equal(await json('webhook', 'deliveries', '--hook', 'profile-created', '--since', '2w'), {
    rows: [],
    next: null,
  });
  assert.match((await at('webhook', 'receivers', '--hook', 'profile-created')).out, 'No receivers');
});

const NOW = Math.floor(Date.now() / 1000);
const GONE = 'The web hook former is no longer defined, and this reason is longer than a line of the list holds.';

/** Adds deliveries of a removed hook to the log, and a receiver with a secret rotated an hour ago. */
async function fillLog(cwd: string, clientId: string): Promise<void> {
  const app = await createApp({ root: cwd, mode: 'development', env: {}, log: silentLog, hasWorkers: false });
  const { database } = app.services;
  const { kysely } = database;
  const event = { event_id: 'msg_1', hook: 'former', type: 'former.said', data: '{}', created_at: NOW };
  const to = { hook: 'former', url: 'https://example.org/?a=1&b=2', created_at: NOW };
  const delivery = { ...to, event_id: 'msg_1', client_id: 'app_gone' };
  const rows = [
    { ...delivery, receiver: 'a', state: 'failed', attempts: 0, error: GONE },
    { ...delivery, receiver: 'b', state: 'failed', attempts: 1, status: 500, error: GONE },
    { ...delivery, receiver: 'c', state: 'delivered', attempts: 1, status: 200 },
  ];
  const rotated = {
    ...to,
    receiver: 'd',
    hook: 'profile-created',
    version: 2,
    hook_version: 2,
    rotated_at: NOW - 3600,
  };
  const ofApp = { ...rotated, receiver: 'e', hook: 'other', url: 'https://example.org/app', client_id: clientId };
  try {
    await database.write(async () => {
      await kysely.insertInto('treadle_event').values(event).execute();
      await kysely.insertInto('treadle_delivery').values(rows).execute();
      await kysely
        .insertInto('treadle_receiver')
        .values([{ ...rotated, client_id: null }, ofApp])
        .execute();
    });
  } finally {
    await app.close();
  }
}

flags('the log tells why a delivery ended, knows hooks that are gone, and its next page asks the same', async () => {
  const { cwd, at, json } = await makeProject();
  const reader = ['--title', 'Reader', '--webhook', 'https://example.org/app', '--hook', 'profile-created'];
  await fillLog(cwd, String((await json('app', 'create', 'reader', ...reader)).clientId));
  const listed = await at('webhook', 'deliveries', '--hook', 'former', '--state', 'failed,delivered', '--limit', '2');
  assert.match(listed.err, 'treadle webhook deliveries --hook former --state failed,delivered --limit 2 --before 2');
  assert.match(listed.out, /500 The web hook former is no longer defined/);
  for (const filter of [
    ['--type', 'former.said'],
    ['--app', 'app_gone'],
    ['--since', '1h', '--until', '2099-01-01'],
  ]) {
    const { rows } = (await json('webhook', 'deliveries', ...filter)) as { rows: unknown[] };
    assert.is(rows.length, 3, filter.join(' '));
  }
  for (const id of ['1', '2']) assert.match((await at('webhook', 'deliveries', id)).out, `reason  ${GONE}`);
  assert.not.match((await at('webhook', 'deliveries', '3')).out, 'reason');
  const rotated = await json('webhook', 'rotate', 'profile-created', '--dry-run');
  assert.match(String(rotated.warning), /earlier rotation[\s\S]*https:\/\/example\.org\/\?a=1&b=2/);
  await json('webhook', 'update', 'profile-created', '--url', 'https://example.org/?a=1&b=2');
  assert.match((await at('webhook', 'rotate', '--app', 'reader')).out, 'https://example.org/app (app_');
  await json('webhook', 'create', 'last', ...FULL);
  assert.equal((await json('webhook', 'rotate', 'last', '--dry-run')).warning, []);
  await json('webhook', 'disable', 'profile-created');
  assert.match((await at('webhook', 'receivers')).err, "--url 'https://example.org/?a=1&b=2'");
});

flags('a secret of the environment is called by its name', async () => {
  const { code, err } = await run(['webhook', 'listen'], { cwd: folders.make(), env: { WEBHOOK_SECRET: 'hex' } });
  assert.is(code, 64);
  assert.match(err, 'WEBHOOK_SECRET is not a signing secret');
});

flags('a malformed secret is refused with the reason, and not shown', async () => {
  const table: [string, string][] = [
    ['hex', 'it does not start with whsec_'],
    ['whsec_AAAA', 'what follows whsec_ has 4 characters, and a key has 20 or more'],
    ['whsec_AAAAAAAAAAAAAAAAAAAA-AAA', 'what follows whsec_ is not base64'],
  ];
  for (const [secret, words] of table) {
    const { code, err } = await run(['webhook', 'listen', '--secret', secret], { cwd: folders.make() });
    assert.is(code, 64);
    assert.match(err, `--secret is not a signing secret: ${words}`);
    assert.not.match(err, `"${secret}"`);
  }
});

flags('a copy that tells one address twice says so, and what is removed says who hears no more', async () => {
  const { at, json } = await makeProject();
  await json('webhook', 'create', 'a', ...FULL, '--url', 'https://example.org/a');
  const copied = await at('webhook', 'copy', 'a', 'b');
  assert.match(
    copied.out,
    'https://example.org/a now receives each event twice, with the same type: by "a" and by "b"',
  );
  assert.match(copied.err, 'treadle webhook update b --url <url>');
  const typed = await json('webhook', 'copy', 'a', 'c', '--type', 'article.copied');
  assert.match(String(typed.advice), 'once by each type');
  for (const change of [
    ['--url', 'https://example.org/d'],
    ['--event', 'system-model-update'],
  ])
    assert.equal((await json('webhook', 'copy', 'a', change[0] === '--url' ? 'd' : 'e', ...change)).advice, []);
  const removed = await json('webhook', 'remove', 'a', '--yes');
  assert.match(String(removed.notes), 'registered in the browser that list "a" no longer receive it');
});

flags('a format is one that there is, of a flag, a file and the code; check says which was meant', async () => {
  const { cwd, at } = await makeProject();
  const odd = await at('webhook', 'create', 'said', ...FULL, '--format', 'cloudevent-binary');
  assert.is(odd.code, 64);
  assert.match(odd.err, 'Did you mean "cloudevents-binary"?');
  assert.is((await at('webhook', 'create', 'said', ...FULL, '--format', 'cloudevents-binary')).code, 0);
  const file = join(cwd, 'config/webhook/said.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  assert.is(read().format, 'cloudevents-binary');
  assert.is((await at('webhook', 'update', 'said', '--format', 'cloudevents-structured')).code, 0);
  assert.is(read().format, 'cloudevents-structured');
  assert.is((await at('webhook', 'update', 'said', '--format', 'standard')).code, 0);
  assert.is((await at('check')).code, 0);
  writeFileSync(file, JSON.stringify({ ...read(), format: 'cloudevents-structure' }, null, 2));
  const checked = await at('check');
  assert.is(checked.code, 5);
  assert.match(checked.out + checked.err, /said\.json:\d+.*format.*Did you mean "cloudevents-structured"\?/);
  writeFileSync(file, JSON.stringify({ ...read(), format: 'standard' }, null, 2));
  writeFileSync(join(cwd, 'app/order/.treadle.ts'), CODE.replace('secretVersion: 2', "format: 'binary'"));
  const coded = await at('check');
  assert.is(coded.code, 5);
  assert.match(coded.out + coded.err, 'WEBHOOK_HANDWRITTEN_INVALID');
});

flags.run();
