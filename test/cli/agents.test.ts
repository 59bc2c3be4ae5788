import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CATALOG } from '../../src/cli/catalog.ts';
import { renderAgents } from '../../src/cli/create/agents.ts';
import { TEMPLATES } from '../../src/cli/create/template.ts';
import { findEntry } from '../../src/cli/program.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/agents');
test.after(() => folders.remove());

const MOST_LINES = 120;
const MOST_TOKENS = 2000;

/** The words of a command line, as a shell reads them. */
const toWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Every command line of the blocks. */
const listLines = (text: string): string[][] =>
  [...text.matchAll(/^npx treadle (.+)$/gm)].map(([, line = '']) => toWords(line));

async function create(template: string, ...flags: string[]): Promise<string> {
  const cwd = folders.make();
  const { code, err } = await run(['create', 'site', '--template', template, '--no-install', '--no-git', ...flags], {
    cwd,
  });
  assert.is(code, 0, err);
  return join(cwd, 'site');
}

for (const template of TEMPLATES) {
  test(`${template}: every command that AGENTS.md shows runs, one after the other`, async () => {
    const root = await create(template);
    const lines = listLines(readFileSync(join(root, 'AGENTS.md'), 'utf8'));
    assert.ok(lines.length > 15);
    for (const words of lines) {
      const { code, out, err } = await run([...words, '--no-interactive'], { cwd: root });
      assert.is(code, 0, `${words.join(' ')}: ${out}${err}`);
    }
    assert.is((await run(['check'], { cwd: root })).code, 0);
  });
}

test('AGENTS.md is short, and names commands, folders and pages that are there', async () => {
  const root = await create('blog');
  const text = readFileSync(join(root, 'AGENTS.md'), 'utf8');
  assert.ok(text.split('\n').length <= MOST_LINES, `${text.split('\n').length} lines`);
  assert.ok(text.length / 4 < MOST_TOKENS, `${text.length / 4} tokens`);
  for (const [, words = ''] of text.matchAll(/`npx treadle ([a-z -]+)`/g)) {
    const entry = findEntry(words.split(' '));
    assert.is(entry?.words.join(' '), words);
  }
  for (const [, path = ''] of text.matchAll(/`((?:app|config|public|fixture|test)\/[\w./-]*)`/g)) {
    // Folders of kinds that a new project has none of are made by the first of them.
    if (!/^config\/(?:scope|webhook|role|app|fieldset)\/$/.test(path)) assert.ok(existsSync(join(root, path)), path);
  }
  for (const [, path = ''] of text.matchAll(/node_modules\/treadle\/(docs\/[\w./-]+)/g))
    assert.ok(existsSync(join(packageRoot, path)), path);
});

test('every command that writes has --dry-run, but for those that AGENTS.md names', async () => {
  const written = await Promise.all(CATALOG.map(async ({ words, load }) => ({ words, command: await load() })));
  // They serve, send or show, but for emit, which AGENTS.md names.
  const without = written.filter(({ command }) => command.isWriting !== true).map(({ words }) => words.join(' '));
  const verbs = /(?:^| )(?:create|update|rename|remove|add|generate|import|migrate|seed|fake)$/;
  assert.equal(
    without.filter((words) => verbs.test(words)),
    [],
  );
  assert.match(renderAgents(), 'but for `emit`');
});

test('--no-agents leaves it out, also of the README, and a dry run names it', async () => {
  for (const template of TEMPLATES) {
    const root = await create(template, '--no-agents');
    assert.not.ok(existsSync(join(root, 'AGENTS.md')));
    assert.not.match(readFileSync(join(root, 'README.md'), 'utf8'), /AGENTS/);
    assert.match(readFileSync(join(await create(template), 'README.md'), 'utf8'), '`AGENTS.md`');
  }
  const { out } = await run(['create', 'x', '--dry-run'], { cwd: folders.make() });
  assert.match(out, 'would write AGENTS.md');
});

test.run();
