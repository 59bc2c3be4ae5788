// Plays the net's requests. One of:
//   node test/record/run.mjs --write              writes answers.txt, which `npm test` compares with
//   node test/record/run.mjs --against <commit>   plays them on the code of a commit, too, and prints what differs in full
//   node test/record/run.mjs --against <commit> --suites <pattern>   runs the suites of each code, and prints which requests,
//                                                with their statuses and names of headers, only one of them saw, or more often
//   node test/record/run.mjs --under /blog        plays them at the root of a host, and under a path: with a proxy that leaves the path
//                                                on, and one that takes it off. They must differ by the path only
// Both take `--show N` (default 20) and `--postgres`. They exit 1 if something differs.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { listDifferences, ORIGIN, toCompared } from './under.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '../..');
const words = process.argv.slice(2);
const optionOf = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const commit = optionOf('--against');
const under = optionOf('--under');
const shown = Number(optionOf('--show') ?? 20);
const FIELDS = ['status', 'headers', 'body', 'rows', 'events'];
const scratch = mkdtempSync(join(tmpdir(), 'treadle-record-'));
process.on('exit', () => {
  if (commit !== undefined) spawnSync('git', ['worktree', 'remove', '--force', join(scratch, 'before')], { cwd: root });
  rmSync(scratch, { recursive: true, force: true });
});

/** Runs the suite on the code of a folder. */
function runSuite(cwd, variables, pattern = '^record/') {
  const argv = ['test/run.mjs', pattern, ...(words.includes('--postgres') ? ['--postgres'] : [])];
  const env = { ...process.env, TREADLE_TEST_BROWSER: '0', ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, env, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(2);
}

/** The outcomes of every request on the code of a folder, by key. */
function play(cwd, name, variables = {}, pattern = '^record/') {
  const out = join(scratch, `${name}.jsonl`);
  runSuite(cwd, { TREADLE_RECORD_OUT: out, ...variables }, pattern);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map(({ key, outcome }) => [key, outcome]));
}

/** The part of two texts where they differ, with what stands around it. */
function printDifference(before, now) {
  const [was, is] = [String(before), String(now)];
  let at = 0;
  while (at < was.length && was[at] === is[at]) at += 1;
  const cut = (text) => JSON.stringify(text.slice(Math.max(0, at - 80), at + 240));
  return `    before ${cut(was)}\n    now    ${cut(is)}\n`;
}

/** How often the suites of a code saw each request with its outcome. */
function countRequests(cwd, name, pattern) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  runSuite(cwd, { TREADLE_RECORD_TAP: folder }, pattern);
  const counts = new Map();
  for (const file of readdirSync(folder))
    for (const line of readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
      counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function compareSuites(aside, pattern) {
  const [before, now] = [countRequests(aside, 'tap-before', pattern), countRequests(root, 'tap-now', pattern)];
  const differing = [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));
  for (const key of differing.slice(0, shown))
    process.stdout.write(`${before.get(key) ?? 0} -> ${now.get(key) ?? 0}  ${key.replaceAll('\t', '  ')}\n`);
  const all = [...now.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${all} requests of ${now.size} kinds, ${differing.length} kinds differ\n`);
  process.exit(differing.length === 0 ? 0 : 1);
}

function compare() {
  const aside = join(scratch, 'before');
  const made = spawnSync('git', ['worktree', 'add', '--detach', aside, commit], { cwd: root, encoding: 'utf8' });
  if (made.status !== 0) {
    process.stderr.write(made.stderr);
    process.exit(2);
  }
  symlinkSync(join(root, 'node_modules'), join(aside, 'node_modules'));
  const suites = optionOf('--suites');
  // Its suites, with the client that notes.
  cpSync(join(root, 'test/client.ts'), join(aside, 'test/client.ts'));
  if (suites !== undefined) compareSuites(aside, suites);
  // The same requests on both sides.
  cpSync(folder, join(aside, 'test/record'), { recursive: true });
  const [before, now] = [play(aside, 'before-play'), play(root, 'now')];
  let differing = 0;
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    const [was, is] = [before.get(key), now.get(key)];
    const fields = was && is ? FIELDS.filter((field) => was[field] !== is[field]) : ['presence'];
    if (fields.length === 0) continue;
    differing += 1;
    if (differing > shown) continue;
    process.stdout.write(`${key}: ${fields.join(', ')}\n`);
    if (was && is) for (const field of fields) process.stdout.write(printDifference(was[field], is[field]));
  }
  process.stdout.write(`${now.size} requests, ${differing} differences\n`);
  process.exit(differing === 0 ? 0 : 1);
}

function compareUnder() {
  const playAt = (name, base, prefix) =>
    play(root, name, { TREADLE_RECORD_BASE: base, TREADLE_RECORD_PREFIX: prefix }, '^record/record');
  const before = playAt('root', ORIGIN, '');
  let differing = 0;
  for (const [name, prefix] of [
    ['the proxy leaves the path on', under],
    ['the proxy takes the path off', ''],
  ]) {
    const now = playAt(prefix === '' ? 'taken' : 'left', ORIGIN + under, prefix);
    let found = 0;
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      const [was, is] = [before.get(key), now.get(key)];
      const told = listDifferences(was, is, under);
      if (told.length === 0) continue;
      found += 1;
      if (found > shown) continue;
      process.stdout.write(`${key}: ${told.slice(0, 5).join(', ')}\n`);
      for (const field of FIELDS.filter((each) => told.includes(each)))
        process.stdout.write(printDifference(...toCompared(was, is, field, under)));
    }
    process.stdout.write(`${name}: ${now.size} requests, ${found} differences\n`);
    differing += found;
  }
  process.exit(differing === 0 ? 0 : 1);
}

if (commit !== undefined) compare();
else if (under !== undefined) compareUnder();
else if (words.includes('--write')) runSuite(root, { TREADLE_RECORD_WRITE: '1' });
else process.stderr.write('Say --write, --against <commit> or --under <path>.\n');
