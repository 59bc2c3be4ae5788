// Runs the test files in as many processes as there are cores, sums what uvu counts, then reports coverage.
// Usage: node test/run.mjs [pattern ...] [--check] [--coverage] [--times] [--again] [--within=SECONDS] [--browser] [--postgres [--data]].
// Prints `N passed, N failed` last; exits 1 if one failed.
// --check also runs `npm run check`, beside the first batches: it counts as a failure if it finds something.
// --again runs a batch that failed once more, alone, and names it: CI's machine may stop for seconds. A batch that fails twice has failed.
// --within skips and names the batches that have not begun after these seconds, so that a slow machine ends in time.
// --browser takes only suites that need Chromium.
// --times adds each batch's processor time, children included, and lists batches and suites by it at the end.
// With --postgres the tests keep their data on a PostgreSQL server: that of TREADLE_TEST_POSTGRES or DATABASE_URL, a local
// one, or else PGlite in memory (TREADLE_TEST_POSTGRES=pglite asks for that). --data takes only suites to which the database
// makes a difference, by the rule in select.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundleProgram, bundleTests, endBundling } from './bundle.mjs';
import { reportCoverage } from './coverage.mjs';
import { readRunSeconds, readSeconds, toTimed } from './processor-time.mjs';
import { listBatches, needsChromium } from './select.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const keepAlive = new URL('keep-alive.mjs', import.meta.url).href;
const suiteTimes = new URL('suite-times.mjs', import.meta.url).href;
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const within = Number(flags.find((flag) => flag.startsWith('--within='))?.split('=')[1] ?? Number.POSITIVE_INFINITY);
const pattern = new RegExp(words.join('|'));
/**
 * One more than two cores, because many tests wait for a child process, a disk or a server. A walk through pages waits for nothing:
 * Chromium draws without a graphics card.
 */
const processes = flags.includes('--browser') ? 1 : Math.max(3, Math.min(4, availableParallelism()));
/** Maximum size of the temporary folders of a whole run, with a margin. */
const SCRATCH_BYTES = 2 * 2 ** 30;
/** Lower limit of the lines with code that suites reach, for `--coverage`. */
const COVERED_PERCENT = 95;
/** Longer than any test takes on a slow machine. uvu prints a sign for each test, so a batch that prints nothing hangs. */
const STALL_MS = 3 * 60 * 1000;
/** The same for a walk through the pages in Chromium, which is one test of more than a minute where nothing runs beside it. */
const BROWSER_STALL_MS = 6 * 60 * 1000;
/** The same for a test that installs packages, one of which is compiled. */
const INSTALL_STALL_MS = 15 * 60 * 1000;
/**
 * Space for new objects from the start: growing to it costs a thirtieth of the time. And seven times V8's own budget before it
 * optimizes a function: most run too seldom in a suite to gain what that costs, a fifth of the time.
 */
const V8 = ['--min-semi-space-size=16', '--interrupt-budget=500000'];
/** A batch that does not end by then after its last suite has left something open. */
const END_MS = 30_000;
/** How many suites `--times` lists. */
const SUITES_LISTED = 40;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes are control characters.
const COLOUR = /\u001b\[\d+m/g;

const isWithoutBrowser = process.env.TREADLE_TEST_BROWSER === '0';
const batches = listBatches({
  pattern,
  isPostgres: flags.includes('--postgres'),
  isData: flags.includes('--data'),
  isBrowser: flags.includes('--browser'),
});
const sizeOf = (file) => statSync(join(root, 'test', file)).size;
const sizes = new Map(
  [...batches].map(([batch, files]) => [batch, files.reduce((sum, file) => sum + sizeOf(file), 0)]),
);
// Longest first, so that no process runs a long batch alone at the end.
const weight = (batch) => sizes.get(batch) * (/^(e2e|package|security|cli processes)\b/.test(batch) ? 20 : 1);
const queue = [...batches.keys()].sort((a, b) => weight(b) - weight(a));

if (isWithoutBrowser) process.stdout.write('skipped: what needs Chromium (TREADLE_TEST_BROWSER is 0)\n');
const coverage = flags.includes('--coverage') ? mkdtempSync(join(tmpdir(), 'treadle-coverage-')) : undefined;
const server = flags.includes('--postgres') ? await (await import('./database/_server.mjs')).openServer() : undefined;
if (server) {
  process.stdout.write(`database: ${server.words}\n`);
  process.stdout.write(`skipped: suites without a database, or that look at pages; test/select.mjs has the rule\n`);
}
/**
 * A folder in memory for the tests' files, which takes half the time of a disk. Not used if TMPDIR is set, or if it
 * is small or does not run scripts.
 */
function makeScratch() {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < SCRATCH_BYTES) return undefined;
    const folder = mkdtempSync('/dev/shm/treadle-');
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const script = join(folder, 'probe');
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(script).status === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}
const CHROMIUM = '/usr/bin/chromium';
/** Drawing in the browser's own process saves a sixth of its time. */
const CHROMIUM_ARGS =
  '--no-sandbox --disable-gpu --in-process-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
