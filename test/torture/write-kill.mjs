// Kills processes of `treadle start` with SIGKILL at random moments under writers that create, change, import and remove rows.
// Then every acknowledged change is there, and each row that is there has all that is written with it, once: its entry in the
// history, its search words, the event of its web hook and, of that, a delivery. So has each row that went with another one.
// On SQLite and on PostgreSQL.
// Usage: node --import tsx test/torture/write-kill.mjs [--short] [--seed n] [--kills n] [--only sqlite|postgres]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '../database/_server.mjs';
import { Cluster, missingReason } from './_cluster.mjs';
import { createDice } from './_migration-world.mjs';
import { withFile } from './_sqlite-site.mjs';
import { createAgent, StartSite, send } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261128' },
    kills: { type: 'string' },
    only: { type: 'string' },
  },
});
/** Of each database. */
const KILLS = Number(values.kills ?? (values.short ? 4 : 500));
const WRITERS = 12;
/** Milliseconds from the first write to the kill. */
const [LEAST, MOST] = [50, 400];
const SETTLE_MS = 60_000;
const WORDS = ['wool', 'linen', 'zebra', 'silk', 'jute', 'hemp', 'felt', 'cotton'];

const call = (schema, action, method, key = '') => ({
  title: `${action} ${schema}`,
  ...{ access: 'public', method, path: `/public/${schema}/${action}${key}` },
  ...{ event: `system-model-${action}`, parameters: { schema } },
});
const hook = (schema, action) => ({
  title: `${schema} ${action}`,
  type: `${schema}.${action}`,
  ...{ event: `system-model-${action}`, parameters: { schema }, url: 'https://127.0.0.1:9/' },
});
const FILES = {
  'schema/note.json': {
    ...{ name: 'note', singular: 'Note', plural: 'Notes' },
    fields: [{ name: 'detail', label: 'Detail', type: 'text', searchable: true, filterable: true }],
  },
  'schema/mark.json': {
    ...{ name: 'mark', singular: 'Mark', plural: 'Marks' },
    fields: [{ name: 'text', label: 'Text', type: 'text' }],
    relations: [{ schema: 'note', kind: '1:1', onRemove: 'cascade' }],
  },
  'rest/note-import.json': call('note', 'import', 'post'),
  'rest/note-update.json': call('note', 'update', 'patch', '/:note_id'),
  'rest/note-remove.json': call('note', 'remove', 'delete', '/:note_id'),
  'rest/mark-create.json': call('mark', 'create', 'post'),
  'webhook/note-create.json': hook('note', 'create'),
  'webhook/mark-remove.json': hook('mark', 'remove'),
};

const isDone = ({ status }) => status >= 200 && status < 300;

/** What the clients know: rows that were answered, and what became of them. */
class Ledger {
  /** Notes by id: the last text that was answered, and whether a change of it is uncertain. */
  notes = new Map();
  /** Ids of removed notes. */
  removed = new Set();
  /** Ids of notes whose removal was sent and not answered. */
  uncertain = new Set();
  counts = {};
  #busy = new Set();
  #dice;
  #last = 0;

  constructor(dice) {
    this.#dice = dice;
  }

  #text() {
    this.#last += 1;
    return `${this.#dice.pick(WORDS)} ${this.#dice.pick(WORDS)} t${this.#last}`;
  }

  #count(action, { status }) {
    const key = `${action} ${status}`;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
  }

  async #create(post) {
    const detail = this.#text();
    const answer = await post('POST', 'note/create', { note_detail: detail });
    this.#count('create', answer);
    if (!isDone(answer)) return;
    const id = JSON.parse(answer.text).results.note_id;
    this.notes.set(id, { detail, isCertain: true });
    const marked = await post('POST', 'mark/create', { mark_text: 'x', note_id: id });
    this.#count('mark', marked);
  }

  async #import(post) {
    const details = [this.#text(), this.#text(), this.#text()];
    const answer = await post('POST', 'note/import', { rows: details.map((detail) => ({ note_detail: detail })) });
    this.#count('import', answer);
    if (!isDone(answer)) return;
    for (const [index, { row }] of JSON.parse(answer.text).results.data.entries())
      this.notes.set(row.note_id, { detail: details[index], isCertain: true });
  }

  async #change(post, isRemoval) {
    const free = [...this.notes.keys()].filter((id) => !this.#busy.has(id));
    if (free.length === 0) return;
    const id = this.#dice.pick(free);
    this.#busy.add(id);
    const detail = this.#text();
    const answer = isRemoval
      ? await post('DELETE', `note/remove/${id}`)
      : await post('PATCH', `note/update/${id}`, { note_detail: detail });
    this.#count(isRemoval ? 'remove' : 'update', answer);
    const note = this.notes.get(id);
    if (isRemoval) {
      this.notes.delete(id);
      (isDone(answer) ? this.removed : this.uncertain).add(id);
    } else if (isDone(answer)) Object.assign(note, { detail });
    else note.isCertain = false;
    this.#busy.delete(id);
  }

  /** Writes until it is over. */
  async writeOn(url, state) {
    const agent = createAgent(1);
    const post = (method, path, body) => send(`${url}/rest/public/${path}`, { method, body, agent, limit: 10_000 });
    while (!state.isOver) {
      const drawn = this.#dice.next();
      if (drawn < 0.5) await this.#create(post);
      else if (drawn < 0.65) await this.#import(post);
      else await this.#change(post, drawn > 0.9);
      await pause(5);
    }
    agent.destroy();
  }
}

