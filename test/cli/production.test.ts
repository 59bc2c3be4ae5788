import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Application, type AppOptions, createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { Folders, run } from './run.ts';

/** Web hooks of one-off commands: they send only what they were asked to, by the rules of the database's server. */
interface World {
  cwd: string;
  /** Ids of the events that the loopback receiver got. */
  hits: string[];
  receiver: Server;
}
const commands = suite<World>('commands and the queue of web hooks');
const folders = new Folders();

commands.before.each(async (world) => {
  world.hits = [];
  world.receiver = createServer((request, response) => {
    world.hits.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.end('an answer that nobody else may read'));
  });
  await new Promise<void>((resolve) => world.receiver.listen(0, '127.0.0.1', resolve));
  const { port } = world.receiver.address() as AddressInfo;
  world.cwd = folders.makeProject();
  const write = (name: string, more: object): void => {
    const hook = { title: name, event: 'system-model-create', url: `http://127.0.0.1:${port}/${name}`, ...more };
    writeFileSync(join(world.cwd, `config/webhook/${name}.json`), JSON.stringify(hook));
  };
  mkdirSync(join(world.cwd, 'config/webhook'), { recursive: true });
  write('queued', { type: 'article.queued', parameters: { schema: 'article' } });
  write('inline', { type: 'profile.inline', parameters: { schema: 'profile' }, delivery: 'inline' });
  assert.is((await run(['migrate'], { cwd: world.cwd })).code, 0);
});
commands.after.each(async ({ receiver }) => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});
commands.after(() => folders.remove());

