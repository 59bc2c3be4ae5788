// Kills `treadle start` on SQLite with SIGKILL at a random moment while 32 writers send, and starts it again. After
// each kill the file must be intact: pages, foreign keys, every item with all of its links, and every acknowledged
// item. The file is checked once the next process is ready, so that this process reads the log as the last one left
// it.
// Usage: node --import tsx test/torture/sqlite-kill.mjs [--short] [--seed n] [--kills n] [--workers n] [--megabytes
// n]
// --workers 2 kills all processes, or every third time one worker only. --megabytes fills the file first; its pages
// are then checked every 25th time.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDice } from './_migration-world.mjs';
import { judgeFile, makeSqliteSite, startWriters, withFile } from './_sqlite-site.mjs';
import { send } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    kills: { type: 'string' },
    workers: { type: 'string', default: '1' },
    megabytes: { type: 'string', default: '0' },
  },
});
const kills = Number(values.kills ?? (values.short ? 6 : 1000));
const workers = Number(values.workers);
const megabytes = Number(values.megabytes);
/** Milliseconds from the first write to the kill. */
const LEAST = 50;
const MOST = 500;
const READY_MS = 30_000;
const TELL = 50;
const THOROUGH_EVERY = 25;

/** Rows of 1 kB with an index of the same size, in order, so that no page is written twice. */
async function fill(file) {
  if (megabytes === 0) return;
  await withFile(file, async (all) => {
    await all('pragma synchronous = off');
    for (let part = 0; part < megabytes / 2; part += 1)
      await all(`insert into note (note_detail)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 1024)
        select printf('%010d', ${part * 1024} + i) || hex(zeroblob(500)) from n`);
    await all('pragma wal_checkpoint(truncate)');
  });
}

async function untilReady(url) {
  const end = performance.now() + READY_MS;
  for (;;) {
    const { status } = await send(`${url}/health/ready`, { limit: 5000 });
    if (status === 200) return;
    if (performance.now() > end) throw new Error(`It is not ready: ${status}`);
    await pause(5);
  }
}

/** Child processes of a process; Linux only. */
function listChildren(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killAll(started) {
  const children = listChildren(started.child.pid);
  const ended = started.end('SIGKILL');
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with the first process.
    }
  }
  return ended;
}

async function storm(site) {
  const dice = createDice(Number(values.seed));
  const acknowledged = new Set();
  const starts = [];
  const more = workers > 1 ? ['--workers', String(workers)] : [];
  let killed = 0;
  let sent = 0;
  while (killed < kills) {
    const begun = performance.now();
    const started = await site.start({ more });
    await untilReady(started.url);
    starts.push(performance.now() - begun);
    const isThorough = megabytes === 0 || killed % THOROUGH_EVERY === 0;
    const faults = await judgeFile(site.file, acknowledged, { isThorough });
    if (faults.length > 0) throw new Error(`After ${killed} kills: ${faults.join('; ')}`);
    const writers = startWriters(started.url, { prefix: `round ${killed}` });
    await pause(LEAST + dice.below(MOST - LEAST));
    if (workers > 1 && killed % 3 === 2) {
      // First one worker, then the others shortly after.
      const children = listChildren(started.child.pid);
      const one = children[dice.below(Math.max(children.length, 1))];
      if (one !== undefined) process.kill(one, 'SIGKILL');
      await pause(LEAST + dice.below(MOST - LEAST));
    }
    await killAll(started);
    await writers.stop();
    killed += 1;
    sent += writers.answers.length;
    for (const name of writers.acknowledged) acknowledged.add(name);
    if (killed % TELL === 0) process.stderr.write(`sqlite-kill: ${killed} kills, ${acknowledged.size} acknowledged\n`);
  }
  const started = await site.start({ more });
  await untilReady(started.url);
  const faults = await judgeFile(site.file, acknowledged);
  await started.end();
  if (faults.length > 0) throw new Error(`After ${killed} kills: ${faults.join('; ')}`);
  if (acknowledged.size === 0) throw new Error('No write was acknowledged: nothing was tested.');
  starts.sort((a, b) => a - b);
  const at = (part) => Math.round(starts[Math.floor(starts.length * part)] ?? 0);
  process.stdout.write(
    `sqlite-kill: ${killed} kills, ${workers} processes, ${megabytes} MB before; ${sent} sent, ${acknowledged.size} acknowledged, 0 lost, 0 half written, start to ready ${at(0.5)} ms (p95 ${at(0.95)} ms)\n`,
  );
}

const site = await makeSqliteSite();
try {
  await fill(site.file);
  await storm(site);
} catch (error) {
  process.stdout.write(`sqlite-kill, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await site.close();
}
