import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, Running } from './_process.ts';
import { Folders } from './run.ts';

/** Commands on a project with a timer, a pool and an open socket. */
const life = suite('cli/life');
const folders = new Folders();
life.after(() => folders.remove());

const BUSY = `import net from 'node:net';
export default async function busy(app) {
  setInterval(() => void app.emit('system-model-search', { schema: 'article' }), 500);
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // A pool keeps such sockets open.
  for (let index = 0; index < 3; index += 1) net.connect(server.address().port, '127.0.0.1');
  app.onClose(() => process.stderr.write('closed by the project\\n'));
}
`;

function makeProject(code: string): string {
  const root = folders.makeProject('blog');
  writeFileSync(join(root, 'app/www/src/controller/busy.ts'), code);
  const include = join(root, 'app/www/.treadle.ts');
  const text = readFileSync(include, 'utf8');
  writeFileSync(
    include,
    `import busy from './src/controller/busy';\n${text.replace('export default [', 'export default [busy, ')}`,
  );
  return root;
}

/** Far below the minute after which the test gives up, and far above what a loaded machine takes. */
const SOON_MS = 20_000;

async function runAll(root: string, command: string): Promise<Running & { code: number | null }> {
  const running = new Running(getProgram(), command.split(' '), { cwd: root, env: { NODE_ENV: 'development' } });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), SOON_MS);
  const { code } = await running.ended;
  clearTimeout(timer);
  return Object.assign(running, { code });
}

life('commands end when they are done, with their whole output, and close what the project opened', async () => {
  const root = makeProject(BUSY);
  const commands = {
    check: /^No problems found/,
    types: /./,
    'docs --out pages': /./,
    'routes --json': /\]\n$/,
    'events --json': /[\]}]\n$/,
    migrate: /./,
    'migrate --dry-run': /./,
    'emit system-model-search schema=article --json': /\}\n$/,
  };
  for (const [command, expected] of Object.entries(commands)) {
    const { code, out, err } = await runAll(root, command);
    assert.is(code, 0, `${command}: ${err}`);
    assert.match(out, expected, command);
    assert.match(err, 'closed by the project', command);
    assert.not.match(err, 'not caught', command);
  }
});

life('an emit while loading is one line with its place, also where nothing awaits it', async () => {
  const early = "app.emit('system-model-search', {})";
  const root = makeProject(`export default function busy(app) { void ${early}; }\n`);
  const told = await runAll(root, 'check');
  assert.is(told.code, 5);
  const warning =
    'app/www/src/controller/busy.ts:1: "system-model-search" is emitted while the project is being loaded. ' +
    'Emit inside a listener, a route or a job, not at the top of a controller. [PLAN_NOT_ACTIVE]';
  assert.ok(told.out.includes(warning), told.out);
  assert.is(told.err, '');
  const stray = await runAll(
    makeProject(`export default function busy(app) { void (async () => { await ${early}; })(); }\n`),
    'types',
  );
  assert.is(stray.code, 1);
  assert.is(
    stray.err.trim().split('\n')[0],
    'app/www/src/controller/busy.ts:1: An error was not caught: Events cannot be emitted while the project is being loaded. ' +
      'Emit inside a listener or a route, not at the top of a controller.',
  );
  assert.ok(stray.err.length < 300, stray.err);
});

life.run();
