import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CATALOG } from '../../src/cli/catalog.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/catalog');
test.after(() => folders.remove());

test('every command has help with an example of its own', async () => {
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

test('completions name every command', async () => {
  const cwd = folders.make();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await run(['completion', shell], { cwd });
    assert.is(code, 0);
    for (const { words } of CATALOG) for (const word of words) assert.match(out, word);
  }
});

/** Modules that a command line loads, by the module loader's own cache. */
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
