import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, type Line, Running } from './_process.ts';
import { Folders, run } from './run.ts';

interface World {
  cwd: string;
}

/** Code with unhandled rejections, forgotten timers, and handlers that fail in every way. */
const FAULTY = `
const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const thrown = { error: () => new Error('secret detail'), string: () => 'secret detail', number: () => 7, none: () => null, busy };
export default function faulty(app) {
  app.get('/float/:kind', (request, response) => {
    const reason = thrown[request.getStage('kind')]();
    Promise.resolve().then(() => { throw reason; });
    response.setContent('floated');
  });
  app.get('/timer', (request, response) => {
    setTimeout(() => { throw new Error('late'); }, 10);
    response.setContent('set');
  });
  app.get('/throw/:kind', (request) => { throw thrown[request.getStage('kind')](); });
  app.get('/reject/:kind', async (request) => { await null; throw thrown[request.getStage('kind')](); });
}
`;
const KINDS = ['error', 'string', 'number', 'none', 'busy'];

const serve = suite<World>('cli/serve');
const folders = new Folders();

serve.before(async (world) => {
  world.cwd = folders.makeProject();
  const entry = join(world.cwd, 'app/www/.treadle.ts');
  writeFileSync(join(world.cwd, 'app/www/src/controller/faulty.ts'), FAULTY);
  const text = readFileSync(entry, 'utf8').replace('export default [', 'export default [faulty, ');
  writeFileSync(entry, `import faulty from './src/controller/faulty';\n${text}`);
  assert.is((await run(['migrate'], world)).code, 0);
});
serve.after(() => folders.remove());

const start = ({ cwd }: World, more: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Running =>
  new Running(getProgram(), ['start', '--port', '0', ...more], { cwd, env });
const count = (text: string, part: string): number => text.split(part).length - 1;

/** Breaks a definition; returns a function that fixes it. */
function breakDefinition({ cwd }: World): () => void {
  const file = join(cwd, 'config/schema/article.json');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, good.slice(0, good.length / 2));
  return () => writeFileSync(file, good);
}

async function changeSettings({ cwd }: World, server: object, work: () => Promise<void>): Promise<void> {
  const file = join(cwd, 'config/settings.json');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(good), server }));
  await work().finally(() => writeFileSync(file, good));
}

serve('where no worker can start, the command ends like a single process and says why once', async (world) => {
  const mend = breakDefinition(world);
  for (const more of [[], ['--workers', '2']]) {
    const broken = start(world, more);
    assert.equal(await broken.ended, { code: 5, signal: null });
    assert.is(count(broken.err, 'config/schema/article.json'), 1, broken.err);
  }
  mend();
  const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const [single, many] = [start(world, [], away), start(world, ['--workers', '2'], away)];
  assert.equal(await single.ended, { code: 1, signal: null });
  assert.equal(await many.ended, { code: 1, signal: null });
  assert.is(many.err, single.err);
});

serve('workers that die are started again, also after a start that failed; each step is logged', async (world) => {
  const server = start(world, ['--workers', '2']);
  const url = await server.url();
  const serving = (more: (line: Line) => boolean = () => true) => server.line('a worker serves', more);
  const first = await serving();
  const second = await serving(({ worker }) => worker !== first.worker);
  const mend = breakDefinition(world);
  for (const { pid } of [first, second]) process.kill(Number(pid), 'SIGKILL');
  const dead = await server.line('a worker ended', ({ pid }) => pid === first.pid);
  assert.equal([dead.signal, dead.exitCode, dead.restartMilliseconds], ['SIGKILL', null, 100]);
  const failed = await server.line('a worker ended', ({ exitCode, worker }) => exitCode === 5 && worker === 1);
  assert.match(JSON.stringify(failed.failure), 'config/schema/article.json');
  assert.is(failed.restartMilliseconds, 200);
  mend();
  await serving(({ pid }) => pid !== first.pid && pid !== second.pid);
  assert.is((await fetch(`${url}/health/ready`)).status, 200, 'at the address that it had');
  assert.equal(await server.kill('SIGTERM'), { code: 0, signal: null });
});

serve('SIGTERM takes readiness away first; a second one ends the process at once', async (world) => {
  await changeSettings(world, { drainSeconds: 600 }, async () => {
    for (const more of [[], ['--workers', '2']]) {
      const server = start(world, more);
      const url = await server.url();
      assert.is((await fetch(`${url}/health/ready`)).status, 200);
      server.child.kill('SIGTERM');
      while ((await fetch(`${url}/health/ready`)).status !== 503) assert.is(server.child.exitCode, null);
      const live = await fetch(`${url}/health/live`);
      assert.is(live.status, 200);
      assert.is(live.headers.get('connection'), 'keep-alive', 'all else goes on');
      // A repeat by npm within 100 ms counts as the same signal.
      await new Promise((resolve) => setTimeout(resolve, 120));
      assert.equal(await server.kill('SIGTERM'), { code: 130, signal: null });
    }
  });
});

