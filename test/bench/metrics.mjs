// Measures what `server.metrics` costs a request: processor time of a server with metrics on, and of one with metrics
// off, in turns.
// Usage: node test/bench/metrics.mjs [--rounds 9] [--requests 8000] [--path /health/live]. Build first: npm run build
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import autocannon from 'autocannon';

const run = promisify(execFile);
const treadle = fileURLToPath(new URL('../../dist/bin/treadle.js', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    requests: { type: 'string', default: '8000' },
    path: { type: 'string', default: '/rest/public/article/search?limit=1' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'treadle-metrics-'));
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function start(metrics) {
  const project = join(folder, metrics);
  const env = { ...process.env, CI: 'true', NODE_ENV: 'production' };
  await run(process.execPath, [treadle, 'create', project, '--no-install', '--no-git'], { env });
  const file = join(project, 'config/settings.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), server: { metrics } }));
  await run(process.execPath, [treadle, 'migrate', '--cwd', project], { env });
  const child = spawn(process.execPath, [treadle, 'start', '--port', '0', '--cwd', project], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`start ended with ${code}`)));
    child.stdout.on('data', (chunk) => done(String(chunk).trim()));
  });
  return { child, url, spent: [] };
}

/** Processor time of a process, in ticks of 10 ms. */
function readTicks({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function measure(server, amount) {
  const before = readTicks(server.child);
  await autocannon({ url: server.url + values.path, connections: 8, amount });
  return ((readTicks(server.child) - before) * 10_000) / amount;
}

const servers = { off: await start('off'), loopback: await start('loopback') };
try {
  const amount = Number(values.requests);
  for (const server of Object.values(servers)) await measure(server, amount);
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const server of round % 2 ? Object.values(servers) : Object.values(servers).reverse())
      server.spent.push(await measure(server, amount));
  const ratios = servers.off.spent.map((spent, round) => servers.loopback.spent[round] / spent);
  for (const [name, { spent }] of Object.entries(servers))
    process.stdout.write(`${name}: ${median(spent).toFixed(1)} µs of processor time a request\n`);
  process.stdout.write(`on to off, median of ${ratios.length} pairs: ${median(ratios).toFixed(3)}\n`);
} finally {
  for (const { child } of Object.values(servers)) {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
  rmSync(folder, { recursive: true, force: true });
}