const countBy = (list) => {
  const counts = new Map();
  for (const key of list) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const list = (faults, what, found) => {
  if (found.length > 0) faults.push(`${found.length} ${what}: ${found.slice(0, 5).join(', ')}`);
};

/** Rows, and what was answered of them. */
async function judgeRows(query, ledger, faults) {
  const rows = await query('select note_id, note_detail from note');
  const notes = new Map(rows.map((row) => [Number(row.note_id), row.note_detail]));
  const marks = (await query('select mark_id from mark')).map((row) => Number(row.mark_id));
  list(
    faults,
    'acknowledged notes are lost',
    [...ledger.notes.keys()].filter((id) => !notes.has(id)),
  );
  list(
    faults,
    'removed notes are there',
    [...ledger.removed].filter((id) => notes.has(id)),
  );
  const isWrong = ([id, { detail, isCertain }]) => isCertain && notes.get(id) !== detail;
  list(
    faults,
    'notes have another text than was answered',
    [...ledger.notes].filter(isWrong).map(([id]) => id),
  );
  return {
    notes,
    there: new Set([...[...notes.keys()].map((id) => `note ${id}`), ...marks.map((id) => `mark ${id}`)]),
  };
}

/** Entries of the history. Gives the keys of all rows that were ever created. */
async function judgeHistory(query, { notes, there }, faults) {
  const found = await query('select subject, row_id, entry from treadle_history order by history_id');
  const entries = found.map((row) => ({
    key: `${row.subject} ${row.row_id}`,
    entry: typeof row.entry === 'string' ? JSON.parse(row.entry) : row.entry,
  }));
  const countOf = (action) => countBy(entries.filter(({ entry }) => entry.action === action).map(({ key }) => key));
  const [created, removed] = [countOf('create'), countOf('remove')];
  list(
    faults,
    'rows without one entry of their creation',
    [...there].filter((key) => created.get(key) !== 1),
  );
  list(
    faults,
    'rows that are there with an entry of their removal',
    [...there].filter((key) => removed.has(key)),
  );
  const gone = [...created.keys()].filter((key) => !there.has(key));
  list(
    faults,
    'rows that went without one entry of it',
    gone.filter((key) => removed.get(key) !== 1),
  );
  const last = new Map();
  for (const { key, entry } of entries) {
    const pair = entry.changes?.note_detail;
    if (pair?.length === 2) last.set(key, pair[1]);
  }
  const differs = ([id, text]) => last.get(`note ${id}`) !== text;
  list(
    faults,
    'notes whose last entry has another text',
    [...notes].filter(differs).map(([id]) => id),
  );
  return gone;
}

/** Events of web hooks, one for each row. */
async function judgeEvents(query, { notes }, gone, { faults, isLast }) {
  const found = await query('select event_id, hook, data from treadle_event');
  const events = found.map((row) => ({ ...row, data: JSON.parse(row.data) }));
  const countOf = (name, key) =>
    countBy(events.filter(({ hook: own }) => own === name).map(({ data }) => Number(data[key])));
  const [made, parted] = [countOf('note-create', 'note_id'), countOf('mark-remove', 'mark_id')];
  list(
    faults,
    'notes without one event of their creation',
    [...notes.keys()].filter((id) => made.get(id) !== 1),
  );
  const marks = gone.filter((key) => key.startsWith('mark ')).map((key) => Number(key.slice('mark '.length)));
  list(
    faults,
    'marks that went with a note without one event of it',
    marks.filter((id) => parted.get(id) !== 1),
  );
  if (isLast) {
    const delivered = countBy((await query('select event_id from treadle_delivery')).map((row) => row.event_id));
    list(
      faults,
      'events without one delivery',
      events.map(({ event_id: id }) => id).filter((id) => delivered.get(id) !== 1),
    );
  }
  return { events: events.length, marks: marks.length };
}

/** Faults in what the database holds. `query` runs SQL; `isLast`: all deliveries are made. */
async function judge(query, ledger, { words, isLast }) {
  const faults = [];
  const rows = await judgeRows(query, ledger, faults);
  const gone = await judgeHistory(query, rows, faults);
  const worded = countBy((await query(words)).map((row) => Number(row.id)));
  const { notes } = rows;
  list(
    faults,
    'notes without their words',
    [...notes.keys()].filter((id) => worded.get(id) !== 1),
  );
  list(
    faults,
    'words of notes that are gone',
    [...worded.keys()].filter((id) => id > 0 && !notes.has(id)),
  );
  const counts = await judgeEvents(query, rows, gone, { faults, isLast });
  return { faults, notes: notes.size, ...counts };
}

/** Starts, writes, kills and checks, again and again. */
async function storm(site, name, place) {
  const dice = createDice(Number(values.seed));
  const ledger = new Ledger(dice);
  for (let killed = 0; killed < KILLS; killed += 1) {
    const started = await site.start();
    const state = { isOver: false };
    const writing = Promise.all(Array.from({ length: WRITERS }, () => ledger.writeOn(started.url, state)));
    await pause(LEAST + dice.below(MOST - LEAST));
    await started.end('SIGKILL');
    state.isOver = true;
    await writing;
    if (killed % 10 !== 9) continue;
    await place.settle();
    const { faults } = await judge(place.query, ledger, { words: place.words, isLast: false });
    if (faults.length > 0) throw new Error(`after ${killed + 1} kills: ${faults.join('; ')}`);
  }
  // The last process makes the deliveries that are left.
  const started = await site.start();
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const { faults, ...counts } = await judge(place.query, ledger, { words: place.words, isLast: true });
    const isWaiting = faults.length === 1 && faults[0].includes('without one delivery') && performance.now() < end;
    if (isWaiting) {
      await pause(250);
      continue;
    }
    await started.end();
    if (faults.length > 0) throw new Error(`after ${KILLS} kills: ${faults.join('; ')}`);
    if (ledger.notes.size === 0) throw new Error('No write was acknowledged: nothing was tested.');
    const told = `${counts.notes} notes, ${counts.marks} marks that went with one, ${counts.events} events`;
    process.stdout.write(
      `write-kill, ${name}: ${KILLS} kills, ${told}, 0 lost or doubled, ${JSON.stringify(ledger.counts)}\n`,
    );
    return;
  }
}

