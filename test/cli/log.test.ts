import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, Running } from './_process.ts';
import { Folders, run } from './run.ts';

interface World {
  cwd: string;
}
const log = suite<World>('cli/log');
const folders = new Folders();

log.before(async (world) => {
  world.cwd = folders.makeProject();
  assert.is((await run(['migrate'], world)).code, 0);
});
log.after(() => folders.remove());

const start = ({ cwd }: World, env: NodeJS.ProcessEnv = {}): Running =>
  new Running(getProgram(), ['start', '--port', '0'], { cwd, env });

log('the server goes on when the reader of standard error ends, and SIGTERM ends it with 0', async (world) => {
  const server = start(world);
  const url = await server.url();
  server.child.stderr?.destroy();
  server.child.stdout?.destroy();
  for (let count = 0; count < 20; count += 1) {
    assert.is((await fetch(`${url}/health/live`)).status, 200);
    // The log is written 50 ms after a line.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.is(server.child.exitCode, null);
  assert.equal(await server.kill('SIGTERM'), { code: 0, signal: null });
});

log('the server warns once where people reach it by plain http', async (world) => {
  const server = start(world, { HOST: '0.0.0.0' });
  await server.url();
  const { level, message } = await server.line('plain-http');
  assert.is(level, 'warn');
  assert.match(String(message), 'The server listens on 0.0.0.0 by plain http');
  await server.kill('SIGTERM');
  assert.is(server.lines('plain-http').length, 1);
});

log(
  'a reader that stalls costs a bounded buffer, learns how many lines were dropped, and holds up no end',
  async (world) => {
    const server = start(world);
    const url = await server.url();
    const { stderr } = server.child;
    stderr?.pause();
    const path = `/none?${'x'.repeat(7000)}`;
    const asked = 400;
    for (let count = 0; count < asked; count += 40) {
      await Promise.all(Array.from({ length: 40 }, () => fetch(url + path).then((answer) => answer.text())));
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
    stderr?.resume();
    const { lines, level } = await server.line('log lines were dropped');
    assert.is(level, 'error');
    const told = server.lines('request').length;
    assert.is(Number(lines) + told, asked);
    assert.ok(Number(lines) > 50, `1 MiB waits: ${lines} of ${asked} lines of 7 kB were dropped`);
    stderr?.pause();
    for (let count = 0; count < 40; count += 1) await fetch(url + path).then((answer) => answer.text());
    const begun = performance.now();
    server.child.kill('SIGTERM');
    await new Promise((resolve) => server.child.once('exit', resolve));
    assert.ok(performance.now() - begun < 5000);
    assert.is(server.child.exitCode, 0);
  },
);

log('LOG_LEVEL leaves out what is below it; a wrong one is named', async (world) => {
  const mail = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'site@example.org' };
  const quiet = start(world, { LOG_LEVEL: 'warn', ...mail });
  assert.is((await fetch(`${await quiet.url()}/health/live`)).status, 200);
  await quiet.kill('SIGTERM');
  assert.is(quiet.err, '');
  const wrong = await start(world, { LOG_LEVEL: 'loud' }).ended;
  assert.is(wrong.code, 5);
});

log('a command finishes and exits with 0 even if its output is not read to the end', async ({ cwd }) => {
  const backup = new Running(getProgram(), ['backup', '--out', 'copy.tar.gz'], { cwd });
  backup.child.stdout?.destroy();
  backup.child.stderr?.destroy();
  assert.equal(await backup.ended, { code: 0, signal: null });
  assert.ok(existsSync(`${cwd}/copy.tar.gz`));
});

log.run();
