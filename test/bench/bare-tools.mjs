// What the bare handlers share: they run SQL by hand on sqlite3 and answer with JSON.
import sqlite3 from 'sqlite3';

/** Opens a database file with a mode of sqlite3. */
export const openDatabase = (file, mode) =>
  new Promise((done, fail) => {
    const handle = new sqlite3.Database(file, mode, (error) => (error ? fail(error) : done(handle)));
  });

/** A statement as a function of its parameters that gives its rows. */
export function prepare(handle, sql) {
  const statement = handle.prepare(sql);
  return (...parameters) =>
    new Promise((done, fail) => statement.all(parameters, (error, rows) => (error ? fail(error) : done(rows))));
}

export function json(res, value, status = 200) {
  const body = JSON.stringify(value);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(body);
}

export const getNow = () => new Date().toISOString().slice(0, 19).replace('T', ' ');

export async function readJson(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
