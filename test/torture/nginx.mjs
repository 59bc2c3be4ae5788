// nginx in front of three processes of `treadle start` on PostgreSQL. One is killed under load: at most one request
// fails. Each is replaced in turn (a new one starts on its port once the old one has ended): no request fails. Every
// acknowledged write must exist. The configuration of nginx has the `location` and the `server` line of docs/guide/production.md.
// Usage: node --import tsx test/torture/nginx.mjs [--short]
import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '../database/_server.mjs';
import { Cluster, findPort, missingReason } from './_cluster.mjs';
import { createAgent, readNotes, StartSite, send, summarize, writeNote } from './_start-site.mjs';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string' } },
});
const PROCESSES = 3;
const CLIENTS = values.short ? 8 : 24;
const KILLS = values.short ? 1 : 5;
const ROLLS = values.short ? 1 : 2;
const CALM = 500;

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

const guide = readFileSync(new URL('../../docs/guide/production.md', import.meta.url), 'utf8');
/** The guide's own configuration, so that its advice is tested. */
const location = /^ {2}location \/ \{$.*?^ {2}\}$/ms.exec(guide)?.[0].replace('http://my-blog', 'http://treadle');

const line = /^ {2}server 127\.0\.0\.1:3000(.*;)$/m.exec(guide)?.[1];

function toConfiguration(folder, port, ports) {
  const servers = ports.map((own) => `    server 127.0.0.1:${own}${line}`).join('\n');
  return `daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream treadle {
${servers}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
${location}
  }
}
`;
}

async function startNginx(folder, ports) {
  mkdirSync(folder, { recursive: true });
  const port = await findPort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, toConfiguration(folder, port, ports));
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const url = `http://127.0.0.1:${port}`;
  const until = performance.now() + 5000;
  while ((await send(`${url}/health/live`)).status !== 200) {
    assert.ok(performance.now() < until, `nginx serves: ${said}`);
    await pause(50);
  }
  const gone = new Promise((done) => child.once('exit', done));
  return {
    url,
    end() {
      child.kill('SIGTERM');
      return gone;
    },
  };
}

/**
 * Clients with kept-alive connections, like browsers. One writes: a write in progress in the killed process can
 * neither be answered nor be repeated, so each writer may lose one.
 */
class Load {
  answers = [];
  acknowledged = [];
  #state = { isOver: false };
  #clients;

  constructor(url, label) {
    this.#clients = Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const agent = createAgent(1);
        for (let count = 0; !this.#state.isOver; count += 1) {
          const detail = `${label} ${index} ${count}`;
          const isWrite = index === 0;
          const answer = await (isWrite ? writeNote(url, detail, { agent }) : readNotes(url, { agent }));
          if (isWrite && answer.status === 201) this.acknowledged.push(detail);
          this.answers.push({ status: answer.status, took: answer.took, isWrite });
          await pause(10);
        }
        agent.destroy();
      }),
    );
  }

  get failed() {
    return this.answers.filter(({ status }) => status !== 200 && status !== 201);
  }

  async end() {
    this.#state.isOver = true;
    await this.#clients;
  }
}

async function judge(name, load, cluster, most) {
  await load.end();
  const rows = await ask(cluster.site, 'select note_detail from note');
  const there = new Set(rows.map((row) => row.note_detail));
  const lost = load.acknowledged.filter((detail) => !there.has(detail));
  const { counts, longest } = summarize(load.answers);
  const said = `${JSON.stringify(counts)}, longest ${longest} ms, ${load.failed.length} failed`;
  process.stdout.write(`nginx ${name}: ${said}; ${load.acknowledged.length} acknowledged, ${lost.length} lost\n`);
  assert.ok(load.failed.length <= most, `${name}: ${JSON.stringify(load.failed.slice(0, 5))}`);
  assert.equal(lost.length, 0);
}

async function storm(site, cluster) {
  const ports = [];
  for (let index = 0; index < PROCESSES; index += 1) ports.push(await findPort());
  const env = { TREADLE_BASE_URL: 'http://127.0.0.1' };
  const start = (port) => site.start({ port, env });
  const running = new Map();
  for (const port of ports) running.set(port, await start(port));
  const nginx = await startNginx(join(site.folder, 'nginx'), ports);
  try {
    for (let turn = 0; turn < KILLS; turn += 1) {
      const port = ports[turn % PROCESSES];
      const load = new Load(nginx.url, `kill ${turn}`);
      await pause(CALM);
      await running.get(port).end('SIGKILL');
      await pause(CALM);
      running.set(port, await start(port));
      await pause(CALM);
      await judge('one killed', load, cluster, 1);
    }
    const load = new Load(nginx.url, 'rolling');
    for (let turn = 0; turn < ROLLS * PROCESSES; turn += 1) {
      const port = ports[turn % PROCESSES];
      await pause(CALM);
      await running.get(port).end('SIGTERM');
      running.set(port, await start(port));
    }
    await judge('rolling restart', load, cluster, 0);
  } finally {
    await nginx.end();
  }
}

async function run() {
  const reason = hasNginx ? missingReason : 'needs nginx';
  if (reason !== undefined) {
    process.stdout.write(`skipped: nginx (${reason})\n`);
    return;
  }
  const site = await StartSite.make({ settings: { server: { trustProxy: true, drainSeconds: 1 } } });
  let cluster;
  try {
    cluster = await Cluster.make(`${site.folder}/cluster`);
    site.addEnvironment({ DATABASE_URL: cluster.site });
    await site.migrate();
    await storm(site, cluster);
  } finally {
    await cluster?.remove();
    await site.close();
  }
}

await run().catch((error) => {
  process.stdout.write(`nginx: ${error.stack}\n`);
  process.exitCode = 1;
});