/**
 * Chromium takes the last list only, so this one repeats what matters of Playwright's. The last three make pages and
 * processes that nobody looks at, which is half of what a new window costs.
 */
const CHROMIUM_WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];
/** The browser of all suites; undefined if none is installed, or none is wanted. */
async function startChromium() {
  if (isWithoutBrowser || !existsSync(CHROMIUM)) return undefined;
  const { chromium: playwright } = await import('playwright-core');
  const args = [...CHROMIUM_ARGS.split(' '), `--disable-features=${CHROMIUM_WITHOUT.join(',')}`];
  return playwright.launchServer({ executablePath: CHROMIUM, args, host: '127.0.0.1' });
}
const scratch = makeScratch();
// No test may read the location of the developer's data.
const { TREADLE_TEST_POSTGRES: _, DATABASE_URL: __, ...inherited } = process.env;
/**
 * Node reads these certificates at each start, which takes three times as long then. Only installations leave this machine.
 */
const { NODE_EXTRA_CA_CERTS: certificates, ...plain } = inherited;
const environment = {
  ...plain,
  ...server?.environment,
  ...(scratch === undefined ? {} : { TMPDIR: scratch }),
  FORCE_COLOR: '0',
  UV_THREADPOOL_SIZE: '8',
};
/** Coverage is measured for core, model and plan through these suites, which reach 97.2 %. Counting costs a tenth of their time. */
const WATCHED = /^(core|cli second|e2e first|feature (first|second|third))$/;
const isWatched = (batch) => coverage !== undefined && WATCHED.test(batch);
const bundle = await bundleTests([...batches.values()].flat());
const chromium = [...batches.keys()].some(needsChromium) ? await startChromium() : undefined;
if (chromium !== undefined) environment.TREADLE_TEST_CHROMIUM = chromium.wsEndpoint();
const program = await bundleProgram([...batches.values()].flat(), bundle.folder);
if (program !== undefined) environment.TREADLE_TEST_PROGRAM = program;
await endBundling();
// Also after an interruption.
process.on('exit', bundle.remove);
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const count = { passed: 0, total: 0, broken: 0, skipped: 0 };
/** Output of failed batches, printed again at the end, because a CI log is often read from its end. */
const failures = [];
const isAgain = flags.includes('--again');
/** Processor seconds by batch, including child processes. */
const times = new Map();
/** Processor seconds by suite, without child processes; `imports` is what a batch loads before its first suite. */
const suiteSeconds = new Map();
function noteTimes(batch, text) {
  times.set(batch, readSeconds(text));
  for (const [, suite, seconds] of text.matchAll(/^suite-time (\S+) ([\d.]+)$/gm))
    suiteSeconds.set(`${suite}${suite === 'imports' ? ` of ${batch}` : ''}`, Number(seconds));
}
/** @param isLast True if a failure counts; otherwise the batch runs again when all others have ended. */
function runBatch(batch, isLast) {
  return new Promise((done) => {
    const names = batches.get(batch).map((file) => file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const escaped = `^(${names.join('|')})$`.replaceAll('\\.ts', '\\.js');
    const begun = performance.now();
    const watching = isWatched(batch);
    const how = ['node_modules/uvu/bin.js', bundle.folder, escaped];
    const timing = flags.includes('--times');
    const node = [...V8, '--import', keepAlive, ...(timing ? ['--import', suiteTimes] : []), ...how, '-i', 'fixture'];
    const [command, argv] = timing ? toTimed(node) : [process.execPath, node];
    const child = spawn(command, argv, {
      cwd: root,
      env: {
        ...environment,
        ...(batch.startsWith('package/') && certificates !== undefined ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
        ...(watching ? { NODE_V8_COVERAGE: coverage } : {}),
      },
    });
    const chunks = [];
    let ending;
    const stallMs = batch.startsWith('package/')
      ? INSTALL_STALL_MS
      : needsChromium(batch)
        ? BROWSER_STALL_MS
        : STALL_MS;
    const stall = setTimeout(() => {
      const told = `\nNo test ended for ${stallMs / 1000} s: the batch was stopped in the suite named last.\n`;
      chunks.push(Buffer.from(told));
      child.kill('SIGKILL');
    }, stallMs);
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      stall.refresh();
      // All suites have ended: what a failed one left open must not hold the batch.
      if (chunk.includes('Duration:')) ending = setTimeout(() => child.kill('SIGKILL'), END_MS);
    });
    const errors = [];
    child.stderr.on('data', (chunk) => {
      chunks.push(chunk);
      errors.push(chunk);
    });
    child.on('close', (code) => {
      clearTimeout(stall);
      clearTimeout(ending);
      const text = Buffer.concat(chunks).toString().replace(COLOUR, '');
      if (timing) noteTimes(batch, Buffer.concat(errors).toString());
      const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s${timing ? `, ${times.get(batch).toFixed(1)} s of processor time` : ''}`;
      const passed = Number(/Passed:\s+(\d+)/.exec(text)?.[1] ?? 0);
      const total = Number(/Total:\s+(\d+)/.exec(text)?.[1] ?? 0);
      const isWhole = code === 0 && passed === total;
      // uvu exits with 0 if code before a suite fails.
      const isBroken = code !== 0 && passed === total;
      const skipped = text.match(/^skipped: .*$/gm) ?? [];
      const isEmpty = total === 0 && skipped.length === 0 && (chromium !== undefined || !needsChromium(batch));
      for (const line of skipped) process.stdout.write(`${line}\n`);
      const isFailed = !isWhole || isEmpty;
      if (isFailed) {
        const told = `${toFailureText(text)}\n${batch}: exit ${code}, ${passed} of ${total}\n`;
        process.stdout.write(`\n${told}`);
        failures.push(told);
      } else process.stdout.write(`${batch}: ${passed} (${seconds})\n`);
      if (isFailed && !isLast) failed.push(batch);
      else {
        count.passed += passed;
        count.total += total;
        if (isBroken || isEmpty) count.broken += 1;
      }
      done();
    });
  });
}

const sourceMaps = new Map();
/** The place in the source of a place in the bundle. */
function toSourcePlace(place, script, line, column) {
  if (!existsSync(`${script}.map`)) return place;
  const map = sourceMaps.get(script) ?? new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')));
  sourceMaps.set(script, map);
  const { originalSource, originalLine, originalColumn } = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (originalSource === undefined) return place;
  const file = relative(root, resolve(dirname(script), originalSource));
  return `${file}:${originalLine + 1}:${originalColumn + 1}`;
}

/** The output without the suites that passed, with places in the source. */
function toFailureText(text) {
  const lines = text
    .replace(/(?:file:\/\/)?(\/[^\s()]+\.js):(\d+):(\d+)/g, toSourcePlace)
    .split('\n')
    .filter((line) => !/^ ?\S.*\((\d+) \/ \1\)$/.test(line) && !/^\S+\.test\.[jt]s$/.test(line));
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

/** Format, lint and types. */
function check() {
  const begun = performance.now();
  return new Promise((done) => {
    const child = spawn('npm', ['run', '--silent', 'check'], { cwd: root });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (code) => {
      const told = `${Buffer.concat(chunks)}\ncheck: exit ${code}\n`;
      if (code === 0) process.stdout.write(`check (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
      else {
        process.stdout.write(told);
        failures.push(told);
        count.broken += 1;
      }
      done();
    });
  });
}

/** Batches that failed once, to be run again. */
const failed = [];
async function work(isFirst) {
  if (isFirst && flags.includes('--check')) await check();
  for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
    if (performance.now() < within * 1000) await runBatch(batch, !isAgain);
    else {
      count.skipped += 1;
      process.stdout.write(`skipped: ${batch}, because ${within} s are over\n`);
    }
  }
}

