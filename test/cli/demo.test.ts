import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../src/cli/create/demo.ts';
import { writeProject } from '../../src/cli/create/project.ts';
import { Folders } from './run.ts';

const test = suite('cli/demo');
const folders = new Folders();
test.after(() => folders.remove());

interface Start {
  /** Printed URL; undefined if it ended without one. */
  readonly url: string | undefined;
  readonly said: () => string;
  end(): Promise<number>;
}

async function start(folder: string): Promise<Start> {
  const stop = new AbortController();
  const said: string[] = [];
  let isPrinted: (url: string) => void = () => {};
  const printed = new Promise<string>((resolve) => {
    isPrinted = resolve;
  });
  const write = (text: string): void => {
    said.push(text);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url !== undefined) isPrinted(url);
  };
  const ended = startDemo(folder, {
    stdout: { write },
    stderr: { write },
    stdin: { async *[Symbol.asyncIterator]() {} },
    env: { PORT: '0', CI: 'true' },
    signal: stop.signal,
  });
  const url = await Promise.race([printed, ended.then(() => undefined)]);
  return {
    url,
    said: () => said.join(''),
    end() {
      stop.abort();
      return ended;
    },
  };
}

async function countArticles(url: string | undefined): Promise<unknown> {
  const answer = await fetch(`${url}/rest/public/article/search`);
  return ((await answer.json()) as { results: { total: number } }).results.total;
}

test('creates the blog with its samples once, and serves the existing one after that', async () => {
  const folder = join(folders.make(), 'demo');
  const first = await start(folder);
  const count = await countArticles(first.url);
  assert.ok(Number(count) > 5, first.said());
  assert.is((await fetch(`${first.url}/article/1`)).status, 200);
  assert.is(await first.end(), 0);

  const second = await start(folder);
  assert.is(await countArticles(second.url), count);
  assert.is(await second.end(), 0);
});

test('samples that cannot be loaded are told of, and tried again from nothing', async () => {
  const folder = join(folders.make(), 'demo');
  writeProject({ folder, template: 'blog', random: (bytes) => Buffer.alloc(bytes, 7) });
  writeFileSync(join(folder, 'fixture', 'comment.ndjson'), 'not a row\n');
  const broken = await start(folder);
  assert.is(broken.url, undefined);
  assert.match(broken.said(), 'This is not a JSON object.');
  assert.is(await broken.end(), 1);
  assert.not(existsSync(join(folder, 'var', 'app.db')));
});

test.run();
