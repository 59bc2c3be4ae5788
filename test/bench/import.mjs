// Measures an import against a lower bound: a bare prepared-insert loop with sqlite3 into the same table with its
// indexes, in the same run. `words` has searchable columns, and the loop writes their words too; `html` has a column of
// formatted text. Usage: node test/bench/import.mjs [rows, 1000000] [plain|words|html] [ndjson|json|csv]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import sqlite3 from 'sqlite3';

const [count = '1000000', kind = 'plain', format = 'ndjson'] = process.argv.slice(2);
const ROWS = Number(count);
const root = mkdtempSync(join(tmpdir(), 'treadle-import-'));
const treadle = resolve(import.meta.dirname, '../../dist/bin/treadle.js');
const env = { ...process.env, DATABASE_URL: '', TREADLE_SECRET: 'a'.repeat(64) };

const searchable = kind === 'words' ? { searchable: true } : {};
const schema = {
  name: 'item',
  singular: 'Item',
  plural: 'Items',
  fields: [
    { name: 'title', type: 'text', required: true, sortable: true, ...searchable },
    { name: 'code', type: 'text', unique: true, filterable: true },
    {
      name: 'category',
      type: 'select',
      filterable: true,
      options: 'loom wool dye warp'.split(' ').map((key) => ({ key, value: key })),
    },
    { name: 'price', type: 'float', filterable: true, sortable: true },
    { name: 'stock', type: 'number', sortable: true, validation: [{ method: 'gte', parameters: 0 }] },
    { name: 'published', type: 'datetime', filterable: true, sortable: true },
    { name: 'detail', type: kind === 'html' ? 'wysiwyg' : 'textarea', ...searchable },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
    { name: 'updated', type: 'updated' },
  ],
};
const COLUMNS = ['title', 'code', 'category', 'price', 'stock', 'published', 'detail'].map((name) => `item_${name}`);
const STAMP = '2026-01-01 00:00:00';
const WORDS =
  'warp weft loom shuttle heddle reed treadle cloth thread spool pattern twill plain satin linen wool cotton dye mordant selvedge'.split(
    ' ',
  );

/** Returns the same row for the same number. */
function toRow(number) {
  let state = (number * 2654435761 + 12345) >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  const words = (length) => Array.from({ length }, () => WORDS[(next() >>> 8) % WORDS.length]).join(' ');
  const day = String(1 + ((next() >>> 8) % 28)).padStart(2, '0');
  return [
    words(5),
    `${(next() >>> 4).toString(36)}-${number}`,
    ['loom', 'wool', 'dye', 'warp'][next() >>> 30],
    ((next() >>> 8) % 100000) / 100,
    (next() >>> 8) % 1000,
    `20${10 + ((next() >>> 8) % 15)}-0${1 + ((next() >>> 8) % 9)}-${day} 10:00:00`,
    kind === 'html' ? `<p>${words(7)} <strong>${words(1)}</strong> ${words(7)}</p>` : words(15),
  ];
}

async function writeRows(file) {
  const out = createWriteStream(file);
  if (format === 'csv') out.write(`${COLUMNS.join(',')}\n`);
  if (format === 'json') out.write('[\n');
  let part = '';
  for (let number = 1; number <= ROWS; number += 1) {
    const row = toRow(number);
    if (format === 'csv') part += `${row.join(',')}\n`;
    else
      part += `${JSON.stringify(Object.fromEntries(COLUMNS.map((name, at) => [name, row[at]])))}${format === 'json' && number < ROWS ? ',' : ''}\n`;
    if (part.length < 1 << 18) continue;
    if (!out.write(part)) await once(out, 'drain');
    part = '';
  }
  out.end(`${part}${format === 'json' ? ']\n' : ''}`);
  await once(out, 'close');
}

