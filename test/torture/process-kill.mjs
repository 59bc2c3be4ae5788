// Kills processes of `treadle start --workers 2` on SQLite at random moments under writers: some workers, then the
// first process. Every acknowledged row must exist, no request may hang, the workers must end with the first process,
// and the database must be intact.
// Usage: node --import tsx test/torture/process-kill.mjs [--short] [--seed n] [--rounds n]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sqlite3 from 'sqlite3';
import { createDice } from './_migration-world.mjs';
import { createAgent, StartSite, writeNote } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    rounds: { type: 'string' },
  },
});
/** Each round ends with the kill of the first process, after up to two kills of a worker. */
const rounds = Number(values.rounds ?? (values.short ? 3 : 300));
const WRITERS = 32;
/** Milliseconds without an answer after which a request counts as hanging: a write waits for a lock 5 s at most. */
const HANGS_MS = 10_000;
/** Milliseconds that workers may outlive the first process: 2 s, and more because the storm uses every processor. */
const GONE_MS = 6000;
const dice = createDice(Number(values.seed));
const fail = (message) => {
  throw new Error(message);
};

const site = await StartSite.make();
const acknowledged = new Set();
const count = { workers: 0, firsts: 0, cut: 0, refused: 0, late: 0 };
const startMs = [];
const goneMs = [];

/** Writes until told to stop; a row counts once its answer arrived. */
async function write(server, state, writer) {
  const agent = createAgent(1);
  while (state.isWriting) {
    state.number += 1;
    const detail = `${state.round}-${writer}-${state.number}`;
    const { status } = await writeNote(server.url, detail, { agent, limit: HANGS_MS });
    if (status === 201) acknowledged.add(detail);
    else if (status === 'CLIENT_TIMEOUT') count.late += 1;
    else if (status === 'ECONNREFUSED') count.refused += 1;
    else if (status === 'ECONNRESET' || status === 'EPIPE') count.cut += 1;
    else if (status !== 503) fail(`a write was answered with ${status}`);
    if (status !== 201) await pause(5);
  }
  agent.destroy();
}

/** Process ids of the serving workers, the newest of each place. */
function listWorkers(server) {
  const pids = new Map();
  for (const line of server.log.split('\n')) {
    if (!line.includes('"a worker serves"') && !line.includes('"a worker ended"')) continue;
    const { event, worker, pid } = JSON.parse(line);
    if (event === 'a worker serves') pids.set(worker, pid);
    else pids.delete(worker);
  }
  return [...pids.values()];
}

const lives = (pid) => {
  try {
    // A process that ended and was not waited for is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function waitFor(what, isSo, milliseconds = 30_000) {
  const begun = performance.now();
  while (!isSo()) {
    if (performance.now() - begun > milliseconds) fail(`${what}: not within ${milliseconds} ms`);
    await pause(10);
  }
  return performance.now() - begun;
}

const readAll = (sql) =>
  new Promise((done, refuse) => {
    const database = new sqlite3.Database(join(site.root, 'var/app.db'), (error) => error && refuse(error));
    database.all(sql, (error, rows) => database.close(() => (error ? refuse(error) : done(rows))));
  });

async function verify(round) {
  const [{ integrity_check: state }] = await readAll('pragma integrity_check');
  if (state !== 'ok') fail(`round ${round}: integrity_check says ${state}`);
  if ((await readAll('pragma foreign_key_check')).length > 0) fail(`round ${round}: foreign keys are broken`);
  const stored = new Set((await readAll('select note_detail from note')).map((row) => row.note_detail));
  const lost = [...acknowledged].filter((detail) => !stored.has(detail));
  if (lost.length > 0) fail(`round ${round}: ${lost.length} acknowledged rows are lost, such as ${lost[0]}`);
}

async function runRound(round) {
  const begun = performance.now();
  const server = await site.start({ more: ['--workers', '2'] });
  startMs.push(performance.now() - begun);
  const state = { round, number: 0, isWriting: true };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(server, state, writer));
  for (let kills = dice.below(3); kills > 0; kills -= 1) {
    await waitFor('both workers', () => listWorkers(server).length === 2);
    await pause(50 + dice.below(450));
    const pid = listWorkers(server)[dice.below(2)];
    if (pid === undefined) continue;
    process.kill(pid, 'SIGKILL');
    count.workers += 1;
    await waitFor('the log of its end', () => server.log.includes(`"pid":${pid},"exitCode":null,"signal":"SIGKILL"`));
  }
  await pause(50 + dice.below(450));
  const pids = listWorkers(server);
  await server.end('SIGKILL');
  count.firsts += 1;
  goneMs.push(await waitFor('the end of the workers', () => !pids.some(lives), GONE_MS));
  state.isWriting = false;
  await Promise.all(writers);
  await verify(round);
}

const percentile = (list, share) => Math.round(list.sort((a, b) => a - b)[Math.ceil(list.length * share) - 1]);
try {
  await site.migrate();
  for (let round = 1; round <= rounds; round += 1) await runRound(round);
  if (count.late > 0) fail(`${count.late} requests got no answer within ${HANGS_MS} ms`);
  process.stdout.write(
    `process-kill: ${count.workers} kills of a worker, ${count.firsts} of the first process, ${acknowledged.size} rows acknowledged, 0 lost; ` +
      `${count.cut} requests cut, ${count.refused} refused, 0 hung; start p95 ${percentile(startMs, 0.95)} ms, workers gone after ${percentile(goneMs, 0.95)} ms (p95)\n`,
  );
} finally {
  await site.close();
}
