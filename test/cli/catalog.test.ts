import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CATALOG } from '../../src/cli/catalog.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/catalog');
test.after(() => folders.remove());

test('every command has help with its own example', async () => {
  const cwd = folders.make();
  for (const { words, load } of CATALOG) {
    const { code, out } = await run([...words, '--help'], { cwd });
    assert.is(code, 0);
    const spec = await load();
    assert.ok(spec.examples.length > 0, words.join(' '));
    for (const example of spec.examples) assert.match(example, `treadle ${words.join(' ')}`);
    assert.match(out, `$ ${spec.examples[0]}`);
    assert.is(out.includes('--dry-run '), spec.isWriting === true || words.join(' ') === 'migrate', words.join(' '));
    assert.match(out, '--json');
  }
});

const HELP: readonly (readonly [string, RegExp])[] = [
  ['role', /list +lists the roles\n/],
  ['rest', /create +defines a REST call\n[\s\S]*list +lists the REST calls\n/],
  ['app', /show +shows an app\n/],
  // Words of the shapes, without their Markdown; what a shape cannot know follows.
  ['webhook create', /--secret-version <number> +version of the signing secret\./],
  ['role create', /--permission <method:path> +paths that the role opens \(required; repeatable\)/],
  ['schema create', /--singular <singular> +label of one, such as Article\. Made from the name if left out/],
  ['rest create', /--concurrency <concurrency> +whether a change of a row requires If-Match\. Default optional/],
  ['rest update', /--no-open +the opposite of --open\n/],
];

test('help names kinds and flags in the words of the model', async () => {
  const cwd = folders.make();
  for (const [words, text] of HELP) {
    const { out } = await run([...words.split(' '), '--help'], { cwd });
    // Wrapped to the terminal's width.
    assert.match(out.replace(/\n {20,}/g, ' '), text, words);
  }
});

test('completions name every command', async () => {
  const cwd = folders.make();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await run(['completion', shell], { cwd });
    assert.is(code, 0);
    for (const { words } of CATALOG) for (const word of words) assert.match(out, word);
  }
});

/** Modules that a command line loads, from the module loader's cache. */
function listLoaded(argv: readonly string[], cwd: string): string[] {
  const script = `
    import { createRequire } from 'node:module';
    const { main } = await import(${JSON.stringify(pathToFileURL(join(packageRoot, 'src/cli/main.ts')).href)});
    const code = await main(${JSON.stringify(argv)}, { stdout: { write() {} }, stderr: { write() {} }, cwd: ${JSON.stringify(cwd)}, env: {} });
    const cache = Object.keys(createRequire(import.meta.url)('module')._cache);
    process.stdout.write(JSON.stringify({ code, cache }));
  `;
  const words = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { code, cache } = JSON.parse(execFileSync(process.execPath, words, { cwd: packageRoot }).toString());
  assert.is(code, 0, argv.join(' '));
  return cache;
}

test('commands that define load no database, and no .env is needed', () => {
  const root = folders.makeProject();
  const loaded = listLoaded(['schema', 'create', 'x', '--field', 'a:text'], root);
  assert.not(loaded.some((path) => /[\\/](sqlite3|pg)[\\/]/.test(path)));
  assert.not(loaded.some((path) => path.includes(join('src', 'database'))));
});

test.run();
