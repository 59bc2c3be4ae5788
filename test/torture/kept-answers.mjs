// Writers and readers of kept answers race. On one process on SQLite no answer may be older than a write that was
// acknowledged before the request was sent. On three processes on PostgreSQL, if a server answers, none may be older than
// 250 ms.
// Usage: node --import tsx test/torture/kept-answers.mjs [--short] [--seed n] [--rounds n] [--only sqlite|postgres]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createDice } from './_migration-world.mjs';
import { onDatabase, readOptions } from './_on-postgres.mjs';
import { createAgent, StartSite, send, writeNote } from './_start-site.mjs';

const values = readOptions();
const rounds = Number(values.rounds ?? (values.short ? 150 : 10_000));
const ROWS = 4;
const READERS = 8;
const OTHERS_MILLISECONDS = 250;
const dice = createDice(Number(values.seed));

/** A page and calls of the notes. */
function prepare(site) {
  const write = (path, value) => {
    mkdirSync(dirname(join(site.root, path)), { recursive: true });
    writeFileSync(join(site.root, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  for (const [action, method] of [
    ['update', 'patch'],
    ['detail', 'get'],
  ])
    write(`config/rest/public-note-${action}.json`, {
      title: `${action} a note`,
      access: 'public',
      method,
      path: `/public/note/${action}/:note_id`,
      event: `system-model-${action}`,
      parameters: { schema: 'note' },
    });
  write(
    'app/www/.treadle.ts',
    `export default [(app) => app.get('/notes', async (request, response) => {
      await app.emit('system-model-search', request.setStage('schema', 'note'), response);
      response.setContent('<p>' + JSON.stringify(response.getResults('rows')) + '</p>').setCache('note');
    })];`,
  );
}

/** Writes one row after the other to the first process; `acked` holds each row's values with the time of their answer. */
async function writeAll(url, acked, state) {
  const agent = createAgent(1);
  for (let round = 1; round <= rounds; round += 1) {
    const id = 1 + dice.below(ROWS);
    const answer = await send(`${url}/rest/public/note/update/${id}`, {
      method: 'PATCH',
      body: { note_detail: String(round) },
      agent,
    });
    if (answer.status !== 200) throw new Error(`a write was answered with ${answer.status}: ${answer.text}`);
    acked[id].push({ value: round, at: performance.now() });
    // Some answers are read many times between two writes, some never.
    if (dice.below(3) === 0) await pause(dice.below(6));
  }
  state.isOver = true;
  agent.destroy();
}

/** The newest value of a row that was acknowledged this long ago. */
function findFloor(list, milliseconds, now) {
  for (let index = list.length - 1; index >= 0; index -= 1)
    if (list[index].at <= now - milliseconds) return list[index].value;
  return 0;
}

async function readAll(url, { acked, state, milliseconds, count }) {
  const agent = createAgent(1);
  const forms = [
    '/rest/public/note/search',
    '/notes',
    ...Object.keys(acked).map((id) => `/rest/public/note/detail/${id}`),
  ];
  while (!state.isOver) {
    const now = performance.now();
    const floors = Object.fromEntries(
      Object.entries(acked).map(([id, list]) => [id, findFloor(list, milliseconds, now)]),
    );
    const path = forms[dice.below(forms.length)];
    const { status, text, headers } = await send(url + path, { agent });
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`);
    const body = path === '/notes' ? { results: { rows: JSON.parse(text.slice(3, -4)) } } : JSON.parse(text);
    for (const row of body.results.rows ?? [body.results]) {
      count.read += 1;
      if (Number(row.note_detail) >= floors[row.note_id]) continue;
      count.stale += 1;
      if (count.stale <= 10)
        process.stdout.write(
          `${path}: row ${row.note_id} is ${row.note_detail}, written ${floors[row.note_id]} before (${headers.etag})\n`,
        );
    }
  }
  agent.destroy();
}

async function race(name, urls, milliseconds) {
  for (let row = 1; row <= ROWS; row += 1) await writeNote(urls[0], '0');
  const acked = Object.fromEntries(Array.from({ length: ROWS }, (_, row) => [row + 1, []]));
  const state = { isOver: false };
  const count = { read: 0, stale: 0 };
  const readers = Array.from({ length: READERS }, (_, index) =>
    readAll(urls[(index + 1) % urls.length], { acked, state, milliseconds, count }),
  );
  await Promise.all([writeAll(urls[0], acked, state), ...readers]);
  process.stdout.write(
    `${name}: ${rounds} writes, ${count.read} rows read, ${count.stale} older than ${milliseconds} ms before the request\n`,
  );
  return count.stale;
}

let stale = 0;
if (values.only !== 'postgres') {
  const site = await StartSite.make({ settings: { limits: { perMinute: 1_000_000 } } });
  try {
    prepare(site);
    await site.migrate();
    const { url } = await site.start();
    stale += await race('SQLite, one process', [url], 0);
  } finally {
    await site.close();
  }
}
if (values.only !== 'sqlite') {
  await onDatabase('kept-answers', values.postgres, async (url) => {
    const site = await StartSite.make({ env: { DATABASE_URL: url } });
    try {
      prepare(site);
      await site.migrate();
      const started = await Promise.all([site.start(), site.start(), site.start()]);
      const urls = started.map(({ url }) => url);
      stale += await race('PostgreSQL, three processes', urls, OTHERS_MILLISECONDS);
    } finally {
      await site.close();
    }
  });
}
process.exit(stale === 0 ? 0 : 1);
