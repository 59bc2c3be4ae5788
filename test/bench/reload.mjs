// Hot reload under load: saves definitions, templates and controllers while connections read. Reports how soon each
// change is served, how many requests failed, and how reloads affect memory.
// Usage: node test/bench/reload.mjs [--saves 50] [--connections 16] [--reloads 200]
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const treadle = join(root, 'dist/bin/treadle.js');
const { values } = parseArgs({
  options: {
    saves: { type: 'string', default: '50' },
    connections: { type: 'string', default: '16' },
    reloads: { type: 'string', default: '200' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'treadle-reload-'));
const project = join(folder, 'blog');
const at = (path) => join(project, path);
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
const environment = { ...process.env, CI: 'true', UV_THREADPOOL_SIZE: '8' };
await run(process.execPath, [treadle, 'create', project, '--no-install', '--no-git'], { env: environment });
await run(process.execPath, [treadle, 'api', 'populate', '--cwd', project], { env: environment });
const server = spawn(process.execPath, ['--expose-gc', treadle, 'dev', '--port', '0', '--cwd', project], {
  env: environment,
  stdio: ['ignore', 'pipe', 'pipe'],
});
const said = { text: '' };
server.stderr.on('data', (chunk) => {
  said.text += chunk;
});
const url = await new Promise((done, fail) => {
  server.on('exit', (code) => fail(new Error(`dev ended with ${code}: ${said.text}`)));
  server.stdout.on('data', (chunk) => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk));
    if (found) done(found[0]);
  });
});
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const count = { done: 0, failed: 0 };
const state = { isReading: true };
async function read() {
  while (state.isReading) {
    try {
      const answer = await fetch(`${url}/articles`);
      await answer.text();
      if (answer.status === 200) count.done += 1;
      else count.failed += 1;
    } catch {
      count.failed += 1;
    }
  }
}

const template = readFileSync(at('app/www/src/template/article/search.html'), 'utf8');
const controller = readFileSync(at('app/www/src/controller/static.ts'), 'utf8');
const rest = JSON.parse(readFileSync(at('config/rest/public-article-search.json'), 'utf8'));
/** The saved files, and where each change is visible. */
const changes = [
  (mark) => {
    writeFileSync(at('app/www/src/template/article/search.html'), `${template}\n<p>${mark}</p>\n`);
    return '/articles';
  },
  (mark) => {
    const route = `\n  app.get('/mark', (request, response) => { response.setContent('${mark}'); });\n}\n`;
    writeFileSync(at('app/www/src/controller/static.ts'), controller.replace(/\n}\s*$/, route));
    return '/mark';
  },
  (mark) => {
    writeFileSync(
      at('config/rest/public-article-search.json'),
      `${JSON.stringify({ ...rest, title: mark }, null, 2)}\n`,
    );
    return '/developer/docs/openapi.json';
  },
];

async function waitFor(path, mark) {
  const begun = performance.now();
  while (performance.now() - begun < 10_000) {
    const answer = await fetch(url + path);
    if ((await answer.text()).includes(mark)) return performance.now() - begun;
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error(`${mark} was not served at ${path}: ${said.text.slice(-2000)}`);
}

try {
  const readers = Array.from({ length: Number(values.connections) }, read);
  const times = [];
  for (let save = 0; save < Number(values.saves); save += 1) {
    const mark = `mark-${save}-${process.pid}`;
    times.push(await waitFor(changes[save % changes.length](mark), mark));
  }
  state.isReading = false;
  await Promise.all(readers);
  process.stdout.write(
    `saves ${times.length}, read meanwhile ${count.done}, failed ${count.failed}, served after ${quantile(times, 0.5).toFixed(0)} ms (median), ${quantile(times, 0.95).toFixed(0)} ms (p95), ${Math.max(...times).toFixed(0)} ms (most)\n`,
  );
  const before = memory();
  for (let reload = 0; reload < Number(values.reloads); reload += 1) {
    const mark = `again-${reload}-${process.pid}`;
    await waitFor(changes[reload % changes.length](mark), mark);
    if (reload % 50 === 49) process.stdout.write(`after ${reload + 1} reloads: ${memory().toFixed(0)} MB\n`);
  }
  process.stdout.write(`memory before ${before.toFixed(0)} MB, after ${memory().toFixed(0)} MB\n`);
} finally {
  server.removeAllListeners('exit');
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
