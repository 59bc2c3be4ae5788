// What the guide "Debugging" says of breakpoints: a debugger sees the project's TypeScript at its path and its lines.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { boot } from '../boot.ts';
import { readBlocks } from '../docs/_block.ts';

const blocks = readBlocks('docs/guide/debugging.md');
const pack = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { bin: { treadle: string } };

const test = suite('e2e/debugging-guide');

test('launch.json starts the program of the package', () => {
  const launch = blocks.find(({ info }) => info === '.vscode/launch.json')?.text ?? '';
  const { configurations } = JSON.parse(launch) as { configurations: { program: string; args?: string[] }[] };
  assert.is(configurations[0]?.program, `\${workspaceFolder}/node_modules/treadle/${pack.bin.treadle}`);
  assert.equal(configurations[0]?.args, ['dev']);
});

test('a breakpoint in a controller has the line of its file', async () => {
  const session = new Session();
  session.connect();
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.url, params.scriptId));
  await session.post('Debugger.enable');
  const site = await boot({ mode: 'development' });
  try {
    const file = join(site.root, 'app/www/src/controller/article.ts');
    const lines = readFileSync(file, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('await search(page, q)'));
    const [url = '', scriptId = ''] =
      [...scripts].find(([known]) => known === file || known === `file://${file}`) ?? [];
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    assert.match(scriptSource.split('\n')[at] ?? '', 'await search(page, q)');
    const { locations } = await session.post('Debugger.setBreakpointByUrl', { url, lineNumber: at });
    assert.is(locations[0]?.lineNumber, at);
  } finally {
    session.disconnect();
    await site.close();
  }
});

test.run();