function run(args, watch = () => {}) {
  const child = spawn(process.execPath, [treadle, '--cwd', root, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const start = performance.now();
  const timer = setInterval(() => watch(child.pid), 200);
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  return once(child, 'close').then(([code]) => {
    clearInterval(timer);
    if (code !== 0) throw new Error(`treadle ${args.join(' ')}: ${code} ${text.slice(0, 500)}`);
    return { text, seconds: (performance.now() - start) / 1000 };
  });
}

const open = (file) =>
  new Promise((done, fail) => {
    const handle = new sqlite3.Database(file, (error) => (error ? fail(error) : done(handle)));
  });
const exec = (handle, sql) => new Promise((done, fail) => handle.exec(sql, (error) => (error ? fail(error) : done())));
const all = (handle, sql) =>
  new Promise((done, fail) => handle.all(sql, (error, rows) => (error ? fail(error) : done(rows))));
const prepare = (handle, sql) =>
  new Promise((done, fail) => {
    const statement = handle.prepare(sql, (error) => (error ? fail(error) : done(statement)));
  });

/** The baseline: one prepared statement, run for each row, in one transaction; with words, also the index's insert. */
async function bare(file) {
  const handle = await open(file);
  await exec(handle, 'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON');
  const names = [...COLUMNS, 'item_active', 'item_created', 'item_updated'];
  const start = performance.now();
  const used = process.cpuUsage();
  await exec(handle, 'BEGIN IMMEDIATE');
  const insert = await prepare(
    handle,
    `INSERT INTO item (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const hasWords =
    kind === 'words' &&
    (await all(handle, "SELECT 1 FROM sqlite_master WHERE name = 'treadle_words_item_fts'")).length > 0;
  const words = hasWords
    ? await prepare(handle, 'INSERT INTO treadle_words_item_fts (rowid, words) VALUES (?, ?)')
    : undefined;
  for (let number = 1; number <= ROWS; ) {
    const end = Math.min(ROWS + 1, number + 1000);
    await new Promise((done, fail) => {
      for (; number < end; number += 1) {
        const isLast = number === end - 1;
        const row = toRow(number);
        const told = (error) => (error ? fail(error) : isLast && done());
        insert.run([...row, 1, STAMP, STAMP], words ? (error) => error && fail(error) : told);
        if (words) words.run([number, [...new Set(`${row[0]} ${row[6]}`.split(' '))].join(' ')], told);
      }
    });
  }
  await new Promise((done) => insert.finalize(done));
  if (words) await new Promise((done) => words.finalize(done));
  await exec(handle, 'COMMIT');
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(used);
  const [{ n }] = await all(handle, 'SELECT count(*) AS n FROM item');
  if (n !== ROWS) throw new Error(`bare: ${n} rows`);
  await new Promise((done) => handle.close(done));
  return { seconds, hasWords, cpu: (user + system) / 1e6 };
}

/** Seconds of processor time so far; 0 if the process has ended. */
const cpuOf = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
};

const resident = (pid) => {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
};

try {
  mkdirSync(join(root, 'config/schema'), { recursive: true });
  mkdirSync(join(root, 'app/www'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "name": "bench", "type": "module", "private": true }\n');
  writeFileSync(join(root, 'config/settings.json'), '{ "name": "Bench" }\n');
  writeFileSync(join(root, 'config/schema/item.json'), JSON.stringify(schema, null, 2));
  await run(['migrate']);
  const database = join(root, 'var/app.db');
  const empty = join(root, 'var/bare.db');
  const handle = await open(database);
  await exec(handle, `VACUUM INTO '${empty}'`);
  await new Promise((done) => handle.close(done));
  const file = join(root, `rows.${format}`);
  await writeRows(file);
  const yardstick = await bare(empty);
  const found = { memory: 0, cpu: 0 };
  const imported = await run(['import', 'item', file, '--json'], (pid) => {
    found.memory = Math.max(found.memory, resident(pid));
    found.cpu = Math.max(found.cpu, cpuOf(pid));
  });
  if (JSON.parse(imported.text).imported !== ROWS) throw new Error(imported.text);
  const rate = (seconds) => Math.round(ROWS / seconds);
  const each = (seconds) => `${Math.round((seconds / ROWS) * 1e6)} µs`;
  process.stdout.write(
    `${kind.padEnd(6)} ${ROWS} rows of ${Math.round(statSync(file).size / ROWS)} bytes (${format}): import ${rate(imported.seconds)}/s, ${each(found.cpu)} of processor time a row   bare loop${yardstick.hasWords ? ' with words' : ''} ${rate(yardstick.seconds)}/s, ${each(yardstick.cpu)}   ratio ${(yardstick.seconds / imported.seconds).toFixed(2)}, by processor time ${(yardstick.cpu / found.cpu).toFixed(2)}   ${found.memory} MB\n`,
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