async function withApp<T>(
  { cwd }: World,
  options: Partial<AppOptions>,
  work: (app: Application) => Promise<T>,
): Promise<T> {
  const app = await createApp({ root: cwd, env: {}, log: silentLog, ...options });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
/** Starts a server in this mode and stops it. */
const serve = (world: World, mode: AppOptions['mode']): Promise<void> =>
  withApp(world, mode === undefined ? {} : { mode }, async () => {});
/** Leaves a due delivery; returns its id. */
const leaveDue = (world: World): Promise<string> =>
  withApp(world, { mode: 'test', hasWorkers: false }, async (app) => {
    const url = app.plan.hooks.find(({ name }) => name === 'queued')?.definition.url;
    const fired = await app.emit('webhook-test', { hook: 'queued', url });
    return String((fired.getResults('rows') as { delivery_id: number }[])[0]?.delivery_id);
  });
async function find({ cwd }: World, id: string): Promise<Record<string, unknown> | undefined> {
  const { out } = await run(['webhook', 'deliveries', '--json'], { cwd });
  const { rows } = JSON.parse(out) as { rows: Record<string, unknown>[] };
  return rows.find((row) => String(row.delivery_id) === id);
}

const OTHERS = [
  ['user', 'list'],
  ['webhook', 'receivers'],
  ['webhook', 'replay', '--hook', 'queued', '--yes'],
  ['emit', 'webhook-figures'],
  ['export', 'article'],
];

for (const mode of ['production', 'development', undefined] as const) {
  commands(`leave what is due to the server, where ${mode ?? 'nobody'} served last`, async (world) => {
    if (mode !== undefined) await serve(world, mode);
    const id = await leaveDue(world);
    for (const argv of OTHERS) {
      const { code, out, err } = await run(argv, world);
      assert.is(code, 0, `${argv.join(' ')}: ${out}${err}`);
      assert.equal(world.hits, [], argv.join(' '));
    }
    assert.is((await find(world, id))?.attempts, 0);
  });
}

commands('a test and a replay send what was named and nothing else', async (world) => {
  const left = await leaveDue(world);
  const tested = await run(['webhook', 'test', 'queued', '--json'], world);
  assert.is(tested.code, 0, tested.out + tested.err);
  assert.equal(world.hits, [JSON.parse(tested.out).event_id]);
  const all = await run(['webhook', 'test', 'queued', '--all', '--json'], world);
  assert.is(all.code, 0, all.out + all.err);
  assert.is(world.hits.at(-1), JSON.parse(all.out).event_id);
  assert.is(world.hits.length, 2);
  assert.is((await find(world, left))?.attempts, 0);
  const again = await run(['webhook', 'replay', left], world);
  assert.is(again.code, 0, again.out + again.err);
  assert.is(world.hits.length, 3);
  assert.is((await find(world, left))?.state, 'delivered');
});

/** Fires the inline hook, which is sent while the command runs. */
const SIGN_UP = ['emit', 'system-model-create', 'schema=profile', 'profile_name=Ann'];

commands('where production served last, loopback is as closed to a command as to the server', async (world) => {
  await serve(world, 'production');
  const id = await leaveDue(world);
  for (const argv of [
    ['webhook', 'replay', id],
    ['webhook', 'test', 'queued'],
    ['webhook', 'test', 'queued', '--all'],
  ]) {
    const { code, out } = await run(argv, world);
    assert.is(code, 1, argv.join(' '));
    assert.match(out, 'is private, reserved or local', argv.join(' '));
  }
  assert.is((await run(SIGN_UP, world)).code, 0);
  assert.equal(world.hits, []);
  const { status, attempts, error } = (await find(world, id)) ?? {};
  assert.equal([status, attempts], [null, 1], String(error));
  const table: [Record<string, string>, number][] = [
    [{ NODE_ENV: 'production' }, 1],
    [{ NODE_ENV: 'staging' }, 1],
    [{ NODE_ENV: 'development' }, 0],
  ];
  for (const [env, code] of table)
    assert.is((await run(['webhook', 'test', 'queued'], { ...world, env })).code, code, JSON.stringify(env));
  assert.is(world.hits.length, 1);
  assert.is((await run(SIGN_UP, { ...world, env: { NODE_ENV: 'development' } })).code, 0);
  assert.is(world.hits.length, 2, 'what somebody says is development may');
});

commands('once dev has served, it is open again', async (world) => {
  await serve(world, 'production');
  assert.is((await run(['webhook', 'test', 'queued'], world)).code, 1);
  await serve(world, 'development');
  world.hits.length = 0;
  const tested = await run(['webhook', 'test', 'queued'], world);
  assert.is(tested.code, 0, tested.out + tested.err);
  assert.is(world.hits.length, 1);
});

commands('without the secret of the server nothing of production’s is signed', async (world) => {
  await serve(world, 'production');
  const id = await leaveDue(world);
  const file = join(world.cwd, '.env');
  const secret = /^TREADLE_SECRET=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  assert.ok(secret);
  appendFileSync(file, 'TREADLE_SECRET=\n');
  for (const env of [{}, { NODE_ENV: 'development' }, { NODE_ENV: 'production' }]) {
    const { code, err } = await run(['webhook', 'replay', id], { ...world, env });
    assert.is.not(code, 0);
    assert.match(err, 'TREADLE_SECRET is not set');
    assert.match(err, 'set the secret of its server');
  }
  const dev = await createApp({ root: world.cwd, mode: 'development', env: {}, log: silentLog }).catch(
    (error: { code: string }) => error.code,
  );
  assert.is(dev, 'SECRET_MISSING', 'nor by dev, on a copy of production’s data');
  assert.equal(world.hits, []);
  const env = { TREADLE_SECRET: secret, NODE_ENV: 'development' };
  assert.is((await run(['webhook', 'replay', id], { ...world, env })).code, 0);
});

commands('another secret than the database was served with is told by the next start and by doctor', async (world) => {
  await serve(world, 'production');
  const doctor = async (): Promise<string> => (await run(['doctor'], world)).out;
  assert.not.match(await doctor(), 'it differs from the one that last served this database');
  appendFileSync(join(world.cwd, '.env'), 'TREADLE_SECRET=a new secret, of enough characters to be one\n');
  assert.match(await doctor(), /advice +TREADLE_SECRET +it differs from the one that last served this database/);
  const told: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void told.push(event) };
  for (const expected of [['TREADLE_SECRET was changed'], []]) {
    await withApp(world, { mode: 'production', log }, async () => {});
    assert.equal(told.splice(0), expected);
  }
  assert.not.match(await doctor(), 'it differs from the one that last served this database');
});

commands.run();
