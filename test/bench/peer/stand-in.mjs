#!/usr/bin/env node
// Answers those paths of PocketBase's API that the bench asks, from SQLite: to try the bench where PocketBase cannot be had.
// Its figures say nothing about PocketBase. Usage: npm run bench -- --peer pocketbase --peer-bin test/bench/peer/stand-in.mjs
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import sqlite3 from 'sqlite3';

const [command, ...rest] = process.argv.slice(2);
const getFlag = (flag) => rest[rest.indexOf(flag) + 1];
const TYPES = { bool: 'BOOLEAN', number: 'NUMERIC' };
const name = (text) => {
  if (!/^\w+$/.test(text)) throw new Error(`"${text}" is no name`);
  return `"${text}"`;
};
const getNow = () => `${new Date().toISOString().replace('T', ' ')}`;

async function open(folder) {
  mkdirSync(folder, { recursive: true });
  const handle = await new Promise((done, fail) => {
    const made = new sqlite3.Database(join(folder, 'data.db'), (error) => (error ? fail(error) : done(made)));
  });
  const all = (sql, ...values) =>
    new Promise((done, fail) => handle.all(sql, values, (error, rows) => (error ? fail(error) : done(rows))));
  await all('PRAGMA journal_mode = wal');
  await all('PRAGMA synchronous = normal');
  return all;
}

/** `(a ~ 'x' && b > 5)`, as the bench writes it. */
function toWhere(filter) {
  if (!filter) return { sql: '1', values: [] };
  const parts = filter.replace(/^\(|\)$/g, '').split(' && ');
  const found = parts.map((part) => {
    const [, column, operator, given] = /^(\w+) (~|>|=) (.+)$/.exec(part) ?? [];
    if (column === undefined) throw new Error(`"${part}" is no filter`);
    if (operator === '~') return { sql: `${name(column)} LIKE ?`, value: `%${given.slice(1, -1)}%` };
    return { sql: `${name(column)} ${operator} ?`, value: given === 'true' ? 1 : Number(given) };
  });
  return { sql: found.map(({ sql }) => sql).join(' AND '), values: found.map(({ value }) => value) };
}

const toRecord = ({ published, ...row }) => (published === undefined ? row : { ...row, published: published === 1 });

async function expand(all, records, query) {
  if (query.get('expand') !== 'author') return records;
  const marks = records.map(() => '?').join();
  const authors = await all(`SELECT * FROM author WHERE id IN (${marks})`, ...records.map(({ author }) => author));
  const byId = new Map(authors.map((one) => [one.id, one]));
  return records.map((record) => ({ ...record, expand: { author: byId.get(record.author) } }));
}

async function list(all, collection, query) {
  const { sql, values } = toWhere(query.get('filter'));
  const [, down, column] = /^(-?)(\w+)$/.exec(query.get('sort'));
  const perPage = Number(query.get('perPage'));
  const page = Number(query.get('page'));
  const order = `ORDER BY ${name(column)} ${down ? 'DESC' : 'ASC'} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  const rows = await all(`SELECT * FROM ${name(collection)} WHERE ${sql} ${order}`, ...values);
  const isCounted = query.get('skipTotal') !== '1';
  const [{ total }] = isCounted
    ? await all(`SELECT count(*) AS total FROM ${name(collection)} WHERE ${sql}`, ...values)
    : [{ total: -1 }];
  return { page, perPage, totalItems: total, items: await expand(all, rows.map(toRecord), query) };
}

async function insert(all, collection, body) {
  const columns = (await all(`PRAGMA table_info(${name(collection)})`)).map((column) => column.name);
  const id = body.id ?? `n${Math.random().toString(36).slice(2, 12).padEnd(14, '0')}`;
  const row = { ...body, id };
  for (const column of ['created', 'updated']) if (columns.includes(column)) row[column] = getNow();
  const keys = Object.keys(row);
  const sql = `INSERT INTO ${name(collection)} (${keys.map(name)}) VALUES (${keys.map(() => '?')}) RETURNING *`;
  const [made] = await all(sql, ...Object.values(row));
  return toRecord(made);
}

async function createCollection(all, { name: collection, fields, indexes = [] }) {
  const columns = fields.map((field) => `${name(field.name)} ${TYPES[field.type] ?? 'TEXT'}`);
  await all(`CREATE TABLE ${name(collection)} (id TEXT PRIMARY KEY, ${columns})`);
  for (const index of indexes) await all(index);
  return { id: `of_${collection}` };
}

/** Runs the requests of a batch in one transaction. */
async function batch(all, { requests }) {
  await all('BEGIN');
  const answers = [];
  for (const { url, body } of requests) answers.push({ status: 200, body: await insert(all, url.split('/')[3], body) });
  await all('COMMIT');
  return answers;
}

async function one(all, { method, collection, id, query, body }) {
  if (method === 'DELETE') {
    const gone = await all(`DELETE FROM ${name(collection)} WHERE id = ? RETURNING id`, id);
    return gone.length > 0 ? { status: 204 } : { status: 404, value: {} };
  }
  const keys = Object.keys(body);
  if (method === 'PATCH')
    await all(
      `UPDATE ${name(collection)} SET updated = ?, ${keys.map((key) => `${name(key)} = ?`)} WHERE id = ?`,
      getNow(),
      ...Object.values(body),
      id,
    );
  const rows = await all(`SELECT * FROM ${name(collection)} WHERE id = ?`, id);
  if (rows.length === 0) return { status: 404, value: {} };
  return { value: (await expand(all, rows.map(toRecord), query))[0] };
}

async function answer(all, { method, path, query, body, token }) {
  const [, , area, collection, records, id] = path.split('/');
  if (path === '/api/health') return { value: { code: 200 } };
  if (path === '/api/collections/_superusers/auth-with-password') return { value: { token: 'stand-in' } };
  if (area === 'collections' && records === 'records') {
    if (id !== undefined) return one(all, { method, collection, id, query, body });
    return { value: await (method === 'POST' ? insert(all, collection, body) : list(all, collection, query)) };
  }
  if (token !== 'stand-in') return { status: 403, value: {} };
  if (path === '/api/settings') return { value: body };
  if (path === '/api/batch') return { value: await batch(all, body) };
  if (area === 'crons') return all('ANALYZE').then(() => ({ status: 204 }));
  if (area === 'collections' && method === 'POST') return { value: await createCollection(all, body) };
  if (area === 'collections' && method === 'PATCH') return all(body.indexes.at(-1)).then(() => ({ value: {} }));
  return { status: 404, value: {} };
}

async function serve() {
  const all = await open(getFlag('--dir'));
  const [host, port] = getFlag('--http').split(':');
  const server = createServer(async (req, res) => {
    try {
      const { pathname, searchParams } = new URL(req.url, 'http://stand-in');
      const chunks = [];
      for await (const chunk of req) chunks.push(chunk);
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
      const token = req.headers.authorization;
      const asked = { method: req.method, path: pathname, query: searchParams, body, token };
      const { status = 200, value } = await answer(all, asked);
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(value === undefined ? undefined : JSON.stringify(value));
    } catch (error) {
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ message: String(error) }));
    }
  });
  server.listen(Number(port), host);
  process.on('SIGTERM', () => process.exit(0));
}

if (command === '--version') process.stdout.write('pocketbase version 0.0.0\n');
else if (command === 'superuser') await open(getFlag('--dir'));
else if (command === 'serve') await serve();
else throw new Error(`"${command}" is unknown here`);
