// Compares Treadle with a bare polka and sqlite3 handler that runs the same SQL by hand: the same data, in one run, in turn.
// Usage: npm run bench [-- --rounds 5 --seconds 3 --rows 50000 --connections 16 --only update,static]
//   --section start,calls,workers,postgres,schemas,rows,import  parts to measure. Default: start,calls,workers
//   --all                  all of them; takes about an hour on a quiet machine
//   --postgres <url>       server for the part "postgres". Default: TREADLE_TEST_POSTGRES
//   --peers [folder]       adds Strapi and Directus projects of this folder. Default: the current one
//   --against <commit>     pairs this tree with a build of that commit, in place of the bare handler: start and calls.
//                          "--against HEAD" on a clean tree shows the spread of the same code against itself
//   --peer <name>          the lines of the part "peer" beside another program with the same rows: "pocketbase", or "none" for
//                          the bare handler alone. Defaults: --rows 100000 --rounds 3 --seconds 3 --connections 8
//   --peer-bin <file>      that program, if it is not in PATH nor where pip puts it
//   --program <file>       this build of Treadle for --peer, in place of a new one
//   --warm <seconds>       warm-up of each server before the lines of --peer. Default: 20
//   --ways one,free        on one core, on all, or both. Default: both
//   --write                writes the figures into docs/benchmark.md
//   --note <text>          what else ran on the machine, for the page
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { measureAgainst } from './against.mjs';
import { listCalls, SEARCH, SORT, toBare } from './calls.mjs';
import { fillDatabase } from './fill.mjs';
import { compare, toRow } from './load.mjs';
import { toBlock, toTable, writeSection } from './page.mjs';
import { measurePeer } from './peer/measure.mjs';
import { measurePeers } from './peers.mjs';
import { measurePostgres } from './postgres.mjs';
import { firstAnswer, memory, startServer, stopServer } from './server.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const given = process.argv.slice(2);
// The folder of --peers may be left out.
const peersAt = given.indexOf('--peers');
if (peersAt >= 0 && (given[peersAt + 1] ?? '--').startsWith('--')) given.splice(peersAt + 1, 0, '.');
const { values } = parseArgs({
  args: given,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string' },
    connections: { type: 'string' },
    only: { type: 'string', default: '' },
    section: { type: 'string', default: 'start,calls,workers' },
    all: { type: 'boolean', default: false },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? '' },
    peers: { type: 'string' },
    against: { type: 'string' },
    peer: { type: 'string' },
    'peer-bin': { type: 'string' },
    program: { type: 'string' },
    warm: { type: 'string', default: '20' },
    ways: { type: 'string', default: 'one,free' },
    write: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
  },
});
const SECTIONS = ['start', 'calls', 'workers', 'postgres', 'schemas', 'rows', 'import'];
const sections = new Set(values.all ? SECTIONS : values.section.split(','));
for (const name of sections)
  if (!SECTIONS.includes(name)) throw new Error(`There is no section "${name}". There are: ${SECTIONS.join(', ')}.`);
const isPeer = values.peer !== undefined;
const options = {
  rounds: Number(values.rounds ?? (isPeer ? 3 : 5)),
  seconds: Number(values.seconds),
  connections: Number(values.connections ?? (isPeer ? 8 : 16)),
};
const only = values.only.split(',').filter(Boolean);
const rows = Number(values.rows ?? (isPeer ? 100_000 : 50_000));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const treadle = resolve(values.program ?? join(root, 'dist/bin/treadle.js'));
const out = (text) => process.stdout.write(`${text}\n`);

function keep(section, text) {
  if (values.write) writeSection(section, text, values.note);
}

const serveOurs = (project, extra = [], env = {}) =>
  startServer(process.execPath, [treadle, 'start', '--port', '0', '--cwd', project, ...extra], { cwd: project, env });
const serveBare = (file, project) =>
  startServer(process.execPath, [join(root, 'test/bench/bare.mjs'), file, join(project, 'public')], { cwd: root });

async function measureStarts(ours, bare) {
  const starts = { ours: [], bare: [] };
  for (let round = 0; round < options.rounds; round += 1) {
    starts.bare.push(await firstAnswer(bare, '/rest/public/article/search?limit=20'));
    starts.ours.push(await firstAnswer(ours, '/rest/public/article/search?limit=20'));
  }
  return [
    ['milliseconds', 'start to first answer, ms'],
    ['megabytes', 'memory after it, MB'],
  ].map(([what, title]) => {
    const [a, b] = [median(starts.ours.map((one) => one[what])), median(starts.bare.map((one) => one[what]))];
    return [title, a.toFixed(0), b.toFixed(0), (a / b).toFixed(2)];
  });
}

