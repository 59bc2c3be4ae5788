// Answers that depend on rows race with writes of those rows and of others: rows change, and move from parent to parent. A
// model of what was acknowledged says what each answer may show. On one process on SQLite no answer may be older than a write
// that was acknowledged before the request was sent. On two processes, if a server answers, none may be older than 250 ms.
// Usage: node --import tsx test/torture/kept-rows.mjs [--short] [--seed n] [--rounds n] [--only sqlite|postgres]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createDice } from './_migration-world.mjs';
import { onDatabase, readOptions } from './_on-postgres.mjs';
import { createAgent, StartSite, send, writeNote } from './_start-site.mjs';

const values = readOptions();
const rounds = Number(values.rounds ?? (values.short ? 150 : 10_000));
const NOTES = 6;
const REMARKS = 8;
const READERS = 6;
const OTHERS_MILLISECONDS = 250;
const dice = createDice(Number(values.seed));

const REMARK = {
  name: 'remark',
  singular: 'Remark',
  plural: 'Remarks',
  fields: [
    { name: 'detail', label: 'Detail', type: 'text' },
    { name: 'active', type: 'active' },
  ],
};

/** A page and calls of notes and their remarks. */
function prepare(site) {
  const write = (path, value) => {
    mkdirSync(dirname(join(site.root, path)), { recursive: true });
    writeFileSync(join(site.root, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  const call = (name, method, path, event, parameters) =>
    write(`config/rest/public-${name}.json`, {
      title: name,
      access: 'public',
      method,
      path: `/public/${path}`,
      event,
      parameters,
    });
  write('config/schema/remark.json', REMARK);
  write('config/schema/note.json', {
    name: 'note',
    singular: 'Note',
    plural: 'Notes',
    fields: [
      { name: 'detail', label: 'Detail', type: 'text', filterable: true },
      { name: 'active', type: 'active' },
    ],
    relations: [{ schema: 'remark', kind: '1:N' }],
  });
  for (const schema of ['note', 'remark']) {
    call(`${schema}-update`, 'patch', `${schema}/update/:${schema}_id`, 'system-model-update', { schema });
    call(`${schema}-detail`, 'get', `${schema}/detail/:${schema}_id`, 'system-model-detail', { schema });
  }
  call('remark-create', 'post', 'remark/create', 'system-model-create', { schema: 'remark' });
  call('remark-search', 'get', 'remark/search', 'system-model-search', { schema: 'remark' });
  for (const verb of ['link', 'unlink'])
    call(`remark-${verb}`, 'post', `remark/${verb}/:note_id/:remark_id`, `system-relation-${verb}`, {
      schema1: 'note',
      schema2: 'remark',
    });
  write(
    'app/www/.treadle.ts',
    `export default [(app) => app.get('/note/:note_id', async (request, response) => {
      await app.emit('system-model-detail', request.setStage('schema', 'note'), response);
      response.setContent('<p>' + JSON.stringify(response.getResults()) + '</p>').setCache('note', 'remark');
    })];`,
  );
}

async function write(url, method, path, body, agent) {
  const answer = await send(`${url}/rest/public/${path}`, { method, body, agent });
  if (answer.status >= 300) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`);
}

/** Writes rows that no other writer writes, one after the other. A row that moves belongs to note 0 on the way. */
async function writeAll(url, { own, world, state }) {
  const agent = createAgent(1);
  const perform = async (id, change, method, path, body) => {
    const list = world.remarks[id];
    const next = { ...list.at(-1), ...change, ackedAt: Number.POSITIVE_INFINITY };
    list.push(next);
    await write(url, method, path, body, agent);
    next.ackedAt = performance.now();
  };
  for (let round = 1; round <= rounds / 2; round += 1) {
    const id = own[dice.below(own.length)];
    const { note } = world.remarks[id].at(-1);
    const value = String(round);
    if (dice.below(3) > 0) await perform(id, { value }, 'PATCH', `remark/update/${id}`, { remark_detail: value });
    else if (note > 0) await perform(id, { note: 0 }, 'POST', `remark/unlink/${note}/${id}`, {});
    else {
      const to = 1 + dice.below(NOTES);
      await perform(id, { note: to }, 'POST', `remark/link/${to}/${id}`, {});
    }
    // Some answers are read many times between two writes, some never.
    if (dice.below(3) === 0) await pause(dice.below(6));
  }
  state.open -= 1;
  agent.destroy();
}

/** What a row may be in an answer to a request that was sent at a moment. */
function listAllowed(list, before) {
  const floor = list.findLastIndex(({ ackedAt }) => ackedAt <= before);
  return list.slice(Math.max(0, floor));
}

/** The remarks of a note that are not as they may be. */
function findStale(world, note, rows, before) {
  return Object.entries(world.remarks).flatMap(([id, list]) => {
    const row = rows.find(({ remark_id }) => remark_id === Number(id));
    const isAllowed = listAllowed(list, before).some((state) =>
      row === undefined ? state.note !== note : state.note === note && state.value === row.remark_detail,
    );
    return isAllowed ? [] : [`remark ${id} ${row === undefined ? 'is missing' : `is ${row.remark_detail}`}`];
  });
}

async function readAll(url, { world, state, milliseconds, count }) {
  const agent = createAgent(1);
  while (state.open > 0) {
    const before = performance.now() - milliseconds;
    const note = 1 + dice.below(NOTES);
    const [path, toRows] = [
      [`/rest/public/note/detail/${note}`, ({ results }) => results.remark],
      [`/note/${note}`, ({ remark }) => remark],
      [`/rest/public/remark/search?filter[note_id]=${note}&limit=50`, ({ results }) => results.rows],
    ][dice.below(3)];
    const { status, text } = await send(url + path, { agent });
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`);
    const stale = findStale(world, note, toRows(JSON.parse(text.replace(/^<p>|<\/p>$/g, ''))), before);
    count.read += 1;
    count.stale += stale.length;
    if (stale.length > 0 && count.stale <= 10) process.stdout.write(`${path}: ${stale.join(', ')}\n`);
  }
  agent.destroy();
}

async function race(name, urls, milliseconds) {
  for (let id = 1; id <= NOTES; id += 1) await writeNote(urls[0], '0');
  const world = { remarks: {} };
  for (let id = 1; id <= REMARKS; id += 1) {
    await write(urls[0], 'POST', 'remark/create', { remark_detail: '0' });
    await write(urls[0], 'POST', `remark/link/1/${id}`, {});
    world.remarks[id] = [{ note: 1, value: '0', ackedAt: 0 }];
  }
  await pause(2 * milliseconds);
  const state = { open: 2 };
  const count = { read: 0, stale: 0 };
  const ids = Object.keys(world.remarks).map(Number);
  const writers = [0, 1].map((part) =>
    writeAll(urls[part % urls.length], { own: ids.filter((id) => id % 2 === part), world, state }),
  );
  const readers = Array.from({ length: READERS }, (_, index) =>
    readAll(urls[index % urls.length], { world, state, milliseconds, count }),
  );
  await Promise.all([...writers, ...readers]);
  process.stdout.write(
    `${name}: ${rounds} writes, ${count.read} answers read, ${count.stale} rows older than ${milliseconds} ms before the request\n`,
  );
  return count.stale;
}

async function serve(name, { processes, milliseconds, env = {} }) {
  const site = await StartSite.make({ env, settings: { limits: { perMinute: 1_000_000 } } });
  try {
    prepare(site);
    await site.migrate();
    const started = [];
    for (let index = 0; index < processes; index += 1) started.push(await site.start());
    return await race(
      name,
      started.map(({ url }) => url),
      milliseconds,
    );
  } finally {
    await site.close();
  }
}

let stale = 0;
if (values.only !== 'postgres') {
  stale += await serve('SQLite, one process', { processes: 1, milliseconds: 0 });
  stale += await serve('SQLite, two processes', { processes: 2, milliseconds: OTHERS_MILLISECONDS });
}
if (values.only !== 'sqlite') {
  await onDatabase('kept-rows', values.postgres, async (url) => {
    const env = { DATABASE_URL: url };
    stale += await serve('PostgreSQL, two processes', { processes: 2, milliseconds: OTHERS_MILLISECONDS, env });
  });
}
process.exit(stale === 0 ? 0 : 1);
