import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { main } from '../../src/cli/main.ts';
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
  await err.has(/Reloaded public\/x\.css\./);
  assert.is(err.text.split('PROJECT_CONFIG_UNKNOWN').length, 2);
  stop.abort();
  assert.is(await ended, 0);
});

test.run();
