// The baseline: polka and sqlite3 alone, with the same SQL written by hand, on the same database file.
// Usage: node test/bench/bare.mjs <database file>. Prints its port.
import process from 'node:process';
import polka from 'polka';
import sqlite3 from 'sqlite3';

const [file] = process.argv.slice(2);
const open = (mode) =>
  new Promise((done, fail) => {
    const handle = new sqlite3.Database(file, mode, (error) => (error ? fail(error) : done(handle)));
  });
const reader = await open(sqlite3.OPEN_READONLY);
const writer = await open(sqlite3.OPEN_READWRITE);
const exec = (handle, sql) => new Promise((done, fail) => handle.exec(sql, (error) => (error ? fail(error) : done())));
await exec(
  writer,
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000',
);
const prepare = (handle, sql) => {
  const statement = handle.prepare(sql);
  return (...parameters) =>
    new Promise((done, fail) => statement.all(parameters, (error, rows) => (error ? fail(error) : done(rows))));
};

const COLUMNS =
  'article_id, article_title, article_slug, article_category, article_author, article_published, article_detail, article_active, article_created, article_updated';
const rows = prepare(
  reader,
  `SELECT ${COLUMNS} FROM article WHERE article_active = 1 ORDER BY article_published DESC, article_id DESC LIMIT ? OFFSET ?`,
);
const total = prepare(reader, 'SELECT count(*) AS total FROM article WHERE article_active = 1');
const detail = prepare(reader, `SELECT ${COLUMNS} FROM article WHERE article_id = ?`);
const comments = prepare(
  reader,
  'SELECT comment.*, profile.* FROM comment JOIN profile ON profile.profile_id = comment.profile_id WHERE comment.article_id = ? AND comment_active = 1 ORDER BY comment_id',
);
const insert = prepare(
  writer,
  'INSERT INTO comment (comment_detail, comment_active, comment_created, comment_updated, profile_id, article_id) VALUES (?, 1, ?, ?, ?, ?) RETURNING *',
);

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
function json(res, value, status = 200) {
  const body = JSON.stringify(value);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(body);
}

const { server } = polka()
  .get('/rest/public/article/search', async (req, res) => {
    const [found, [count]] = await Promise.all([
      rows(Number(req.query.limit ?? 50), Number(req.query.offset ?? 0)),
      total(),
    ]);
    json(res, { error: false, results: { rows: found, total: count.total } });
  })
  .get('/rest/public/article/detail/:id', async (req, res) => {
    const [[row], list] = await Promise.all([detail(req.params.id), comments(req.params.id)]);
    json(res, { error: false, results: { ...row, comment: list } });
  })
  .get('/articles', async (_req, res) => {
    const [found] = await Promise.all([rows(50, 0), total()]);
    const list = found
      .map(
        (row) =>
          `<li><a href="/article/${row.article_id}">${escapeHtml(row.article_title)}</a> ${escapeHtml(row.article_published)}</li>`,
      )
      .join('');
    const body = `<!doctype html><title>Articles</title><ul>${list}</ul>`;
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) });
    res.end(body);
  })
  .post('/rest/user/comment/create', async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const { comment_detail, article_id } = JSON.parse(Buffer.concat(chunks).toString());
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const [row] = await insert(comment_detail, now, now, 1, article_id);
    json(res, { error: false, results: row }, 201);
  })
  .listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
