// Runs the storms one after the other, except those that CI runs in parallel. They are seeded, so that a failure can
// be repeated by the printed command.
// Usage: node test/torture/run.mjs [pattern] [--short [--patient | --timed] [--within=SECONDS]] [--seed n].
// Prints `N passed, N failed` last; exits 1 if one failed.
// `--short` is what CI runs: some minutes in all. Without it a run takes as long as the figures of the issues need.
// `--patient` leaves out the storms that measure time, so that others may run beside it; `--timed` runs only those.
// `--within` skips and names the storms that have not begun after these seconds.
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildInto } from '../bundle.mjs';
import { readSeconds, toTimed } from '../processor-time.mjs';
import { buildProgramInto } from './_program.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '../..');
const words = process.argv.slice(2);
const isShort = words.includes('--short');
const within = Number(words.find((word) => word.startsWith('--within='))?.split('=')[1] ?? Number.POSITIVE_INFINITY);
const seedAt = words.indexOf('--seed');
const seed = seedAt < 0 ? '20261121' : words[seedAt + 1];
const isSeed = (index) => seedAt >= 0 && index === seedAt + 1;
const pattern = new RegExp(words.find((word, index) => !word.startsWith('--') && !isSeed(index)) ?? '');

/** Every script of this folder except this one is a storm; names with `_` are parts of others. */
const storms = readdirSync(folder).filter(
  (name) => name.endsWith('.mjs') && name !== 'run.mjs' && !name.startsWith('_') && pattern.test(name),
);

/** The storms and the program that they start, built once: through a loader each process takes seconds to start. */
const bundle = join(root, `node_modules/.cache/treadle-storms-${process.pid}`);
const program = join(bundle, 'program.cjs');
process.on('exit', () => rmSync(bundle, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
await buildInto(
  bundle,
  storms.map((name) => `torture/${name}`),
);
await buildProgramInto(program);

function run(name) {
  const options = [...(isShort ? ['--short'] : []), '--seed', seed];
  const begun = performance.now();
  return new Promise((done) => {
    const [command, argv] = toTimed([join(bundle, 'torture', name.replace(/\.mjs$/, '.js')), ...options]);
    const child = spawn(command, argv, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '8', TREADLE_TORTURE_PROGRAM: program },
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.on('close', (code) => {
      process.stderr.write(said);
      const used = `${readSeconds(said).toFixed(1)} s of processor time`;
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      if (code === 0) process.stdout.write(`${name}: held (${seconds} s, ${used})\n`);
      else {
        process.stdout.write(`${name}: exit ${code} (${seconds} s). Again with:\n`);
        process.stdout.write(`  node --import tsx test/torture/${name} ${options.join(' ')}\n`);
      }
      done(code === 0);
    });
  });
}

/** Storms that measure no time may run in parallel in CI. */
const isPatient = (name) => isShort && !/^(oauth-nodes|webhook-kill|withstand-logins)\./.test(name);
const SIDE_BY_SIDE = 2;

const failures = [];
const patient = words.includes('--timed') ? [] : storms.filter(isPatient);
const timed = words.includes('--patient') ? [] : storms.filter((name) => !isPatient(name));
let held = 0;
let skipped = 0;
async function work(queue) {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (performance.now() > within * 1000) {
      skipped += 1;
      process.stdout.write(`skipped: ${name}, because ${within} s are over\n`);
    } else if (await run(name)) held += 1;
    else failures.push(name);
  }
}
await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => work(patient)));
await work(timed);
// If the machine stops for a second, a storm misses its times: a short one gets a second chance, alone.
let failed = 0;
for (const name of failures) {
  if (isShort) process.stdout.write(`\nagain, alone: ${name}\n`);
  if (isShort && (await run(name))) held += 1;
  else failed += 1;
}
process.stdout.write(`\n${held} passed, ${failed} failed\n`);
process.exit(failed === 0 && held + skipped > 0 ? 0 : 1);