async function makeSite() {
  const site = await StartSite.make({ settings: { limits: { perMinute: 1_000_000 } } });
  for (const [path, value] of Object.entries(FILES)) {
    const file = join(site.root, 'config', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value, null, 2));
  }
  return site;
}

async function runSqlite() {
  const site = await makeSite();
  try {
    await site.migrate();
    const file = join(site.root, 'var/app.db');
    const words = 'select id from treadle_words_note_fts_docsize';
    const settle = async () => {};
    await storm(site, 'SQLite', { query: (text) => withFile(file, (all) => all(text)), words, settle });
  } finally {
    await site.close();
  }
}

async function runPostgres() {
  if (missingReason !== undefined)
    return void process.stdout.write(`skipped: write-kill on PostgreSQL (${missingReason})\n`);
  const site = await makeSite();
  let cluster;
  try {
    cluster = await Cluster.make(`${site.folder}/cluster`);
    site.addEnvironment({ DATABASE_URL: cluster.site });
    await site.migrate();
    const words = 'select id from treadle_words_note_fts';
    const query = (text) => ask(cluster.site, text);
    // The server goes on with the statement of a process that is gone, until it would answer.
    const settle = async () => {
      const busy = "select count(*) as n from pg_stat_activity where application_name = 'treadle'";
      while (Number((await query(busy))[0].n) > 0) await pause(20);
    };
    await storm(site, 'PostgreSQL', { query, words, settle });
  } finally {
    await cluster?.remove();
    await site.close();
  }
}

for (const [name, run] of Object.entries({ sqlite: runSqlite, postgres: runPostgres })) {
  if (values.only !== undefined && values.only !== name) continue;
  await run().catch((error) => {
    process.stdout.write(`write-kill, ${name}, seed ${values.seed}: ${error.stack}\n`);
    process.exitCode = 1;
  });
}
