import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/package-root.ts';

/** What V8 takes for new objects, in a process of its own. */
const heap = suite('cli/heap');

/** Keeps each object for a while, so that many outlive a collection and V8 wants more space for new ones. */
const SURVIVE = `
const { getHeapSpaceStatistics } = require('node:v8');
const listYoung = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
const kept = [];
const allocate = () => {
  for (let turn = 0; turn < 100_000; turn += 1) kept[Math.floor(Math.random() * 300_000)] = { turn, list: [turn, turn] };
};
while (listYoung() < 16_000_000) allocate();
if (process.argv[2] === 'limited') heap.limitHeapGrowth();
for (let turn = 0; turn < 50; turn += 1) allocate();
process.stdout.write(String(listYoung() / 2 ** 20));`;

function measure(which: string): number {
  const [file] = buildSync({
    entryPoints: [join(packageRoot, 'src/cli/heap.ts')],
    bundle: true,
    platform: 'node',
    format: 'iife',
    globalName: 'heap',
    write: false,
  }).outputFiles;
  // By standard input: Node counts the text after -e among its own options, where the names of flags are looked for.
  const input = `${file?.text}${SURVIVE}`;
  return Number(execFileSync(process.execPath, ['-', which], { encoding: 'utf8', env: {}, input }));
}

heap('a server that has started lets the space for new objects not grow beyond 16 MB', () => {
  assert.ok(measure('free') > 24, 'V8 itself takes more for this work');
  assert.ok(measure('limited') <= 17);
});

heap.run();
