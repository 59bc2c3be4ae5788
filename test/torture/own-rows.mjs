// Own code writes rows by their keys while others remove them, and reads every row of a large table slowly while others write. On
// SQLite with two workers, and with three processes on PostgreSQL. One active row of a key, every increment counted, each row read
// once, and no transaction left open by the slow reader.
// Usage: node --import tsx test/torture/own-rows.mjs [--short] [--seed n] [--only sqlite|postgres]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import sqlite from 'sqlite3';
import { ask } from '../database/_server.mjs';
import { createDice } from './_migration-world.mjs';
import { onDatabase, readOptions } from './_on-postgres.mjs';
import { StartSite, send, summarize, writeNote } from './_start-site.mjs';

const values = readOptions();
const WRITES = values.short ? 1000 : 5000;
const ROWS = values.short ? 20_000 : 100_000;
const KEYS = 10;
const CLIENTS = 16;
const dice = createDice(Number(values.seed));

const TALLY = {
  name: 'tally',
  singular: 'Tally',
  plural: 'Tallies',
  fields: [
    { name: 'code', type: 'text', unique: true, filterable: true },
    { name: 'hits', type: 'number' },
    { name: 'active', type: 'active' },
  ],
};
const CODE = `export default [(app) => {
  const put = (code) => app.upsert('tally', { tally_code: code }, { tally_hits: { increment: 1 } });
  const call = (path, work) =>
    app.rest({ access: 'public', method: 'post', path: '/public' + path }, async (request, response) => {
      response.succeed(await work(request.getStage()));
    });
  call('/put', async ({ codes }) => {
    const made = codes.length === 1 ? [await put(codes[0])] : await app.transaction(async () => {
      const all = [];
      for (const code of codes) all.push(await put(code));
      return all;
    });
    return { made: made.filter(({ isNew }) => isNew).length };
  });
  call('/drop', async ({ code }) => {
    for await (const { tally_id } of app.rows('tally', { filter: { tally_code: code } }))
      (await app.emit('system-model-remove', { schema: 'tally', tally_id })).isError();
    return {};
  });
  call('/walk', async () => {
    const seen = new Set();
    let rows = 0;
    for await (const { note_id } of app.rows('note', { sort: '-note_detail', fields: ['note_id'] })) {
      rows += 1;
      seen.add(note_id);
      if (rows % 500 === 0) await new Promise((done) => setTimeout(done, 20));
    }
    return { rows, distinct: seen.size };
  });
}];`;

