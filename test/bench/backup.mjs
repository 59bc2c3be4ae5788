// Measures what a backup costs a concurrent writer: a steady writer's commit time, alone and during `treadle backup`,
// in turns in the same run. Then it restores the last backup, which must have every row that was acknowledged before
// it began.
// Usage: node --import tsx test/bench/backup.mjs [--rows 200000] [--rate 500] [--rounds 5] [--seconds 6]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CompiledQuery } from 'kysely';
import { writeProject } from '../../src/cli/create/project.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    rate: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
    /** Runs the built program instead of the source. */
    dist: { type: 'boolean', default: false },
  },
});
const [rows, rate, rounds, seconds] = [values.rows, values.rate, values.rounds, values.seconds].map(Number);
const main = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'treadle-bench-'));
const root = join(folder, 'blog');
const backup = join(folder, 'backup.treadle');
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const quantile = (list, part) => [...list].sort((a, b) => a - b)[Math.floor(list.length * part)];
const open = (file) => openDatabase({ url: `sqlite:${file}`, root, log: silentLog, clock: systemClock });
const run = (database, text, parameters = []) => database.run(CompiledQuery.raw(text), parameters);

/** Runs the command line in a separate process; returns its output and peak memory. */
function treadle(args, env = {}) {
  const script = values.dist
    ? [join(main, 'dist/bin/treadle.js')]
    : ['--import', join(main, 'node_modules/tsx/dist/loader.mjs'), join(main, 'bin/treadle.ts')];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...script, ...args], {
      cwd: root,
      env: { ...process.env, ...env, CI: '1' },
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => (code === 0 ? done(text) : fail(new Error(`treadle ${args.join(' ')}: ${text}`))));
  });
}

/** Writes at a steady rate until told to stop; each row is a separate unit. */
function startWriter(database) {
  const times = [];
  const acknowledged = [];
  const pending = new Set();
  let isOn = true;
  let next = performance.now();
  const tick = () => {
    if (!isOn) return;
    for (const now = performance.now(); next <= now; next += 1000 / rate) {
      const begun = performance.now();
      const text =
        "insert into comment (comment_detail, profile_id, comment_created) values ('written', 1, '2026-01-01 00:00:00') returning comment_id";
      const work = database
        .write(() => run(database, text))
        .then(([row]) => {
          times.push(performance.now() - begun);
          acknowledged.push(row.comment_id);
          pending.delete(work);
        });
      pending.add(work);
    }
    setTimeout(tick, 1);
  };
  tick();
  return {
    times,
    acknowledged,
    async stop() {
      isOn = false;
      await Promise.all(pending);
    },
  };
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

writeProject({ folder: root, template: 'blog', random: (bytes) => Buffer.alloc(bytes, 7) });
await treadle(['migrate']);
const database = await open('var/app.db');
await database.restructure(async () => {
  await run(database, "insert into profile (profile_id, profile_name) values (1, 'Bench')");
  for (let start = 0; start < rows; start += 1000) {
    const list = JSON.stringify(Array.from({ length: 1000 }, (_, index) => start + index + 1));
    await run(
      database,
      `insert into article (article_id, article_title, article_slug, article_detail, article_created)
        select value, 'Article ' || value, 'article-' || value, hex(randomblob(150)), '2026-01-01 00:00:00' from json_each(?)`,
      [list],
    );
  }
});
process.stdout.write(
  `${rows} rows, ${rate} writes a second, ${(statSync(join(root, 'var/app.db')).size / 1e6).toFixed(0)} MB\n`,
);

const alone = [];
const beside = [];
const took = [];
let before = [];
for (let round = 0; round < rounds; round += 1) {
  const first = startWriter(database);
  await sleep(seconds * 1000);
  await first.stop();
  const second = startWriter(database);
  await sleep(500);
  const from = second.times.length;
  before = [...second.acknowledged];
  const begun = performance.now();
  await treadle(['backup', '--out', backup, '--yes']);
  took.push((performance.now() - begun) / 1000);
  const to = second.times.length;
  await second.stop();
  alone.push(quantile(first.times, 0.99));
  beside.push(quantile(second.times.slice(from, to), 0.99));
  const count = `${first.times.length}/${to - from} writes`;
  process.stdout.write(
    `round ${round + 1}: alone p50 ${quantile(first.times, 0.5).toFixed(2)} p99 ${alone.at(-1).toFixed(2)} ms; beside p50 ${quantile(second.times.slice(from, to), 0.5).toFixed(2)} p99 ${beside.at(-1).toFixed(2)} ms; backup ${took.at(-1).toFixed(1)} s; ${count}\n`,
  );
}
await database.close();
await treadle(['restore', backup], { DATABASE_URL: 'sqlite:var/other.db' });
const other = await open('var/other.db');
const there = new Set((await run(other, 'select comment_id from comment')).map((row) => row.comment_id));
const missing = before.filter((id) => !there.has(id));
const [{ n }] = await run(other, 'select count(*) as n from article');
await other.close();
rmSync(folder, { recursive: true, force: true });
const ratio = median(beside) / median(alone);
process.stdout.write(
  `p99 ${median(alone).toFixed(2)} ms alone, ${median(beside).toFixed(2)} ms beside: ${ratio.toFixed(2)}. ` +
    `Backup ${median(took).toFixed(1)} s, ${Math.round(rows / median(took))} rows/s with start-up. ` +
    `${before.length - missing.length} of ${before.length} acknowledged writes and ${n} of ${rows} rows are in the last backup.\n`,
);
process.exit(missing.length === 0 && n === rows ? 0 : 1);
