import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, Running } from './_process.ts';
import { Folders, run } from './run.ts';

/** Commands that give a project what the blog lacks, because a start compiles it. */
const MORE = [
  ['role', 'create', 'editor', '--name', 'Editor', '--permission', 'get:/admin/system/model/article/**'],
  ['role', 'allow', 'guest', 'article', 'search', 'detail'],
  ['scope', 'create', 'article_read', '--name', 'Read articles', '--description', 'See the articles.'],
  [
    ...['webhook', 'create', 'article-made', '--title', 'Article made', '--event', 'system-model-create'],
    ...['--parameter', 'schema=article', '--filter', 'article_author=Ann', '--type', 'article.created'],
    ...['--field', 'article_title', '--no-approval'],
  ],
];

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

const isRejected = (name: string, program = 'server.cjs'): string =>
  execFileSync(process.execPath, ['-e', JUDGE, join(copied, program), join(copied, name)], {
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
  const name = listCaches().find((file) => file.startsWith('server.cjs')) ?? '';
  assert.match(name, /-server\.cache$/);
  assert.is(isRejected(name), 'false');
  assert.is(statSync(join(copied, name)).mode & 0o077, 0, 'only its owner reads and writes it');
});

cache('a server starts and answers a call of its API without its late part', async () => {
  const cwd = folders.makeProject();
  for (const words of MORE) {
    const { code, err } = await run(words, { cwd });
    assert.is(code, 0, `${words.join(' ')}: ${err}`);
  }
  assert.is((await run(['migrate'], { cwd })).code, 0);
  // The first start compares the database's structure with the definitions, and notes that it fits.
  const first = new Running(join(copied, basename(getProgram())), ['start', '--port', '0'], { cwd });
  await first.url();
  assert.is((await first.kill('SIGTERM')).code, 0);
  const late = join(copied, 'late.cjs');
  const text = readFileSync(late);
  // See .ci/late.json: a module that the log names is needed earlier now.
  writeFileSync(late, "(function () { throw new Error('The first answer needs the late part.'); })");
  try {
    const server = new Running(join(copied, basename(getProgram())), ['start', '--port', '0'], { cwd });
    const answer = await fetch(`${await server.url()}/rest/public/article/search?limit=20`);
    assert.is(answer.status, 200, server.err);
    assert.is((await server.kill('SIGTERM')).code, 0, server.err);
  } finally {
    writeFileSync(late, text);
  }
});

cache(
  'the late part is read at its first use, by requests at the same time, and V8 accepts its code afterwards',
  async () => {
    const cwd = folders.makeProject();
    assert.is((await run(['migrate'], { cwd })).code, 0);
    const server = new Running(join(copied, basename(getProgram())), ['start', '--port', '0'], { cwd });
    const url = await server.url();
    const paths = ['/', '/articles', '/auth/login', '/developer/docs', '/admin', '/', '/auth/signup'];
    const answers = await Promise.all(paths.map((path) => fetch(url + path, { redirect: 'manual' })));
    for (const [index, { status }] of answers.entries())
      assert.ok(status < 500, `${paths[index]}: ${status} ${server.err}`);
    assert.is((await server.kill('SIGTERM')).code, 0);
    const name = listCaches().find((file) => file.startsWith('late.cjs')) ?? '';
    assert.match(name, /-server\.cache$/);
    assert.is(isRejected(name, 'late.cjs'), 'false');
  },
);

cache('a check keeps its own code, which another command would lack', async () => {
  const cwd = folders.makeProject();
  const check = new Running(join(copied, basename(getProgram())), ['check'], { cwd });
  assert.is((await check.ended).code, 0, check.err);
  const names = listCaches().filter((name) => name.startsWith('program.cjs'));
  assert.is(names.length, 1);
  assert.match(names[0] ?? '', /-check\.cache$/);
});

cache('a list keeps its own code, though it takes less than other commands must', async () => {
  const cwd = folders.makeProject();
  const list = new Running(join(copied, basename(getProgram())), ['schema', 'list'], { cwd });
  assert.is((await list.ended).code, 0, list.err);
  const names = listCaches().filter((name) => name.startsWith('program.cjs') && name.includes('-list'));
  assert.is(names.length, 1);
});

cache.run();
