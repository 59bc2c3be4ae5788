// The baseline of `wide.mjs`: polka and sqlite3 with the same SQL by hand, every statement prepared once and kept. Like
// Treadle it writes the words of the search, and rows that wait at the same time share a commit.
// Usage: node test/bench/wide-bare.mjs <database file> <schemas>. Prints its address.
import process from 'node:process';
import polka from 'polka';
import sqlite3 from 'sqlite3';
import { json, readJson } from './bare-tools.mjs';
import { toName, toRelations } from './wide-project.mjs';

const [file, schemas] = process.argv.slice(2);
const open = (mode) =>
  new Promise((done, fail) => {
    const handle = new sqlite3.Database(file, mode, (error) => (error ? fail(error) : done(handle)));
  });
const reader = await open(sqlite3.OPEN_READONLY);
const writer = await open(sqlite3.OPEN_READWRITE);
const exec = (sql) => new Promise((done, fail) => writer.exec(sql, (error) => (error ? fail(error) : done())));
await exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000');

/** A statement that is prepared by its first call. */
function prepare(handle, sql) {
  const kept = {};
  return (...parameters) =>
    new Promise((done, fail) => {
      kept.statement ??= handle.prepare(sql);
      kept.statement.all(parameters, (error, rows) => (error ? fail(error) : done(rows)));
    });
}

const toColumns = (name, alias) =>
  ['id', 'title', 'detail', 'count', 'active', 'created', 'updated'].map((field) => `${alias}.${name}_${field}`).join();

function toStatements(index) {
  const name = toName(index);
  const [relation] = toRelations(index);
  const other = relation?.schema;
  const [one, many] = ['1:0', 'N:N'].map((kind) => relation?.kind === kind);
  const columns = `${toColumns(name, 't')}${one ? `, t.${other}_id, ${toColumns(other, 'o')}` : ''}`;
  const join = one ? `LEFT JOIN ${other} AS o ON o.${other}_id = t.${other}_id` : '';
  const fields = `${name}_title, ${name}_count, ${name}_active, ${name}_created, ${name}_updated`;
  return {
    detail: prepare(
      reader,
      `SELECT ${columns} FROM ${name} AS t ${join} WHERE t.${name}_id = ? AND t.${name}_active = 1`,
    ),
    list: many
      ? prepare(
          reader,
          `SELECT ${toColumns(other, 'o')} FROM ${name}_${other} AS l CROSS JOIN ${other} AS o ON o.${other}_id = l.${other}_id WHERE l.${name}_id = ? AND o.${other}_active = 1 ORDER BY l.${other}_id`,
        )
      : undefined,
    listName: other,
    insert: prepare(writer, `INSERT INTO ${name} (${fields}) VALUES (?, ?, 1, ?, ?) RETURNING *`),
    words: prepare(
      writer,
      `INSERT OR REPLACE INTO treadle_words_${name}_fts (rowid, words) SELECT value->>0, value->>1 FROM json_each(?)`,
    ),
    name,
  };
}

const all = new Map(Array.from({ length: Number(schemas) }, (_, index) => [toName(index), toStatements(index)]));
const begin = prepare(writer, 'BEGIN IMMEDIATE');
const commit = prepare(writer, 'COMMIT');

const getNow = () => new Date().toISOString().slice(0, 19).replace('T', ' ');
const queue = [];

/** Writes what waits in one transaction: the rows, then the words of each table. */
async function writeWaiting() {
  while (queue.length > 0) {
    await begin();
    const units = queue.splice(0);
    const words = new Map();
    for (const unit of units) {
      const { schema, given } = unit;
      const now = getNow();
      const title = given[`${schema.name}_title`];
      [unit.row] = await schema.insert(title, given[`${schema.name}_count`], now, now);
      const item = [unit.row[`${schema.name}_id`], title.toLowerCase()];
      words.set(schema, [...(words.get(schema) ?? []), item]);
    }
    for (const [schema, items] of words) await schema.words(JSON.stringify(items));
    await commit();
    for (const { done, row } of units) done(row);
  }
}

const state = { writing: undefined };
const insert = (schema, given) =>
  new Promise((done) => {
    queue.push({ schema, given, done });
    state.writing ??= writeWaiting().finally(() => {
      state.writing = undefined;
    });
  });

const { server } = polka()
  .get('/rest/public/:schema/detail/:id', async (req, res) => {
    const { detail, list, listName } = all.get(req.params.schema);
    const [[row], others] = await Promise.all([detail(req.params.id), list?.(req.params.id)]);
    json(res, { error: false, results: others === undefined ? row : { ...row, [listName]: others } });
  })
  .post('/rest/public/:schema/create', async (req, res) => {
    const row = await insert(all.get(req.params.schema), await readJson(req));
    json(res, { error: false, results: row }, 201);
  })
  .listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
process.on('SIGTERM', () => process.exit(0));