await Promise.all(Array.from({ length: processes }, (_, index) => work(index === 0)));
for (const batch of failed) {
  process.stdout.write(`\nagain, alone: ${batch}\n`);
  await runBatch(batch, true);
}
await chromium?.close();
const left = (await server?.stop()) ?? 0;
if (left > 0) process.stdout.write(`schemas that tests left behind, now gone: ${left}\n`);
let failedCount = count.total - count.passed + count.broken;
if (coverage) {
  const percent = reportCoverage({ folder: coverage, bundle: bundle.folder, root, layers: ['core', 'model', 'plan'] });
  if (percent < COVERED_PERCENT) {
    process.stdout.write(`Less than ${COVERED_PERCENT}% of the lines are reached.\n`);
    failedCount += 1;
  }
  rmSync(coverage, { recursive: true, force: true });
}
if (times.size > 0) {
  const sorted = [...times].sort(([, a], [, b]) => b - a);
  const sum = sorted.reduce((total, [, seconds]) => total + seconds, 0);
  process.stdout.write(`\nProcessor time by batch, ${sum.toFixed(0)} s in all:\n`);
  for (const [batch, seconds] of sorted) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${batch}\n`);
  const suites = [...suiteSeconds].sort(([, a], [, b]) => b - a).slice(0, SUITES_LISTED);
  process.stdout.write(`\nSuites that used most in their own process:\n`);
  for (const [suite, seconds] of suites) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${suite}\n`);
}
const used = readRunSeconds();
if (used !== undefined) process.stdout.write(`\nProcessor time, all processes: ${used.toFixed(0)} s\n`);
if (failures.length > 0) process.stdout.write(`\n== What failed\n${failures.join('\n')}`);
process.stdout.write(`\n${count.passed} passed, ${failedCount} failed\n`);
process.exit(failedCount === 0 && count.passed + count.skipped > 0 ? 0 : 1);
