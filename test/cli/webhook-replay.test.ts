import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { createAnswers, Folders, run } from './run.ts';

const folders = new Folders();
const replay = suite('webhook commands: names of the code, what failed, what is disabled');
replay.after(() => folders.remove());

const OWN = 'https://example.org/own';
const APP = 'https://example.org/app';
const ARTICLE = ['--title', 'Article', '--event', 'system-model-create', '--parameter', 'schema=article'];
const HOOK = ['--type', 'article.created', '--url', OWN];
const CODE = `export default [
  (app: any) => app.webhook({ type: 'order.paid', event: 'order-pay', url: 'https://example.org/paid' }),
];
`;

/** A project with a hook that has its own URL and an app. */
async function makeProject() {
  const cwd = folders.makeProject();
  const at = (...argv: string[]) => run(argv, { cwd });
  const json = async (...argv: string[]) => {
    const { code, out, err } = await at(...argv, '--json');
    assert.is(code, 0, out + err);
    return JSON.parse(out) as Record<string, unknown>;
  };
  await json('webhook', 'create', 'made', ...ARTICLE, ...HOOK);
  return { cwd, at, json };
}

function writeCode(cwd: string, text: string): void {
  mkdirSync(join(cwd, 'app/order'), { recursive: true });
  writeFileSync(join(cwd, 'app/order/.treadle.ts'), text);
}

replay('a name that a hook of the code has is taken, and code that does not load takes none', async () => {
  const { cwd, at } = await makeProject();
  writeCode(cwd, CODE);
  const commands = [
    ['create', 'order-paid', ...ARTICLE, ...HOOK],
    ['create', 'order-paid', ...ARTICLE, ...HOOK, '--dry-run'],
    ['copy', 'made', 'order-paid', '--type', 'article.copied'],
    ['rename', 'made', 'order-paid'],
  ];
  const file = join(cwd, 'config/webhook/order-paid.json');
  for (const argv of commands) {
    const { code, out, err } = await at('webhook', ...argv);
    assert.is(code, 1, argv.join(' ') + out);
    assert.match(err, /"order-paid" already exists: app\.webhook in app\/order\/\.treadle\.ts/, argv.join(' '));
    assert.not(existsSync(file), argv.join(' '));
  }
  const refused = await at('webhook', 'create', 'order-paid', ...ARTICLE, ...HOOK, '--json');
  assert.is(JSON.parse(refused.out).code, 'CLI_DEFINITION_EXISTS');
  writeCode(cwd, 'export default [() => { throw new Error("no"); }];');
  const written = await at('webhook', 'create', 'order-paid', ...ARTICLE, ...HOOK);
  assert.is(written.code, 0, written.err);
  assert.match(written.err, /"order-paid" is unknown, because[\s\S]*treadle check/);
  assert.ok(existsSync(file));
});

/** Deliveries in the log, `days` old, one per state, to the hook's own URL and to an app's. */
async function fillLog(cwd: string, states: readonly (readonly [string, string | null, number])[]): Promise<void> {
  const app = await createApp({ root: cwd, mode: 'development', env: {}, log: silentLog, hasWorkers: false });
  const { database, clock } = app.services;
  const now = Math.floor(clock.now() / 1000);
  const event = { event_id: 'msg_1', hook: 'made', type: 'article.created', data: '{}', created_at: now };
  const rows = states.map(([state, client, days], index) => ({
    event_id: 'msg_1',
    hook: 'made',
    receiver: `receiver ${index}`,
    url: client === null ? OWN : APP,
    client_id: client,
    created_at: now - days * 86_400,
    state,
    attempts: 1,
  }));
  try {
    await database.write(async () => {
      await database.kysely.insertInto('treadle_event').values(event).execute();
      await database.kysely.insertInto('treadle_delivery').values(rows).execute();
    });
  } finally {
    await app.close();
  }
}

const STATES = [
  ['failed', null, 1],
  ['failed', 'app_1', 2],
  ['disabled', 'app_1', 3],
  ['delivered', null, 1],
  ['failed', null, 31],
] as const;

replay('sends all failures of 30 days again after asking, with their number and receivers', async () => {
  const { cwd, at, json } = await makeProject();
  await fillLog(cwd, STATES);
  const pending = async (): Promise<number> =>
    ((await json('webhook', 'deliveries', '--state', 'pending')) as { rows: unknown[] }).rows.length;
  const told = /3 deliveries that failed or were kept, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)/;
  const whom = /2 +made +https:\/\/example\.org\/app \(app_1\)\n +1 +made +https:\/\/example\.org\/own/;

  const trial = await at('webhook', 'replay', '--failed', '--dry-run');
  assert.is(trial.code, 0, trial.err);
  assert.match(trial.out, told);
  assert.match(trial.out, whom);
  const { since, ...counted } = await json('webhook', 'replay', '--failed', '--dry-run');
  assert.type(since, 'number');
  const receivers = [
    { hook: 'made', url: APP, client_id: 'app_1', count: 2 },
    { hook: 'made', url: OWN, client_id: null, count: 1 },
  ];
  assert.equal(counted, { count: 3, isDryRun: true, receivers, enabled: [], skipped: [] });

  const refused = await at('webhook', 'replay', '--failed');
  assert.is(refused.code, 64);
  assert.match(refused.err, told);
  assert.match(refused.err, whom);
  assert.match(refused.err, '--yes');
  assert.is(JSON.parse((await at('webhook', 'replay', '--failed', '--json')).out).code, 'CLI_USAGE');

  const no = createAnswers([false]);
  const kept = await run(['webhook', 'replay', '--failed'], { cwd, isTTY: true, prompt: no });
  assert.is(kept.code, 1);
  assert.match(kept.err, told);
  assert.match(kept.err, whom);
  assert.is(no.asked.length, 1);
  assert.is(await pending(), 0, 'nothing was sent so far');

  const yes = createAnswers([true]);
  const sent = await run(['webhook', 'replay', '--failed'], { cwd, isTTY: true, prompt: yes });
  assert.is(sent.code, 0, sent.err);
  assert.match(sent.out, '3 queued');
  assert.is(await pending(), 3);
  assert.is((await json('webhook', 'replay', '--failed', '--yes')).count, 0, 'none is left');
});

