import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

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
const [which, most] = process.argv.slice(2);
if (which === 'limited') heap.limitHeapGrowth();
let turns = 0;
for (; turns < Number(most) && (which === 'limited' || listYoung() < 25_000_000); turns += 1) allocate();
process.stdout.write(JSON.stringify({ turns, megabytes: listYoung() / 2 ** 20 }));`;

/**
 * The same work from the first object on, in turns with a pause, as of a server that gets all its load at once. What
 * survives between two looks of the limit is less than the space may still grow.
 */
const RUSH = `
const { getHeapSpaceStatistics } = require('node:v8');
const kept = [];
if (process.argv[2] === 'limited') heap.limitHeapGrowth();
const work = (turns) => {
  for (let turn = 0; turn < 10_000; turn += 1) kept[Math.floor(Math.random() * 100_000)] = { turn, list: [turn, turn] };
  if (turns > 0) setTimeout(work, 10, turns - 1);
  else {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    process.stdout.write(JSON.stringify({ turns: 60, megabytes: young.space_size / 2 ** 20 }));
  }
};
work(60);`;

interface Measured {
  /** How often the process allocated. */
  readonly turns: number;
  /** Space for new objects afterwards. */
  readonly megabytes: number;
}

/** @param most How often the process allocates at most: V8 without a limit takes more than 24 MB long before. */
function measure(which: string, work: string, most = 50): Measured {
  const [file] = buildSync({
    entryPoints: [join(packageRoot, 'src/cli/heap.ts')],
    bundle: true,
    platform: 'node',
    format: 'iife',
    globalName: 'heap',
    write: false,
  }).outputFiles;
  // By standard input: Node counts the text after -e among its own options, where the names of flags are looked for.
  const input = `${file?.text}${work}`;
  const argv = ['-', which, String(most)];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8', env: {}, input }));
}

heap('a server that has started lets the space for new objects not grow beyond 16 MB', () => {
  const free = measure('free', SURVIVE);
  assert.ok(free.megabytes > 24, 'V8 itself takes more for this work');
  assert.ok(measure('limited', SURVIVE, free.turns * 2).megabytes <= 17);
});

heap('the limit holds under a load that begins at once, and the space still grows up to it', () => {
  assert.ok(measure('free', RUSH).megabytes > 24, 'V8 itself takes more for this work');
  const limited = measure('limited', RUSH).megabytes;
  assert.ok(limited >= 8 && limited <= 17, String(limited));
});

heap.run();
