// The baseline: polka and sqlite3 alone, with the same SQL written by hand, on the same database file.
// Usage: node test/bench/bare.mjs <database file> [folder of static files]. Prints its port.
import process from 'node:process';
import polka from 'polka';
import sirv from 'sirv';
import sqlite3 from 'sqlite3';
import { getNow, json, openDatabase, prepare, readJson } from './bare-tools.mjs';

const [file, folder] = process.argv.slice(2);
const reader = await openDatabase(file, sqlite3.OPEN_READONLY);
const writer = await openDatabase(file, sqlite3.OPEN_READWRITE);
const exec = (handle, sql) => new Promise((done, fail) => handle.exec(sql, (error) => (error ? fail(error) : done())));
await exec(
  writer,
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000',
);

const COLUMNS =
  'article_id, article_title, article_slug, article_category, article_author, article_published, article_detail, article_active, article_created, article_updated';
const rows = prepare(
  reader,
  `SELECT ${COLUMNS} FROM article WHERE article_active = 1 ORDER BY article_published DESC, article_id DESC LIMIT +? OFFSET +?`,
);
const FOUND =
  'FROM treadle_words_article_fts AS w CROSS JOIN article AS t WHERE w.treadle_words_article_fts MATCH ? AND t.article_id = w.rowid AND t.article_active = 1';
const words = prepare(reader, `SELECT ${COLUMNS} ${FOUND} ORDER BY article_id LIMIT +? OFFSET +?`);
const wordsByDate = prepare(reader, `SELECT ${COLUMNS} ${FOUND} ORDER BY article_published DESC LIMIT +? OFFSET +?`);
const wordsTotal = prepare(reader, `SELECT count(*) AS total ${FOUND}`);
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

const update = prepare(
  writer,
  'UPDATE comment SET comment_detail = ?, comment_updated = ? WHERE comment_id = ? AND comment_active = 1 RETURNING *',
);

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const app = folder === undefined ? polka() : polka().use(sirv(folder));
const { server } = app
  .get('/rest/public/article/search', async (req, res) => {
    const { q, sort, limit = '50', offset = '0' } = req.query;
    const window = [Number(limit), Number(offset)];
    const match = q
      ?.split(' ')
      .map((word) => `"${word}"*`)
      .join(' ');
    const find = sort === undefined ? words : wordsByDate;
    const [found, [count]] = await Promise.all(
      match === undefined ? [rows(...window), total()] : [find(match, ...window), wordsTotal(match)],
    );
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
  .get('/article/:id', async (req, res) => {
    const [[row], list] = await Promise.all([detail(req.params.id), comments(req.params.id)]);
    const said = list
      .map(
        (one) =>
          `<li>${escapeHtml(one.profile_name)} ${escapeHtml(one.comment_created)} ${escapeHtml(one.comment_detail)}</li>`,
      )
      .join('');
    const title = escapeHtml(row.article_title);
    const body = `<!doctype html><title>${title}</title><h1>${title}</h1>${row.article_detail}<ul>${said}</ul>`;
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) });
    res.end(body);
  })
  .post('/rest/user/comment/create', async (req, res) => {
    const { comment_detail, article_id } = await readJson(req);
    const now = getNow();
    const [row] = await insert(comment_detail, now, now, 1, article_id);
    json(res, { error: false, results: row }, 201);
  })
  .patch('/rest/user/comment/update/:id', async (req, res) => {
    const { comment_detail } = await readJson(req);
    const [row] = await update(comment_detail, getNow(), req.params.id);
    json(res, { error: false, results: row });
  })
  .listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
