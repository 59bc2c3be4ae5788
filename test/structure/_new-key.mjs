// Adds a line to a file of the sources in memory, and runs _where-key.ts with it. Usage: node _new-key.mjs <folder> <file> <line after it> <line>.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { bundleChanged, endBundling } from '../bundle.mjs';

const [, , folder, file, next, line] = process.argv;
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
await bundleChanged('structure/_where-key.ts', folder, {
  file,
  change: (text) => text.replace(next, () => `${line}\n${next}`),
});
await endBundling();
const { status } = spawnSync(process.execPath, [join(folder, 'structure/_where-key.js')], { stdio: 'inherit' });
process.exitCode = status ?? 1;