replay('where nobody can be asked, what names nothing needs --yes, and what names something does not', async () => {
  const { cwd, at, json } = await makeProject();
  await fillLog(cwd, STATES);
  for (const flags of [
    ['--since', '30d'],
    ['--failed', '--since', '36h'],
    ['--type', 'article.created'],
  ]) {
    const { code, err } = await at('webhook', 'replay', ...flags, '--no-interactive');
    assert.is(code, 64, flags.join(' '));
    assert.match(err, /Without a hook, app, URL or event.*\d deliver/, flags.join(' '));
    assert.match(err, '--yes');
  }
  assert.equal((await json('webhook', 'deliveries', '--state', 'pending')).rows, []);
  assert.is((await json('webhook', 'replay', '--failed', '--since', '36h', '--yes')).count, 1);
  assert.is((await json('webhook', 'replay', '--failed', '--url', APP)).count, 2);
  for (const argv of [['1', '--failed'], []]) assert.is((await at('webhook', 'replay', ...argv)).code, 64);
});

replay('a flag that is empty narrows nothing, so it is refused before anything is done', async () => {
  const { cwd, at, json } = await makeProject();
  await fillLog(cwd, STATES);
  const table: [string[], string][] = [
    [['replay', '--since', '2d', '--hook', '', '--yes'], '--hook'],
    [['replay', '--failed', '--app=', '--yes'], '--app'],
    [['replay', '--hook', 'made', '--until', '', '--yes'], '--until'],
    [['deliveries', '--url', ''], '--url'],
    [['receivers', '--hook='], '--hook'],
    [['disable', 'made', '--url', ''], '--url'],
    [['enable', 'made', '--app', ''], '--app'],
    [['enable', 'made', '--since', ''], '--since'],
    [['test', 'made', '--app', ''], '--app'],
    [['test', 'made', '--data', ''], '--data'],
    [['secret', 'made', '--app', ''], '--app'],
    [['rotate', 'made', '--app', ''], '--app'],
  ];
  for (const [argv, flag] of table) {
    const { code, out, err } = await at('webhook', ...argv);
    assert.is(code, 64, `${argv.join(' ')}: ${out}`);
    assert.match(err, `${flag} is empty`, argv.join(' '));
  }
  const { rows } = (await json('webhook', 'receivers')) as { rows: { state: string }[] };
  assert.equal(
    rows.map(({ state }) => state),
    ['unused'],
  );
  assert.equal((await json('webhook', 'deliveries', '--state', 'pending')).rows, []);
});

replay('a trial that reaches nobody fails, and is not written where nobody could be reached', async () => {
  const { at, json } = await makeProject();
  const own = ['--title', 'Own', '--event', 'system-model-update', '--parameter', 'schema=profile'];
  await json('webhook', 'create', 'own', ...own, '--type', 'profile.changed', '--audience', 'user');
  for (const flags of [['--all'], []]) assert.is((await at('webhook', 'test', 'own', ...flags)).code, 64);
  await json('app', 'create', 'reader', '--title', 'Reader', '--webhook', APP, '--hook', 'own');
  const other = await at('webhook', 'test', 'made', '--app', 'reader');
  assert.is(other.code, 64);
  assert.match(other.err, 'this app does not receive "made"');
  assert.equal((await json('webhook', 'deliveries')).rows, []);
  const { code, out } = await at('webhook', 'test', 'own', '--all');
  assert.is(code, 1, out);
  assert.match(out, /Nobody received it[\s\S]*--profile/);
});

replay('a trial for a receiver that is disabled says so, since when, why, and what enables it', async () => {
  const { at, cwd, json } = await makeProject();
  const reader = ['--title', 'Reader', '--webhook', APP, '--hook', 'made'];
  const { clientId } = await json('app', 'create', 'reader', ...reader);
  await json('webhook', 'disable', 'made', '--reason', 'Moving house');
  const table: [string[], string, string][] = [
    [[], OWN, `treadle webhook enable made --url ${OWN}`],
    [['--app', 'reader'], APP, `treadle webhook enable made --app ${clientId}`],
  ];
  for (const [flags, url, command] of table) {
    const { code, out } = await at('webhook', 'test', 'made', ...flags);
    assert.is(code, 1, out);
    assert.match(out, new RegExp(`Not sent: ${url}.* is disabled since [0-9 :-]+ \\(UTC\\): Moving house\n`));
    assert.match(out, command);
    const failed = await at('webhook', 'test', 'made', ...flags, '--json');
    assert.is(failed.code, 1);
    const [off] = JSON.parse(failed.out).disabled;
    assert.is(off.disabled_reason, 'Moving house');
    assert.type(off.disabled_at, 'number');
    const words = command.split(' ').slice(1);
    const enabled = await run([...words, '--no-catch-up'], { cwd });
    assert.is(enabled.code, 0, enabled.err);
  }
  assert.not.match(readFileSync(join(cwd, 'config/webhook/made.json'), 'utf8'), 'disabled');
});

replay.run();
