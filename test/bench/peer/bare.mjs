// The lower bound of the part "peer": polka and sqlite3 alone, with the SQL written by hand, on a copy of Treadle's database
// without its triggers. Usage: node test/bench/peer/bare.mjs <database file>. Prints its port.
import process from 'node:process';
import polka from 'polka';
import sqlite3 from 'sqlite3';
import { getNow, json, openDatabase, prepare, readJson } from '../bare-tools.mjs';

const [file] = process.argv.slice(2);
const reader = await openDatabase(file, sqlite3.OPEN_READONLY);
const writer = await openDatabase(file, sqlite3.OPEN_READWRITE);
const exec = (sql) => new Promise((done, fail) => writer.exec(sql, (error) => (error ? fail(error) : done())));
const query = (sql) =>
  new Promise((done, fail) => writer.all(sql, (error, rows) => (error ? fail(error) : done(rows))));
await exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000');
// They serve Treadle's word index and its kept answers, of which this handler has none.
for (const { name } of await query("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
  await exec(`DROP TRIGGER "${name}"`);

const COLUMNS =
  'article_id, article_title, article_body, article_published, article_views, article_created, article_updated, article.author_id';
const list = prepare(reader, `SELECT ${COLUMNS} FROM article ORDER BY article_created DESC LIMIT ? OFFSET ?`);
const total = prepare(reader, 'SELECT count(*) AS total FROM article');
const detail = prepare(reader, `SELECT ${COLUMNS} FROM article WHERE article_id = ?`);
const detailWithAuthor = prepare(
  reader,
  `SELECT ${COLUMNS}, author_name FROM article LEFT JOIN author ON author.author_id = article.author_id WHERE article_id = ?`,
);
const insert = prepare(
  writer,
  'INSERT INTO article (article_title, article_body, article_published, article_views, author_id, article_created, article_updated) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *',
);
const update = prepare(
  writer,
  'UPDATE article SET article_views = ?, article_updated = ? WHERE article_id = ? RETURNING *',
);
const remove = prepare(writer, 'DELETE FROM article WHERE article_id = ? RETURNING *');

const { server } = polka()
  .get('/article', async (req, res) => {
    const { limit, offset, total: isCounted } = req.query;
    const window = [Number(limit), Number(offset)];
    if (isCounted === '0') return json(res, { error: false, results: { rows: await list(...window) } });
    const [rows, [count]] = await Promise.all([list(...window), total()]);
    json(res, { error: false, results: { rows, ...count } });
  })
  .get('/article/:id', async (req, res) => {
    const [row] = await detail(req.params.id);
    json(res, { error: false, results: row });
  })
  .get('/article/:id/author', async (req, res) => {
    const [{ author_name, ...row }] = await detailWithAuthor(req.params.id);
    json(res, { error: false, results: { ...row, author: { author_id: row.author_id, author_name } } });
  })
  .post('/article', async (req, res) => {
    const { article_title, article_body, article_published, article_views, author_id } = await readJson(req);
    const now = getNow();
    const values = [article_title, article_body, article_published, article_views, author_id, now, now];
    const [row] = await insert(...values);
    json(res, { error: false, results: row }, 201);
  })
  .patch('/article/:id', async (req, res) => {
    const { article_views } = await readJson(req);
    const [row] = await update(article_views, getNow(), req.params.id);
    json(res, { error: false, results: row });
  })
  .delete('/article/:id', async (req, res) => {
    const [row] = await remove(req.params.id);
    json(res, { error: false, results: row });
  })
  .listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