/** Sends requests without a pause on one connection until the server closes; counts answers and errors. */
function askOn(url: string, seen: Map<string, number>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  return new Promise((resolve) => {
    const ask = (): void => {
      request(`${url}/rest/public/article/search?limit=1`, { agent }, (res) => {
        note(String(res.statusCode));
        res.resume().on('end', ask);
      })
        .on('error', (error: NodeJS.ErrnoException) => {
          note(error.code ?? error.message);
          agent.destroy();
          if (error.code === 'ECONNREFUSED') resolve();
          else ask();
        })
        .end();
    };
    ask();
  });
}

serve('no request of a client that keeps its connection is reset by the end of the server', async (world) => {
  for (const [signal, more] of [
    ['SIGTERM', []],
    ['SIGHUP', ['--workers', '2']],
  ] as const) {
    const server = start(world, more);
    const url = await server.url();
    const seen = new Map<string, number>();
    const clients = Array.from({ length: 32 }, () => askOn(url, seen));
    await server.until('answers', () => ((seen.get('200') ?? 0) > 200 ? true : undefined));
    assert.equal(await server.kill(signal), { code: 0, signal: null });
    await Promise.all(clients);
    assert.equal([...seen.keys()].sort(), ['200', 'ECONNREFUSED'], JSON.stringify([...seen]));
  }
});

serve('a rejection that nobody handles is logged with its place, and the server goes on', async (world) => {
  const server = start(world);
  const url = await server.url();
  for (const kind of KINDS) assert.is(await (await fetch(`${url}/float/${kind}`)).text(), 'floated', kind);
  const logged = await server.until('every rejection', () => {
    const lines = server.lines('unhandled promise rejection');
    return lines.length === KINDS.length ? lines : undefined;
  });
  const [named] = logged;
  assert.is(named?.package, '/app/www');
  assert.match(String(named?.place), /^app\/www\/src\/controller\/faulty\.ts:\d+$/);
  assert.match(JSON.stringify(named?.error), /secret detail.*stack/);
  assert.match(JSON.stringify(logged[3]?.error), 'null');
  for (const way of ['throw', 'reject']) {
    for (const kind of KINDS) {
      const answer = await fetch(`${url}/${way}/${kind}`, { headers: { accept: 'application/json' } });
      const text = await answer.text();
      assert.is(answer.status, 500, `${way} ${kind}`);
      assert.not.match(text, /secret|locked/);
      assert.is((await fetch(`${url}/health/live`)).status, 200);
    }
  }
  assert.equal(await server.kill('SIGTERM'), { code: 0, signal: null });
});

serve('an exception that nobody caught ends a server with 1, in order; a worker is started again', async (world) => {
  const server = start(world);
  assert.is(await (await fetch(`${await server.url()}/timer`)).text(), 'set');
  assert.equal(await server.ended, { code: 1, signal: null });
  const [told] = server.lines('uncaught exception');
  assert.match(String(told?.place), /^app\/www\/src\/controller\/faulty\.ts:\d+$/);

  const many = start(world, ['--workers', '2']);
  const url = await many.url();
  const { pid } = await many.line('a worker serves', ({ worker }) => worker === 1);
  await many.line('a worker serves', ({ worker }) => worker === 2);
  assert.is(await (await fetch(`${url}/timer`)).text(), 'set');
  const { worker } = await many.line('a worker ended', ({ exitCode }) => exitCode === 1);
  await many.line('a worker serves', (line) => line.worker === worker && line.pid !== pid);
  assert.equal(await many.kill('SIGTERM'), { code: 0, signal: null });
});

serve('dev tells an exception in full and goes on; a broken definition leaves the last good version', async (world) => {
  const server = new Running(getProgram(), ['dev', '--port', '0'], { cwd: world.cwd });
  const url = await server.url();
  assert.match(await (await fetch(`${url}/timer`)).text(), 'set');
  await server.until(
    'the exception',
    () => /uncaught exception.*faulty\.ts:\d+[\s\S]*late/.exec(server.err) ?? undefined,
  );
  await server.until('the watcher', () => (server.err.includes('Saved files') ? true : undefined));
  // The watcher does not report when it is ready, so the file is written until the change is noticed.
  const mend = breakDefinition(world);
  const article = join(world.cwd, 'config/schema/article.json');
  const broken = readFileSync(article, 'utf8');
  const again = setInterval(() => writeFileSync(article, broken), 500);
  const failed: unknown[] = [];
  // One at a time, because many would be refused, which has nothing to do with reloading.
  const asked: { now: Promise<void> | undefined } = { now: undefined };
  const ask = (): void => {
    asked.now ??= fetch(`${url}/rest/public/article/search`)
      .then(({ status }) => void (status !== 200 && failed.push(status)))
      .catch((error: unknown) => void failed.push(error))
      .finally(() => {
        asked.now = undefined;
      });
  };
  await server
    .until('the broken definition', () => {
      ask();
      return /config\/schema\/article\.json:\d+/.exec(server.err) ?? undefined;
    })
    .finally(() => clearInterval(again));
  mend();
  const mended = setInterval(mend, 500);
  await server
    .until('the mended one', () => {
      ask();
      return server.err.includes('Fixed.') ? true : undefined;
    })
    .finally(() => clearInterval(mended));
  await asked.now;
  assert.equal(failed, []);
  assert.equal(await server.kill('SIGINT'), { code: 0, signal: null });
});

serve.run();