async function measureCalls(left, right, calls) {
  const table = [];
  for (const [title, request] of Object.entries(calls)) {
    if (only.length > 0 && !only.some((part) => title.includes(part))) continue;
    const sides = [
      { name: 'treadle', server: left, request },
      { name: 'bare', server: right, request: toBare(request) },
    ];
    table.push(toRow(title, await compare(sides, options)));
  }
  return table;
}

const TWO = ['search, 20', 'detail', 'create', 'static'];

/** One process beside two workers. */
async function measureWorkers(project, calls, env = {}) {
  const servers = [await serveOurs(project, ['--workers', '2'], env), await serveOurs(project, [], env)];
  const table = [];
  try {
    for (const [title, request] of Object.entries(calls)) {
      if (!TWO.some((part) => title.startsWith(part))) continue;
      const sides = servers.map((server, index) => ({ name: index === 0 ? 'two workers' : 'one', server, request }));
      table.push(toRow(title, await compare(sides, options)));
    }
  } finally {
    await Promise.all(servers.map(stopServer));
  }
  return table;
}

/** Runs a bench of its own and keeps what it prints. */
async function runScript(name, args) {
  const child = spawn(process.execPath, [join(root, 'test/bench', name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((done) => child.on('close', done));
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return text;
}

const HEAD = ['', 'Treadle', 'bare', 'ratio of rates', 'by processor time', 'p99'];
const HEAD_TWO = ['', 'two workers', 'one process', 'ratio of rates', 'by processor time', 'p99'];

async function measureBlog(folder) {
  const project = join(folder, 'blog');
  const { token } = await fillDatabase({ treadle, project, rows });
  const bareFile = join(folder, 'bare.db');
  copyFileSync(join(project, 'var/app.db'), bareFile);
  const bare = () => serveBare(bareFile, project);
  if (sections.has('start')) {
    const found = await measureStarts(() => serveOurs(project), bare);
    for (const cells of found) out(cells.join('  |  '));
    keep('start', toTable(['', 'Treadle', 'bare', 'ratio'], found));
  }
  const authorization = `Bearer ${token}`;
  const [left, right] = [await serveOurs(project), await bare()];
  const answer = await fetch(`${left.url}${SEARCH}?limit=20&${SORT}`);
  const calls = listCalls({ authorization, rows }, { search: answer.headers.get('etag') });
  try {
    if (sections.has('calls')) {
      const table = await measureCalls(left, right, calls);
      const [ours, theirs] = [memory(left), memory(right)];
      table.push([
        'memory after the load',
        `${ours.toFixed(0)} MB`,
        `${theirs.toFixed(0)} MB`,
        (ours / theirs).toFixed(2),
        '',
        '',
      ]);
      out(table.at(-1).join('  |  '));
      keep('calls', toTable(HEAD, table));
    }
    if (values.peers !== undefined) {
      const table = await measurePeers(resolve(values.peers), left, { ...options, out });
      keep('peers', table);
    }
  } finally {
    await Promise.all([left, right].map(stopServer));
  }
  if (sections.has('workers')) keep('workers', toTable(HEAD_TWO, await measureWorkers(project, calls)));
  if (sections.has('postgres')) {
    const measure = (env) => measureWorkers(project, calls, env);
    const found = await measurePostgres({ treadle, project, url: values.postgres, out }, measure);
    if (found !== undefined) keep('postgres', toTable(HEAD_TWO, found));
  }
}

if (values.program === undefined) await run(process.execPath, [join(root, '.ci/build.mjs')], { cwd: root });
const folder = mkdtempSync(join(tmpdir(), 'treadle-bench-'));
try {
  if (values.against !== undefined) {
    await measureAgainst(values.against, { root, folder, rows, only, sections, ...options });
    sections.clear();
  }
  if (isPeer) {
    const ways = values.ways.split(',').map((way) => (way === 'one' ? 'one core' : way));
    const asked = { ways, binary: values['peer-bin'], warm: Number(values.warm), rows, only, ...options };
    keep('peer', await measurePeer(values.peer, { treadle, folder, out, ...asked }));
    sections.clear();
  }
  const isBlog = ['start', 'calls', 'workers', 'postgres'].some((name) => sections.has(name));
  if (isBlog || values.peers !== undefined) await measureBlog(folder);
  if (sections.has('schemas'))
    keep('schemas', toBlock(await runScript('wide.mjs', ['--rounds', String(options.rounds)])));
  if (sections.has('rows')) keep('rows', toBlock(await runScript('rows.mjs', [])));
  if (sections.has('import')) {
    const found = [];
    for (const kind of ['plain', 'words', 'html']) found.push(await runScript('import.mjs', ['200000', kind]));
    keep('import', toBlock(found.join('')));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