function prepare(site) {
  const write = (path, value) => {
    mkdirSync(dirname(join(site.root, path)), { recursive: true });
    writeFileSync(join(site.root, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  write('config/schema/tally.json', TALLY);
  write('config/schema/note.json', {
    name: 'note',
    singular: 'Note',
    plural: 'Notes',
    fields: [
      { name: 'detail', type: 'text', filterable: true, sortable: true },
      { name: 'active', type: 'active' },
    ],
  });
  write('app/www/.treadle.ts', CODE);
  const lines = Array.from({ length: ROWS }, (_, index) => JSON.stringify({ note_detail: `note ${index % 1000}` }));
  write('notes.ndjson', `${lines.join('\n')}\n`);
}

const faults = [];
const busy = { count: 0 };
const expect = (name, actual, expected) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    faults.push(`${name}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
};

/** How often a post may be refused because the machine is too slow for so many at once. Nothing of it is written then. */
const MOST_BUSY = 20;

async function sendOne(url, { path, body }) {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(`${url}/rest/public${path}`, { method: 'POST', body });
    if (answer.status !== 503 || tries === MOST_BUSY) return { ...answer, path, body };
    busy.count += 1;
  }
}

/** Sends the posts by some clients at once. */
async function sendAll(urls, posts) {
  const answers = [];
  const queue = posts.entries();
  const work = async () => {
    for (const [index, post] of queue) answers.push(await sendOne(urls[index % urls.length], post));
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return answers;
}

const readMade = (answers) =>
  answers.reduce((sum, { path, text, status }) => {
    if (status !== 200) faults.push(`${path}: ${status} ${text.slice(0, 300)}`);
    return sum + (path === '/put' && status === 200 ? JSON.parse(text).results.made : 0);
  }, 0);

async function storm(name, urls, query) {
  const one = Array.from({ length: WRITES }, (_, index) => ({ path: '/put', body: { codes: [`a${index % KEYS}`] } }));
  const first = await sendAll(urls, one);
  expect(`${name}, statuses`, summarize(first).counts, { 200: WRITES });
  expect(`${name}, new rows`, readMade(first), KEYS);
  const counted = await query("select count(*) as rows, sum(tally_hits) as hits from tally where tally_code like 'a%'");
  expect(`${name}, rows and hits`, [Number(counted[0].rows), Number(counted[0].hits)], [KEYS, WRITES]);
  const mixed = Array.from({ length: WRITES }, () => {
    // In one order: two transactions that take the same rows in another would wait for each other.
    const codes = [...new Set([dice.below(KEYS), dice.below(KEYS)])].sort().map((key) => `b${key}`);
    const kind = dice.below(5);
    return kind === 0
      ? { path: '/drop', body: { code: codes[0] } }
      : { path: '/put', body: { codes: codes.slice(0, kind) } };
  });
  const second = await sendAll(urls, mixed);
  expect(`${name}, statuses beside removals`, summarize(second).counts, { 200: WRITES });
  const hits = second.reduce((sum, { path, body }) => sum + (path === '/put' ? body.codes.length : 0), 0);
  const all = await query("select count(*) as rows, sum(tally_hits) as hits from tally where tally_code like 'b%'");
  expect(
    `${name}, rows and hits beside removals`,
    [Number(all[0].rows), Number(all[0].hits)],
    [readMade(second), hits],
  );
  const twice = await query(
    'select tally_code from tally where tally_active = 1 group by tally_code having count(*) > 1',
  );
  expect(`${name}, active rows of a key`, twice, []);
  process.stdout.write(
    `${name}: ${2 * WRITES} posts, ${readMade(second)} rows made beside removals, longest ${Math.max(summarize(first).longest, summarize(second).longest)} ms, ${busy.count} refused as busy so far\n`,
  );
}

/** One walk over all notes while others write; `look` tells what the walk leaves open. */
async function walk(name, urls, look) {
  const state = { isOver: false };
  const walking = send(`${urls[0]}/rest/public/walk`, { method: 'POST', body: {}, limit: 300_000 }).finally(() => {
    state.isOver = true;
  });
  const writes = [];
  let looks = 0;
  let open = 0;
  while (!state.isOver) {
    // A new note sorts before all others, which the walk has behind it or has yet to reach.
    writes.push(await writeNote(urls[looks % urls.length], dice.below(2) === 0 ? 'a' : 'z'));
    open += await look();
    looks += 1;
    await pause(50);
  }
  const answer = await walking;
  const { rows, distinct } = JSON.parse(answer.text).results ?? {};
  expect(`${name}, rows that came twice`, rows - distinct, 0);
  if (!(rows >= ROWS))
    faults.push(`${name}: ${rows} of ${ROWS} rows were read: ${answer.status} ${answer.text.slice(0, 300)}`);
  expect(`${name}, statuses of writes`, summarize(writes).counts, { 201: writes.length });
  expect(`${name}, transactions that the walk held`, open, 0);
  process.stdout.write(
    `${name}: ${rows} rows read in ${Math.round(answer.took)} ms beside ${writes.length} writes, the longest ${summarize(writes).longest} ms; ${looks} looks found ${open} open\n`,
  );
}

if (values.only !== 'postgres') {
  const site = await StartSite.make({ settings: { limits: { perMinute: 1_000_000 } } });
  try {
    prepare(site);
    await site.migrate();
    await site.run(['import', 'note', 'notes.ndjson']);
    const { url } = await site.start({ more: ['--workers', '2'] });
    const file = new sqlite.Database(join(site.root, 'var/app.db'));
    const query = (text) =>
      new Promise((done, refuse) => file.all(text, (error, rows) => (error ? refuse(error) : done(rows))));
    await storm('SQLite, two workers', [url], query);
    // A reader of an older moment would keep the log from being written back as a whole: then SQLite says that it is busy.
    await query('pragma busy_timeout = 2000');
    await walk('SQLite, two workers', [url], async () => (await query('pragma wal_checkpoint(truncate)'))[0].busy);
    await new Promise((done) => file.close(done));
  } finally {
    await site.close();
  }
}
if (values.only !== 'sqlite') {
  await onDatabase('own-rows', values.postgres, async (url, database) => {
    const site = await StartSite.make({
      env: { DATABASE_URL: url },
      settings: { limits: { perMinute: 1_000_000 } },
    });
    try {
      prepare(site);
      await site.migrate();
      await site.run(['import', 'note', 'notes.ndjson']);
      const started = await Promise.all([site.start(), site.start(), site.start()]);
      const urls = started.map(({ url }) => url);
      const query = (text) => ask(url, text);
      await storm('PostgreSQL, three processes', urls, query);
      const OPEN = `select count(*) as open from pg_stat_activity where datname = '${database}' and state like 'idle in transaction%'
      and query like '%note_id%'`;
      await walk('PostgreSQL, three processes', urls, async () => Number((await query(OPEN))[0].open));
    } finally {
      await site.close();
    }
  });
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
