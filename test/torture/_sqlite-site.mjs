// A project on SQLite whose writes have parts: one transaction inserts an item, its words and its links to three
// tags. The storms send such writes to real processes of `treadle start`, damage them, and then check the file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite3 from 'sqlite3';
import { createAgent, StartSite, send } from './_start-site.mjs';

const label = (name) => name[0].toUpperCase() + name.slice(1);
const schema = (name, more = {}) => ({
  name,
  singular: label(name),
  plural: `${label(name)}s`,
  fields: [
    {
      name: 'name',
      label: 'Name',
      type: 'text',
      searchable: true,
      filterable: true,
      validation: [{ method: 'unique', message: 'It is taken' }],
    },
  ],
  ...more,
});
const call = (schemaName, action, method, event) => ({
  title: `${label(action)} ${schemaName}s`,
  access: 'public',
  method,
  path: `/public/${schemaName}/${action}`,
  event,
  parameters: { schema: schemaName },
});

/** Number of tags, and of links per item. */
export const TAGS = 3;

const DEFINITIONS = {
  'config/schema/tag.json': schema('tag'),
  'config/schema/item.json': schema('item', { relations: [{ schema: 'tag', kind: 'N:N' }] }),
  'config/rest/public-item-import.json': call('item', 'import', 'post', 'system-model-import'),
  'config/rest/public-item-create.json': call('item', 'create', 'post', 'system-model-create'),
  'config/rest/public-item-search.json': call('item', 'search', 'get', 'system-model-search'),
};

/** Runs statements on a site's file with a separate SQLite connection. */
export async function withFile(file, fn, mode = sqlite3.OPEN_READWRITE) {
  const database = await new Promise((done, refuse) => {
    const opened = new sqlite3.Database(file, mode, (error) => (error ? refuse(error) : done(opened)));
  });
  database.configure('busyTimeout', 20_000);
  const all = (text) =>
    new Promise((done, refuse) => database.all(text, (error, rows) => (error ? refuse(error) : done(rows))));
  try {
    return await fn(all);
  } finally {
    await new Promise((done) => database.close(done));
  }
}

/** A migrated site with its tags. Options as in `StartSite.make`. */
export async function makeSqliteSite(options = {}) {
  const site = await StartSite.make({
    settings: { limits: { perMinute: 1_000_000 }, ...options.settings },
    ...options,
  });
  for (const [path, value] of Object.entries(DEFINITIONS)) {
    mkdirSync(dirname(join(site.root, path)), { recursive: true });
    writeFileSync(join(site.root, path), JSON.stringify(value, null, 2));
  }
  site.file = join(site.root, 'var/app.db');
  await site.migrate();
  await withFile(site.file, async (all) => {
    for (let tag = 1; tag <= TAGS; tag += 1) await all(`insert into tag (tag_name) values ('tag ${tag}')`);
  });
  return site;
}

const ALL_TAGS = Array.from({ length: TAGS }, (_, index) => index + 1);

/** One write of at least five rows: 2xx acknowledges it. */
export const writeItem = (url, name, options = {}) =>
  send(`${url}/rest/public/item/import`, {
    method: 'POST',
    body: { rows: [{ item_name: name, tag: ALL_TAGS }] },
    limit: 10_000,
    ...options,
  });

export const readItems = (url, options = {}) =>
  send(`${url}/rest/public/item/search?limit=1&total=0`, { limit: 10_000, ...options });

export const isDone = ({ status }) => status >= 200 && status < 300;

/** Writes from this many clients until told to stop; returns the acknowledged names and all answers. */
export function startWriters(url, { count = 32, prefix, pauseMs = 0 }) {
  const state = { isOver: false, sent: 0 };
  const acknowledged = new Set();
  const answers = [];
  const agent = createAgent(count);
  const writeOn = async (index) => {
    while (!state.isOver) {
      state.sent += 1;
      const name = `${prefix} ${index} ${state.sent}`;
      const answer = await writeItem(url, name, { agent });
      answers.push({ ...answer, at: performance.now(), name });
      if (isDone(answer)) acknowledged.add(name);
      // A stopped server refuses at once.
      const rest = typeof answer.status === 'string' ? 20 : pauseMs;
      if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    }
  };
  const all = Promise.all(Array.from({ length: count }, (_, index) => writeOn(index)));
  return {
    acknowledged,
    answers,
    async stop() {
      state.isOver = true;
      await all;
      agent.destroy();
    },
  };
}

/** Errors in a file: pages, foreign keys, items without all links, missing acknowledged items. */
export async function judgeFile(file, acknowledged, { isThorough = true, mode } = {}) {
  return withFile(
    file,
    async (all) => {
      const faults = [];
      if (isThorough) {
        const [integrity] = await all('pragma integrity_check(1)');
        if (integrity.integrity_check !== 'ok') faults.push(`integrity_check: ${integrity.integrity_check}`);
      }
      const orphans = await all('pragma foreign_key_check');
      if (orphans.length > 0) faults.push(`foreign_key_check: ${orphans.length} rows`);
      const half = await all(
        `select item_id from item left join item_tag using (item_id) group by item_id having count(tag_id) <> ${TAGS}`,
      );
      if (half.length > 0) faults.push(`${half.length} items are half written`);
      const there = new Set((await all('select item_name from item')).map((row) => row.item_name));
      const lost = [...acknowledged].filter((name) => !there.has(name));
      if (lost.length > 0) faults.push(`${lost.length} acknowledged items are lost: ${lost.slice(0, 3).join(', ')}`);
      return faults;
    },
    mode,
  );
}
