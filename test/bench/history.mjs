// Paired: writes of a project that keeps a history, against the same writes without one, by processor time.
// Usage: node --import tsx test/bench/history.mjs [rounds] [writes per round] [writes at once]. Prints milliseconds of
// processor time a write, and the median of the pairs' ratios. An import of [rows] rows follows with --import <rows>.
// TREADLE_TEST_POSTGRES=postgres://… measures a PostgreSQL server; if it is on this machine, the processor time of its
// sessions is counted too, and shown in brackets. Use a database of its own.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { boot } from '../boot.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { import: { type: 'string' }, only: { type: 'string' } },
});
const [rounds = 30, writes = 200, atOnce = 8] = positionals.map(Number);
const words = 'Looms weave warp and weft into cloth, and a heddle lifts every other thread. '.repeat(25);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const out = (text) => process.stdout.write(`${text}\n`);

/** Process ids of the server's sessions. */
async function listSessions({ kysely, dialect }) {
  if (dialect !== 'postgres') return [];
  const query = sql`select pid from pg_stat_activity where datname = current_database() and state is not null`;
  return (await query.execute(kysely)).rows.map(({ pid }) => pid);
}

/** Milliseconds of processor time of processes on this machine; 0 for those of another. */
function readServer(pids) {
  return pids.reduce((sum, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return sum;
    }
  }, 0);
}

/** Processor time in milliseconds: of all threads of this process, SQLite's included, and of the server's sessions. */
async function measure(database, work) {
  const pids = await listSessions(database);
  const before = readServer(pids);
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  const server = readServer(pids) - before;
  return { all: (user + system) / 1000 + server, server };
}

/** Runs work for each number, so many at once. */
async function each(count, work) {
  const state = { next: 0 };
  const line = async () => {
    while (state.next < count) {
      state.next += 1;
      await work(state.next);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
}

const sites = {
  off: await boot({ settings: { history: { days: 0 } } }),
  on: await boot({ settings: { history: { days: 365 } } }),
};
const article = (n) => ({
  schema: 'article',
  article_title: `Article ${n}`,
  article_detail: `<p>${words}</p>`,
  article_category: 'craft',
  article_published: '2026-01-02 03:04:05',
});
const ALL = {
  'create an article of 2 kB': (site, n) => site.emit('system-model-create', article(n)),
  'create a comment': (site, n) =>
    site.emit('system-model-create', { schema: 'comment', comment_detail: `Comment ${n}`, profile_id: 1 }),
  'update a title': (site, n, round) =>
    site.emit('system-model-update', { schema: 'article', article_id: n, article_title: `Title ${round} of ${n}` }),
  'update a text of 2 kB': (site, n, round) =>
    site.emit('system-model-update', {
      schema: 'article',
      article_id: n,
      article_detail: `<p>${words} ${round} of ${n}</p>`,
    }),
};
const WORK = Object.fromEntries(Object.entries(ALL).filter(([title]) => title.includes(values.only ?? '')));
for (const site of Object.values(sites))
  await site.emit('system-model-create', { schema: 'profile', profile_name: 'A' });
for (const [title, work] of Object.entries(WORK)) {
  const seen = { on: [], off: [], onServer: [], offServer: [], ratio: [] };
  for (let round = 0; round < rounds + 3; round += 1) {
    const pair = {};
    // The order changes from pair to pair.
    for (const name of round % 2 === 0 ? ['on', 'off'] : ['off', 'on'])
      pair[name] = await measure(sites[name].app.services.database, () =>
        each(writes, (n) => work(sites[name], n, round)),
      );
    if (round < 3) continue;
    for (const name of ['on', 'off']) {
      seen[name].push(pair[name].all / writes);
      seen[`${name}Server`].push(pair[name].server / writes);
    }
    seen.ratio.push(pair.on.all / pair.off.all);
  }
  const show = (name) => {
    const [all, server] = [median(seen[name]), median(seen[`${name}Server`])];
    return `${all.toFixed(3)} ms${server === 0 ? '' : ` (${server.toFixed(3)} ms)`}`;
  };
  const ratio = median(seen.ratio).toFixed(3);
  out(`${title}: without ${show('off')}, with ${show('on')}, ratio of pairs ${ratio}`);
}
const count = Number(values.import ?? 0);
if (count > 0) {
  const rows = Array.from({ length: count }, (_, n) => ({ title: `Imported ${n}`, detail: '<p>Text</p>' }));
  for (const [name, site] of Object.entries(sites)) {
    const work = () => site.emit('system-model-import', { schema: 'article', rows });
    const { all } = await measure(site.app.services.database, work);
    out(`import ${name}: ${all.toFixed(0)} ms`);
  }
}
for (const site of Object.values(sites)) await site.close();
