// Effects of PostgreSQL and network faults on a real `treadle start`: a crash, a killed backend, a server that is
// frozen, full, read-only or fails over to its standby, and connections that stall, are cut, delayed, half-open or
// one byte per second. Each request must get its result or 503 with Retry-After, within 2 s; every acknowledged write
// must exist in the end; and the process must serve again within 2 s after the fault, without a restart.
// Usage: node --import tsx test/torture/postgres-faults.mjs [--short] [--only name]
import { strict as assert } from 'node:assert';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ask } from '../database/_server.mjs';
import { Cluster, missingReason } from './_cluster.mjs';
import { createAgent, readNotes, StartSite, send, summarize, writeNote } from './_start-site.mjs';
import { TcpProxy } from './_tcp-proxy.mjs';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string' }, only: { type: 'string' } },
});
const CLIENTS = values.short ? 12 : 24;
/** Maximum milliseconds for an answer, and until recovery after a fault. */
const ANSWER = 2000;
const AGAIN = 2000;
/** Milliseconds that a readiness result is reused. */
const KEPT = 1000;
/** A shared machine answers later; measured times are printed. */
const MARGIN = values.short ? 4000 : 1000;
/** Milliseconds of a lasting fault. */
const LONG = values.short ? 3500 : 10_000;
const FROZEN = values.short ? 3500 : 42_000;

/** Clients that read and write in turn, continuously. */
class Load {
  answers = [];
  acknowledged = new Set();
  #url;
  #state = { isOver: false };
  #clients;
  #count = 0;

  constructor(url, label) {
    this.#url = url;
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, (_, index) => this.#go(index, label)));
  }

  async #go(index, label) {
    const agent = createAgent(1);
    while (!this.#state.isOver) {
      this.#count += 1;
      const detail = `${label} ${this.#count}`;
      const isWrite = index % 2 === 0;
      const answer = await (isWrite ? writeNote(this.#url, detail, { agent }) : readNotes(this.#url, { agent }));
      if (isWrite && answer.status === 201) this.acknowledged.add(detail);
      this.answers.push({ status: answer.status, took: answer.took, retry: answer.headers['retry-after'] });
      await pause(20);
    }
    agent.destroy();
  }

  async end() {
    this.#state.isOver = true;
    await this.#clients;
  }
}

/** Milliseconds until a read and a write succeed; then until the process is ready, whose result may be a second old. */
async function untilServed(url) {
  const begun = performance.now();
  const until = async (isThere) => {
    while (!(await isThere())) {
      assert.ok(performance.now() - begun < 20_000, 'served again at all');
      await pause(20);
    }
    return Math.round(performance.now() - begun);
  };
  const isServed = async () => (await readNotes(url)).status === 200 && (await writeNote(url, 'again')).status === 201;
  const again = await until(isServed);
  return { again, ready: await until(async () => (await send(`${url}/health/ready`)).status === 200) };
}

/** Puts load on a process, runs `fault` and `mend`, and checks every answer. */
async function judge(name, { started, cluster }, { fault, mend, mayFail = true }) {
  const load = new Load(started.url, name);
  await pause(400);
  await fault();
  const mended = await mend?.();
  const { again, ready } = await untilServed(started.url);
  await load.end();
  const { counts, longest } = summarize(load.answers);
  const [{ there }] = await ask(
    mended?.site ?? cluster.site,
    `select count(*) as there from note where note_detail like '${name} %'`,
  );
  const rows = await ask(
    mended?.site ?? cluster.site,
    `select note_detail from note where note_detail like '${name} %'`,
  );
  const found = new Set(rows.map((row) => row.note_detail));
  const lost = [...load.acknowledged].filter((detail) => !found.has(detail));
  const said = `${JSON.stringify(counts)}, longest ${longest} ms, served again after ${again} ms, ready after ${ready} ms`;
  process.stdout.write(
    `postgres-faults ${name}: ${said}; ${load.acknowledged.size} acknowledged, ${lost.length} lost of ${there}\n`,
  );
  const allowed = mayFail ? [200, 201, 503] : [200, 201];
  const others = load.answers.filter(({ status }) => !allowed.includes(status));
  assert.equal(others.length, 0, `${name}: ${JSON.stringify(others.slice(0, 3))}`);
  const bare = load.answers.filter(({ status, retry }) => status === 503 && retry === undefined);
  assert.equal(bare.length, 0, `${name}: 503 without Retry-After`);
  assert.ok(longest <= ANSWER + MARGIN, `${name}: an answer took ${longest} ms`);
  assert.ok(again <= AGAIN + MARGIN, `${name}: served again after ${again} ms`);
  assert.ok(ready <= AGAIN + KEPT + MARGIN, `${name}: ready after ${ready} ms`);
  assert.equal(found.size, rows.length, `${name}: a write was sent twice`);
  assert.equal(lost.length, 0, `${name}: lost ${lost.slice(0, 3)}`);
  assert.equal(started.child.exitCode, null, `${name}: the process lives`);
}

/** Requests readiness during a fault. */
async function assertNotReady(name, { url }) {
  const until = performance.now() + ANSWER + MARGIN;
  let status = 200;
  while (status === 200 && performance.now() < until) status = (await send(`${url}/health/ready`)).status;
  assert.equal(status, 503, `${name}: readiness`);
}

async function takeAll(cluster, count) {
  const clients = [];
  await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString: cluster.url });
      client.on('error', () => {});
      await client.connect().then(
        () => clients.push(client),
        () => {},
      );
    }),
  );
  return () => Promise.all(clients.map((client) => client.end()));
}

