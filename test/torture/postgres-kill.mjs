// Kills processes of `treadle start` on PostgreSQL with SIGKILL while 32 writers send: the row of every write
// answered with 201 must exist. Three processes share the database; each is killed at a random moment and restarted.
// Usage: node --import tsx test/torture/postgres-kill.mjs [--short] [--seed n] [--kills n]
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '../database/_server.mjs';
import { Cluster, missingReason } from './_cluster.mjs';
import { createDice } from './_migration-world.mjs';
import { createAgent, StartSite, summarize, writeNote } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    kills: { type: 'string' },
  },
});
const kills = Number(values.kills ?? (values.short ? 4 : 1000));
const WRITERS = 32;
const PROCESSES = values.short ? 2 : 3;
/** Maximum milliseconds until a process has acknowledged a write. */
const LOAD = 10_000;
/** Minimum milliseconds from then to its kill. */
const LEAST = 50;
const MOST = 500;
/** Milliseconds between two writes of a writer, because starts need processor time too. */
const BREATH = 40;
const TELL = 100;

async function storm(site, cluster) {
  const dice = createDice(Number(values.seed));
  const serving = new Set();
  const state = { killed: 0, isOver: false, sent: 0, starts: [], writing: new Set() };
  const acknowledged = new Set();
  const answers = [];

  async function writeOn(index) {
    const agent = createAgent(1);
    while (!state.isOver) {
      const urls = [...serving].map(({ url }) => url);
      const url = urls[dice.below(Math.max(urls.length, 1))];
      if (url !== undefined) {
        state.sent += 1;
        const detail = `${index}-${state.sent}`;
        const answer = await writeNote(url, detail, { agent, limit: 10_000 });
        answers.push({ status: answer.status, took: answer.took });
        if (answer.status === 201) {
          acknowledged.add(detail);
          state.writing.add(url);
        }
      }
      await pause(BREATH);
    }
    agent.destroy();
  }

  async function killOn() {
    while (state.killed < kills) {
      state.killed += 1;
      const turn = state.killed;
      const begun = performance.now();
      const started = await site.start();
      state.starts.push(performance.now() - begun);
      serving.add(started);
      // Under load: it has acknowledged a write.
      const until = performance.now() + LOAD;
      while (!state.writing.has(started.url) && performance.now() < until) await pause(5);
      await pause(LEAST + dice.below(MOST - LEAST));
      const dying = started.end('SIGKILL');
      serving.delete(started);
      await dying;
      if (turn % TELL === 0) await judge(cluster, acknowledged, `after ${turn} kills`);
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, index) => writeOn(index));
  await Promise.all(Array.from({ length: PROCESSES }, killOn));
  state.isOver = true;
  await Promise.all(writers);
  await judge(cluster, acknowledged, `after ${kills} kills`);
  const sorted = state.starts.sort((a, b) => a - b);
  const p95 = Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0);
  const { counts } = summarize(answers);
  process.stdout.write(`postgres-kill: ${JSON.stringify(counts)}, start p95 ${p95} ms\n`);
  if (acknowledged.size === 0) throw new Error('No write was acknowledged: nothing was tested.');
}

async function judge(cluster, acknowledged, when) {
  const asked = [...acknowledged];
  const rows = await ask(cluster.site, 'select note_detail from note');
  const there = new Set(rows.map((row) => row.note_detail));
  const lost = asked.filter((detail) => !there.has(detail));
  process.stdout.write(`postgres-kill ${when}: ${asked.length} writes acknowledged, ${lost.length} lost\n`);
  if (lost.length > 0) throw new Error(`Lost: ${lost.slice(0, 5).join(', ')}`);
}

async function run() {
  if (missingReason !== undefined) {
    process.stdout.write(`skipped: postgres-kill (${missingReason})\n`);
    return;
  }
  const site = await StartSite.make();
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
  process.stdout.write(`postgres-kill, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
});
