import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/package-root.ts';
import { getProgram } from '../cli/_process.ts';
import { placeUrl, removePlace, SERVER } from '../database/_where.ts';

/** The guide's code blocks in order, each a list of lines. */
const blocks = [...readFileSync(join(packageRoot, 'docs/guide/first-api.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, text = '']) => text.trim())
  .filter((text) => text !== '');
const SERVE = 'npm run dev';

/** A currently free port, because the guide's own may be taken. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** `npx treadle` and `npm run` without a registry: the program built from this source. */
function writePrograms(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const treadle = `exec '${process.execPath}' '${getProgram()}'`;
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${treadle} "$@"\n`);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n[ "$1 $2" = "run dev" ] || exit 0\n${treadle} dev\n`);
  for (const name of ['npx', 'npm']) chmodSync(join(bin, name), 0o755);
  return bin;
}

interface Shell {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs lines in a shell; returns their output, and throws if one fails. */
function runLines(lines: string, { cwd, env }: Shell): Promise<string> {
  const child = spawn('sh', ['-e', '-c', lines], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', all: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
    said.all += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.all += chunk;
  });
  return new Promise((done, fail) => {
    child.on('close', (code) =>
      code === 0 ? done(said.out) : fail(new Error(`${lines}\nended with ${code}:\n${said.all}`)),
    );
  });
}

/** Starts a server; resolves when it has printed its URL. */
async function serve(line: string, { cwd, env }: Shell): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('http://') && done());
    child.on('close', (code) => fail(new Error(`${line} ended with ${code}`)));
  });
  return child;
}

const guide = suite('docs/guide/first-api.md');

guide('leads from an empty folder to a first call with a token, by its own commands', async () => {
  const at = blocks.indexOf(SERVE);
  assert.ok(at > 0 && at < blocks.length - 1, 'the guide has a first and a second terminal');
  const folder = mkdtempSync(join(tmpdir(), 'treadle-e2e-'));
  const place = placeUrl();
  const port = await findPort();
  const env = {
    PATH: `${writePrograms(folder)}:${process.env.PATH}`,
    HOME: folder,
    PORT: String(port),
    CI: 'true',
    // The only setting that moves a project to another database.
    ...(SERVER === undefined ? {} : { DATABASE_URL: place }),
  };
  const run = (lines: string) => runLines(lines.replaceAll(':3000', `:${port}`), { cwd: folder, env });
  const state: { server?: ChildProcess } = {};
  try {
    assert.match(await run(blocks.slice(0, at).join('\n')), /client secret {2}tk_cs_/);
    state.server = await serve(SERVE, { cwd: join(folder, 'blog'), env });
    const said = await run(blocks.slice(at + 1).join('\n'));
    assert.match(said, '1. The app sends the user to the consent dialog');
    assert.match(said, '4. The app calls for the user');
    const last = said.trim().split('\n').at(-1) ?? '';
    assert.is(JSON.parse(last).results.profile_name, 'Ann');
  } finally {
    const { server } = state;
    if (server && server.exitCode === null) {
      const closed = new Promise((done) => server.once('close', done));
      server.kill('SIGTERM');
      await closed;
    }
    await removePlace(place);
    rmSync(folder, { recursive: true, force: true });
  }
});

guide.run();
