// Paired: writes of a project that keeps a history, against the same writes without one, by processor time.
// Usage: node --import tsx test/bench/history.mjs [rounds] [writes per round] [writes at once]. Prints milliseconds of
// processor time a write, and the median of the pairs' ratios. An import of [rows] rows follows with --import <rows>.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { boot } from '../boot.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { import: { type: 'string' }, only: { type: 'string' } },
});
const [rounds = 30, writes = 200, atOnce = 8] = positionals.map(Number);
const words = 'Looms weave warp and weft into cloth, and a heddle lifts every other thread. '.repeat(25);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const out = (text) => process.stdout.write(`${text}\n`);

/** Processor time of all threads in milliseconds, SQLite's included. */
async function measure(work) {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
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
  const seen = { on: [], off: [], ratio: [] };
  for (let round = 0; round < rounds + 3; round += 1) {
    const pair = {};
    // The order changes from pair to pair.
    for (const name of round % 2 === 0 ? ['on', 'off'] : ['off', 'on'])
      pair[name] = await measure(() => each(writes, (n) => work(sites[name], n, round)));
    if (round < 3) continue;
    for (const name of ['on', 'off']) seen[name].push(pair[name] / writes);
    seen.ratio.push(pair.on / pair.off);
  }
  const [off, on, ratio] = [seen.off, seen.on, seen.ratio].map(median);
  out(`${title}: without ${off.toFixed(3)} ms, with ${on.toFixed(3)} ms, ratio of pairs ${ratio.toFixed(3)}`);
}
const count = Number(values.import ?? 0);
if (count > 0) {
  const rows = Array.from({ length: count }, (_, n) => ({ title: `Imported ${n}`, detail: '<p>Text</p>' }));
  for (const [name, site] of Object.entries(sites))
    out(
      `import ${name}: ${(await measure(() => site.emit('system-model-import', { schema: 'article', rows }))).toFixed(0)} ms`,
    );
}
for (const site of Object.values(sites)) await site.close();
