import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, Running } from './_process.ts';
import { Folders, run } from './run.ts';

/** Compiled code that `bin/launch.ts` keeps next to the program. */
const cache = suite('cli/code-cache');
const folders = new Folders();
const copied = `${dirname(getProgram())}-cached`;
cache.before(() =>
  cpSync(dirname(getProgram()), copied, { recursive: true, filter: (file) => !file.endsWith('.cache') }),
);
cache.after(() => {
  rmSync(copied, { recursive: true });
  folders.remove();
});

const listCaches = (): string[] => readdirSync(copied).filter((name) => name.endsWith('.cache'));

/** Reads the program as `bin/launch.ts` does, in a process without flags of its own. */
const JUDGE = `
const { readFileSync } = require('node:fs');
const [file, cache] = process.argv.slice(1);
const source = readFileSync(file, 'utf8');
const { cachedDataRejected } = new (require('node:vm').Script)(source, { filename: file, cachedData: readFileSync(cache) });
process.stdout.write(String(cachedDataRejected));`;

const isRejected = (name: string): string =>
  execFileSync(process.execPath, ['-e', JUDGE, join(copied, 'server.cjs'), join(copied, name)], {
    encoding: 'utf8',
    env: {},
  });

cache('a server keeps code that V8 accepts at the next start, though it changed flags of V8 in between', async () => {
  const cwd = folders.makeProject();
  assert.is((await run(['migrate'], { cwd })).code, 0);
  const server = new Running(join(copied, basename(getProgram())), ['start', '--port', '0'], { cwd });
  assert.is((await fetch(`${await server.url()}/health/live`)).status, 200);
  server.child.kill('SIGTERM');
  assert.is((await server.ended).code, 0);
  const [name = ''] = listCaches();
  assert.match(name, /-server\.cache$/);
  assert.is(isRejected(name), 'false');
  assert.is(statSync(join(copied, name)).mode & 0o077, 0, 'only its owner reads and writes it');
});

cache('a check keeps its own code, which another command would lack', async () => {
  const cwd = folders.makeProject();
  const check = new Running(join(copied, basename(getProgram())), ['check'], { cwd });
  assert.is((await check.ended).code, 0, check.err);
  const names = listCaches().filter((name) => name.startsWith('program.cjs'));
  assert.is(names.length, 1);
  assert.match(names[0] ?? '', /-check\.cache$/);
});

cache.run();
