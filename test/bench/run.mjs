// Compares Treadle with a bare polka + sqlite3 handler that runs the same SQL by hand: same database, same run, in pairs.
// Usage: npm run bench [-- --rounds 5 --seconds 3 --rows 10000 --connections 16]
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import autocannon from 'autocannon';
import { fillDatabase } from './fill.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const treadle = join(root, 'dist/bin/treadle.js');

function start(script, args, cwd) {
  const begun = performance.now();
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', CI: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((done, fail) => {
    let text = '';
    child.on('exit', (code) => fail(new Error(`${script} ended with ${code}: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? /^(\d+)\n/.exec(text)?.[1];
      if (port) done({ child, port, begun, url: `http://127.0.0.1:${port}` });
    });
  });
}

const stop = (server) =>
  new Promise((done) => {
    server.child.removeAllListeners('exit');
    server.child.on('exit', done);
    server.child.kill('SIGTERM');
  });

const memory = (server) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function firstAnswer(script, args, cwd, path) {
  const server = await start(script, args, cwd);
  const answer = await fetch(server.url + path);
  await answer.arrayBuffer();
  const milliseconds = performance.now() - server.begun;
  const megabytes = memory(server);
  await stop(server);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return { milliseconds, megabytes };
}

/** Seconds of processor time of a server: steadier than requests per second on a busy machine. */
function cpuSeconds(server) {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Stands for another number in each request: answers that were given before are kept. */
const ANY = '{any}';
const NUMBERS = 10_000;

async function loadOne(url, extra) {
  const args = [
    join(root, 'node_modules/autocannon/autocannon.js'),
    '-j',
    '-c',
    values.connections,
    '-d',
    values.seconds,
    ...extra,
    url,
  ];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

async function loadAny(url) {
  const count = Math.min(NUMBERS, Number(values.rows));
  const requests = Array.from({ length: count }, () => {
    const { pathname, search } = new URL(url.replace(ANY, String(1 + Math.floor(Math.random() * count))));
    return { path: pathname + search };
  });
  const { origin } = new URL(url.replace(ANY, '1'));
  return autocannon({
    url: origin,
    connections: Number(values.connections),
    duration: Number(values.seconds),
    requests,
  });
}

async function load(server, path, extra, status = 200) {
  const url = server.url + path;
  const before = cpuSeconds(server);
  const result = url.includes(ANY) ? await loadAny(url) : await loadOne(url, extra);
  const others = result.requests.total - (result.statusCodeStats?.[status]?.count ?? 0);
  if (others > result.requests.total / 1000 || result.errors > 0)
    throw new Error(`${url}: ${others} not ${status}, ${result.errors} errors`);
  const cpu = ((cpuSeconds(server) - before) / result.requests.total) * 1e6;
  return { perSecond: result.requests.average, p99: result.latency.p99, cpu };
}

async function pair(name, ours, bare) {
  if (values.only && !name.includes(values.only)) return;
  const figures = { ours: [], bare: [], ratio: [], p99: [], cpu: [] };
  for (let round = 0; round < rounds; round += 1) {
    const sides = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'];
    const found = {};
    for (const side of sides) found[side] = await load(...(side === 'ours' ? ours : bare));
    figures.ours.push(found.ours.perSecond);
    figures.bare.push(found.bare.perSecond);
    figures.ratio.push(found.ours.perSecond / found.bare.perSecond);
    figures.p99.push(found.ours.p99);
    figures.cpu.push(found.bare.cpu / found.ours.cpu);
  }
  const show = (list) => Math.round(median(list)).toString().padStart(6);
  process.stdout.write(
    `${name.padEnd(34)} treadle ${show(figures.ours)}/s  bare ${show(figures.bare)}/s  ratio ${median(figures.ratio).toFixed(2)} (by processor time ${median(figures.cpu).toFixed(2)})  p99 ${median(figures.p99)} ms\n`,
  );
}

await run(process.execPath, [join(root, '.ci/build.mjs')], { cwd: root });
const folder = mkdtempSync(join(tmpdir(), 'treadle-bench-'));
try {
  const project = join(folder, 'blog');
  const { token } = await fillDatabase({ treadle, project, rows: Number(values.rows) });
  const file = join(project, 'var/app.db');
  const bareFile = join(folder, 'bare.db');
  copyFileSync(file, bareFile);
  const bareScript = join(root, 'test/bench/bare.mjs');
  const ours = ['start', '--port', '0', '--cwd', project];

  const starts = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    starts.bare.push(await firstAnswer(bareScript, [bareFile], root, '/rest/public/article/search?limit=20'));
    starts.ours.push(await firstAnswer(treadle, ours, project, '/rest/public/article/search?limit=20'));
  }
  for (const [what, unit] of [
    ['milliseconds', 'ms to the first answer'],
    ['megabytes', 'MB after it'],
  ]) {
    const [a, b] = [median(starts.ours.map((s) => s[what])), median(starts.bare.map((s) => s[what]))];
    process.stdout.write(
      `${unit.padEnd(34)} treadle ${a.toFixed(0).padStart(6)}    bare ${b.toFixed(0).padStart(6)}    ratio ${(a / b).toFixed(2)}\n`,
    );
  }

  const left = await start(treadle, ours, project);
  const right = await start(bareScript, [bareFile], root);
  const query = 'limit=20&sort=-article_published';
  const search = `/rest/public/article/search?${query}`;
  const bare = [right, search, []];
  const bearer = ['-H', `authorization=Bearer ${token}`];
  const getTag = async (path, headers = {}) => (await fetch(left.url + path, { headers })).headers.get('etag');
  await pair('REST search, 20 rows with total', [left, search, []], bare);
  const own = `/rest/user/article/search?${query}`;
  await pair('the same with token, scope, limit', [left, own, bearer], bare);
  await pair('304 of the search', [left, search, ['-H', `if-none-match=${await getTag(search)}`], 304], bare);
  const tag = await getTag(own, { authorization: `Bearer ${token}` });
  await pair('304 with token, scope, limit', [left, own, [...bearer, '-H', `if-none-match=${tag}`], 304], bare);
  await pair('the search packed by br', [left, search, ['-H', 'accept-encoding=br']], bare);
  const detail = '/rest/public/article/detail/77';
  await pair('REST detail with comments', [left, detail, []], [right, detail, []]);
  const anyDetail = `/rest/public/article/detail/${ANY}`;
  await pair('the same of any article', [left, anyDetail, []], [right, anyDetail, []]);
  const anySearch = `/rest/public/article/search?${query}&offset=${ANY}`;
  await pair('the search of any page', [left, anySearch, []], [right, anySearch, []]);
  await pair('the page /articles', [left, '/articles', []], [right, '/articles', []]);
  const body = JSON.stringify({ comment_detail: 'A comment from the bench.' });
  const bareBody = JSON.stringify({ comment_detail: 'A comment from the bench.', article_id: 77 });
  const post = (text) => ['-m', 'POST', '-H', 'content-type=application/json', '-b', text];
  await pair(
    'comment create',
    [left, '/rest/user/comment/create', [...post(body), ...bearer], 201],
    [right, '/rest/user/comment/create', post(bareBody), 201],
  );
  process.stdout.write(
    `memory after the load: treadle ${memory(left).toFixed(0)} MB, bare ${memory(right).toFixed(0)} MB\n`,
  );
  await Promise.all([stop(left), stop(right)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
