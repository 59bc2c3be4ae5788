import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { main } from '../../src/cli/main.ts';
import { findRunning } from '../../src/cli/running.ts';
import { Folders } from './run.ts';

const test = suite('cli/dev');
const folders = new Folders();
test.after(() => folders.remove());

/** Collects output; a promise resolves when a text occurs in it. */
class Written {
  text = '';
  #waiting: { readonly pattern: RegExp; readonly resolve: () => void }[] = [];

  write(text: string): void {
    this.text += text;
    this.#waiting = this.#waiting.filter(({ pattern, resolve }) => {
      if (pattern.test(this.text)) resolve();
      return !pattern.test(this.text);
    });
  }

  has(pattern: RegExp): Promise<void> {
    if (pattern.test(this.text)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ pattern, resolve }));
  }
}

test('tells its address, what it reloads, what is broken and that it is mended; advice once', async () => {
  const root = folders.makeProject();
  const [out, err] = [new Written(), new Written()];
  const stop = new AbortController();
  const ended = main(['dev', '--port', '0'], {
    cwd: root,
    env: {},
    stdout: { write: (text: string) => out.write(text) },
    stderr: { write: (text: string) => err.write(text) },
    stdin: { async *[Symbol.asyncIterator]() {} },
    signal: stop.signal,
  });
  await out.has(/http:\/\/127\.0\.0\.1:\d+\n/);
  await err.has(/Saved files are served at once/);
  await err.has(/Admin: http:\/\/127\.0\.0\.1:\d+\/admin\n/);
  await err.has(/Passkeys: http:\/\/localhost:\d+ /);
  assert.match(out.text, /^http:\/\/127\.0\.0\.1:\d+\n$/, 'nothing else on standard output');

  const template = join(root, 'app/www/src/template/home.html');
  const good = readFileSync(template, 'utf8');
  // The watcher does not report when it is ready, so the file is written until the change is noticed.
  const save = (text: string): NodeJS.Timeout => {
    writeFileSync(template, text);
    return setInterval(() => writeFileSync(template, text), 500);
  };
  for (const [text, said] of [
    [`${good}<!-- a -->`, /Reloaded app\/www\/src\/template\/home\.html\./],
    [`${good}{{/if}}`, /home\.html:\d+.*\[VIEW_TEMPLATE_BROKEN\]\nThe last good version stays in use\./],
    [good, /Fixed\. Reloaded app\/www\/src\/template\/home\.html\./],
  ] as const) {
    const again = save(text);
    await err.has(said);
    clearInterval(again);
  }
  writeFileSync(join(root, 'config/notes.json'), '{}');
  await err.has(/PROJECT_CONFIG_UNKNOWN/);
  writeFileSync(join(root, 'public/x.css'), 'a {}');
  // On a busy machine one reload has both files.
  await err.has(/Reloaded (?:config\/notes\.json, )?public\/x\.css\./);
  assert.is(err.text.split('PROJECT_CONFIG_UNKNOWN').length, 2);
  stop.abort();
  assert.is(await ended, 0);
});

/** `treadle dev` in this process. */
function start(root: string): { out: Written; err: Written; stop: () => Promise<number> } {
  const [out, err] = [new Written(), new Written()];
  const stop = new AbortController();
  const ended = main(['dev', '--port', '0'], {
    cwd: root,
    env: {},
    stdout: { write: (text: string) => out.write(text) },
    stderr: { write: (text: string) => err.write(text) },
    stdin: { async *[Symbol.asyncIterator]() {} },
    signal: stop.signal,
  });
  return {
    out,
    err,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

test('a site under a path is told with it, and served with and without it', async () => {
  const root = folders.makeProject();
  const file = join(root, 'config/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...settings, server: { baseUrl: 'http://localhost:3000/blog' } }));
  const { out, err, stop } = start(root);
  await out.has(/^http:\/\/127\.0\.0\.1:\d+\/blog\n$/);
  await err.has(/Admin: http:\/\/127\.0\.0\.1:\d+\/blog\/admin\n/);
  await err.has(/Passkeys: http:\/\/localhost:\d+\/blog /);
  const [address] = out.text.split('\n');
  for (const url of [`${address}/`, `${address}`, new URL('/', address).href]) {
    const page = await (await fetch(url)).text();
    assert.match(page, '<script src="/blog/__treadle/reload.js"', url);
    assert.match(page, 'href="/blog/styles/treadle.css', url);
  }
  assert.match(await (await fetch(`${address}/__treadle/reload.js`)).text(), "new URL('reload', script.src)");
  const stream = await fetch(`${address}/__treadle/reload`);
  assert.is(stream.headers.get('content-type'), 'text/event-stream');
  await stream.body?.cancel();
  // Commands that ask the server find it.
  assert.is(findRunning(root), new URL(address ?? '').origin);
  assert.is(await stop(), 0);
});

test('a broken project is told, and served once it is fixed; its address is known to other commands meanwhile', async () => {
  const root = folders.makeProject();
  const file = join(root, 'config/settings.json');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, good.replace('{', '{ "nmae": "x",'));
  const { out, err, stop } = start(root);
  await err.has(/DEFINITION_KEY_UNKNOWN[\s\S]*looks again each time a file is saved/);
  assert.is(out.text, '');
  writeFileSync(file, good);
  await out.has(/http:\/\/127\.0\.0\.1:\d+\n/);
  const url = out.text.trim();
  assert.is(findRunning(root), url);
  // A change between the read of the files and the watcher's start is served as well.
  writeFileSync(join(root, 'public/at-once.css'), 'a {}');
  await err.has(/Reloaded (?:\S+, )*public\/at-once\.css/);
  assert.is(await stop(), 0);
  assert.is(findRunning(root), undefined);
  assert.not(existsSync(join(root, 'var/dev.json')));
});

test('a stopped dev that waits for the fix ends; a note of a process that is gone is ignored', async () => {
  const root = folders.makeProject();
  writeFileSync(join(root, 'config/settings.json'), '{');
  const { err, stop } = start(root);
  await err.has(/looks again each time a file is saved/);
  assert.is(await stop(), 0);
  mkdirSync(join(root, 'var'), { recursive: true });
  for (const text of ['{"pid":4194399,"url":"http://127.0.0.1:1"}', '{', '{"pid":1}', '']) {
    writeFileSync(join(root, 'var/dev.json'), text);
    assert.is(findRunning(root), undefined, text);
  }
});

test.run();