const FAULTS = {
  async crash(world) {
    await judge('crash', world, {
      async fault() {
        await world.cluster.stop('immediate');
        await pause(1000);
        await assertNotReady('crash', world.started);
      },
      mend: () => world.cluster.start(),
    });
  },
  async backend(world) {
    await judge('backend', world, {
      async fault() {
        const [{ pid }] = await ask(
          world.cluster.site,
          "select pid from pg_stat_activity where application_name = 'treadle' limit 1",
        );
        process.kill(pid, 'SIGKILL');
        await pause(500);
      },
    });
  },
  async frozen(world) {
    await judge('frozen', world, {
      async fault() {
        world.cluster.freeze();
        await assertNotReady('frozen', world.started);
        await pause(FROZEN);
      },
      mend: () => world.cluster.thaw(),
    });
  },
  async full(world) {
    let give;
    await judge('full', world, {
      async fault() {
        give = await takeAll(world.cluster, 110);
        await ask(world.cluster.url, 'select 1').catch(() => {});
        await pause(LONG / 2);
      },
      mend: () => give().then(() => undefined),
    });
  },
  async readonly(world) {
    const set = async (value) => {
      await world.cluster.ask(`alter system set default_transaction_read_only = ${value}`);
      await world.cluster.ask('select pg_reload_conf()');
    };
    await judge('readonly', world, {
      async fault() {
        await set('on');
        await assertNotReady('readonly', world.started);
        await pause(1000);
      },
      mend: () => set('off'),
    });
  },
  async delayed(world) {
    await judge('delayed', world, {
      async fault() {
        world.proxy.set('delay', 100);
        await pause(LONG / 2);
      },
      mend: () => world.proxy.set('pass'),
    });
  },
  async cut(world) {
    await judge('cut', world, {
      async fault() {
        for (let time = 0; time < (values.short ? 5 : 30); time += 1) {
          world.proxy.cut();
          await pause(200);
        }
      },
    });
  },
  async stalled(world) {
    await judge('stalled', world, {
      async fault() {
        world.proxy.set('stall');
        await assertNotReady('stalled', world.started);
        await pause(LONG);
      },
      mend: () => world.proxy.set('pass'),
    });
  },
  async halfopen(world) {
    await judge('halfopen', world, {
      async fault() {
        world.proxy.set('half-open');
        await pause(LONG);
      },
      mend: () => world.proxy.set('pass'),
    });
  },
  async trickled(world) {
    await judge('trickled', world, {
      async fault() {
        world.proxy.set('trickle');
        await pause(LONG);
      },
      mend: () => world.proxy.set('pass'),
    });
  },
};

/** A primary and a standby, both in the URL: the primary dies, the standby is promoted, and the process continues. */
async function failOver(site, cluster) {
  const standby = await cluster.makeStandby(`${site.folder}/standby`);
  try {
    const url = `postgres://postgres@127.0.0.1:${cluster.port},127.0.0.1:${standby.port}/site?target_session_attrs=read-write`;
    const started = await site.start({ env: { DATABASE_URL: url } });
    await judge(
      'failover',
      { started, cluster },
      {
        async fault() {
          // Writes that the standby has not received would be lost by the servers, not by the process.
          await cluster.ask("alter system set synchronous_standby_names = '*'");
          await cluster.ask('select pg_reload_conf()');
          await pause(500);
          await cluster.stop('immediate');
          await assertNotReady('failover', started);
        },
        async mend() {
          standby.promote();
          await standby.ask("alter system set synchronous_standby_names = ''");
          await standby.ask('select pg_reload_conf()');
          return standby;
        },
      },
    );
    await started.end();
  } finally {
    await standby.remove();
  }
}

async function run() {
  if (missingReason !== undefined) {
    process.stdout.write(`skipped: postgres-faults (${missingReason})\n`);
    return;
  }
  const site = await StartSite.make();
  let cluster;
  let proxy;
  try {
    cluster = await Cluster.make(`${site.folder}/cluster`);
    proxy = await new TcpProxy({ host: '127.0.0.1', port: cluster.port }).open();
    site.addEnvironment({ DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/site` });
    await site.migrate();
    const started = await site.start();
    for (const [name, storm] of Object.entries(FAULTS)) {
      if (values.only === undefined || values.only === name) await storm({ started, cluster, proxy });
    }
    await started.end();
    if (values.only === undefined || values.only === 'failover') await failOver(site, cluster);
  } finally {
    proxy?.set('pass');
    await cluster?.remove();
    await site.close();
    await proxy?.close();
  }
}

await run().catch((error) => {
  process.stdout.write(`postgres-faults: ${error.stack}\n`);
  process.exitCode = 1;
});
