// Pairs this tree with a build of another commit: the same project and data, the same requests, in turn. Each side has a
// copy of the project of its own, so that writes of one do not show on the other.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { listCalls, SEARCH, SORT } from './calls.mjs';
import { fillDatabase } from './fill.mjs';
import { compare, toRow } from './load.mjs';
import { firstAnswer, memory, startServer, stopServer } from './server.mjs';

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const out = (text) => process.stdout.write(`${text}\n`);

/**
 * Builds a commit in a folder of its own, a git worktree. Uses the installed packages, or installs its own if the commit
 * needs others.
 *
 * @returns the folder, for `removeAside`.
 */
export function buildAside(root, commit, folder) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  const lock = (from) => readFileSync(join(from, 'package-lock.json'), 'utf8');
  if (lock(root) === lock(folder)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' });
  execFileSync(process.execPath, [join(folder, '.ci/build.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

/** Removes the folder, and git's note of it. */
export function removeAside(root, folder) {
  execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
}

const serve = (root, project) => {
  const treadle = join(root, 'dist/bin/treadle.js');
  return startServer(process.execPath, [treadle, 'start', '--port', '0', '--cwd', project], { cwd: project });
};

/** Milliseconds, processor time and memory of the first answer, both sides in turn. */
async function measureStarts(sides, rounds) {
  const found = sides.map(() => ({ milliseconds: [], megabytes: [] }));
  for (let round = 0; round < rounds; round += 1) {
    const turn = [...sides.entries()];
    if (round % 2 === 1) turn.reverse();
    for (const [index, { root, project }] of turn) {
      const one = await firstAnswer(() => serve(root, project), `${SEARCH}?limit=20`);
      for (const key of Object.keys(found[index])) found[index][key].push(one[key]);
    }
  }
  for (const [key, title] of Object.entries({
    milliseconds: 'start to first answer, ms',
    megabytes: 'memory after it, MB',
  })) {
    const [ours, theirs] = found.map((side) => side[key]);
    const ratio = median(ours.map((value, round) => theirs[round] / value));
    out([title, median(ours).toFixed(0), median(theirs).toFixed(0), ratio.toFixed(3)].join('  |  '));
  }
}

/**
 * Prints a line a request: rate and processor time of this tree, of the other commit, and the ratios of the two; a ratio
 * under 1 means that this tree is slower.
 */
export async function measureAgainst(commit, { root, folder, ...options }) {
  const aside = buildAside(root, commit, join(folder, 'aside'));
  try {
    await measurePair(commit, { root, folder, aside, ...options });
  } finally {
    removeAside(root, aside);
  }
}

async function measurePair(commit, { root, folder, aside, rows, only, sections, ...options }) {
  const theirs = { root: aside, project: join(folder, 'theirs') };
  // The older build makes the project: the newer one reads what that wrote, as after an upgrade.
  const { token } = await fillDatabase({ treadle: join(aside, 'dist/bin/treadle.js'), project: theirs.project, rows });
  const ours = { root, project: join(folder, 'ours') };
  cpSync(theirs.project, ours.project, { recursive: true });
  execFileSync(process.execPath, [join(root, 'dist/bin/treadle.js'), 'migrate', '--cwd', ours.project], {
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  out(`this tree  |  ${commit}  |  ratio of rates  |  by processor time  |  p99`);
  if (sections.has('start')) await measureStarts([ours, theirs], options.rounds);
  if (sections.has('calls')) await measureCalls([ours, theirs], { token, rows, only }, options);
}

async function measureCalls(sides, { token, rows, only }, options) {
  const servers = [];
  for (const { root, project } of sides) servers.push(await serve(root, project));
  try {
    const authorization = `Bearer ${token}`;
    const lists = [];
    for (const server of servers) {
      const answer = await fetch(`${server.url}${SEARCH}?limit=20&${SORT}`);
      lists.push(listCalls({ authorization, rows }, { search: answer.headers.get('etag') }));
    }
    for (const title of Object.keys(lists[0])) {
      if (only.length > 0 && !only.some((part) => title.includes(part))) continue;
      const paired = servers.map((server, index) => ({
        name: index === 0 ? 'this tree' : 'the other',
        server,
        request: lists[index][title],
      }));
      toRow(title, await compare(paired, options));
    }
    const [ours, theirs] = servers.map(memory);
    out(['memory after the load', ours.toFixed(0), theirs.toFixed(0), (theirs / ours).toFixed(3)].join('  |  '));
  } finally {
    await Promise.all(servers.map(stopServer));
  }
}
