// How what a call costs grows with the rows of its table: the same project with few and with many rows, one request at a
// time, in turn. No request repeats another, because answers are kept. Processor time of the server is printed beside the
// time, because another program on the machine changes only the latter.
// Usage: node test/bench/rows.mjs [--rows 10000,1000000] [--rounds 15] [--only q,offset] [--folder <keeps the projects>]
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { cpuSeconds, startServer, stopServer } from './server.mjs';

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,1000000' },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    folder: { type: 'string' },
    program: { type: 'string', default: fileURLToPath(new URL('../../dist/bin/treadle.js', import.meta.url)) },
  },
});
const rounds = Number(values.rounds);
const only = values.only.split(',').filter(Boolean);
const program = resolve(values.program);
const environment = { ...process.env, CI: 'true', NODE_ENV: 'production' };
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const out = (text) => process.stdout.write(`${text}\n`);

const VOCABULARY =
  'warp weft loom shuttle heddle reed treadle cloth thread spool pattern twill plain satin linen wool cotton dye mordant selvedge'.split(
    ' ',
  );
/** A number that looks random and differs for each of the first million rows. */
const MIXED = '((n * 7919) % 1000003)';
/** Another such number: words have nothing to do with the order of the dates. */
const STIRRED = '((n * 104729) % 999983)';
/** Each word of the vocabulary is in every other row. */
const TEXT = VOCABULARY.map((word, bit) => `iif((${STIRRED} >> ${bit % 17}) & 1, '${word} ', '')`).join(' || ');
const ORDER = `'in the order of its threads ' || ${TEXT}`;

const CALLS = { create: ['post', 'create'], update: ['patch', 'update/:article_id'] };

async function createProject(folder) {
  const cli = (...args) => run(process.execPath, [program, ...args], { env: environment });
  await cli('create', folder, '--no-install', '--no-git');
  for (const [action, [method, path]] of Object.entries(CALLS)) {
    const call = {
      title: `${action} an article`,
      access: 'public',
      method,
      path: `/public/article/${path}`,
      event: `system-model-${action}`,
      parameters: { schema: 'article' },
      open: true,
    };
    writeFileSync(join(folder, `config/rest/public-article-${action}.json`), `${JSON.stringify(call, null, 2)}\n`);
  }
  const file = join(folder, 'config/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...settings, limits: { perMinute: 1_000_000 } }, null, 2)}\n`);
  await cli('migrate', '--cwd', folder);
}

/** Rows by SQL, with their words as the program would write them. */
async function fill(file, rows) {
  const handle = new sqlite3.Database(file);
  const exec = promisify(handle.exec.bind(handle));
  await exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -400000; begin');
  await exec(`insert into article (article_title, article_slug, article_category, article_author, article_published, article_detail, article_active, article_created, article_updated)
    with recursive c(n) as (select 1 union all select n + 1 from c where n < ${rows})
    select 'Title ' || n || iif(n % 2 = 0, ' half', ''), 'article-' || n, 'c' || (n % 50), 'Bench',
      datetime(1500000000 + ${MIXED} * 200, 'unixepoch'),
      '<p>Every row has common words ' || iif(n % 1000 = 0, 'thousandth ', '') || 'w' || (${MIXED} % 400) || ' w' || ${MIXED} || ' ' || ${ORDER} || ${ORDER} || ${ORDER} || '</p>',
      1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from c`);
  await exec(`insert into comment (comment_detail, comment_active, comment_created, comment_updated, profile_id, article_id)
    with recursive c(n) as (select 1 union all select n + 1 from c where n < 1000)
    select 'A comment', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 1, 1 + n / 5 from c
    where exists (select 1 from profile where profile_id = 1)`);
  // A larger hash writes fewer segments.
  await exec(`insert into treadle_words_article_fts(treadle_words_article_fts, rank) values ('hashsize', 67108864)`);
  await exec(`insert into treadle_words_article_fts(rowid, words)
    with recursive c(n) as (select 1 union all select n + 1 from c where n < ${rows})
    select n, 'title ' || n || iif(n % 2 = 0, ' half', '') || ' every row has common words ' || iif(n % 1000 = 0, 'thousandth ', '') || 'w' || (${MIXED} % 400) || ' w' || ${MIXED} || ' ' || ${ORDER} from c`);
  await exec(`insert into treadle_words_article_fts(treadle_words_article_fts, rank) values ('hashsize', 1048576)`);
  // The rows have their words, which did not pass by what takes them off those without.
  await exec('delete from treadle_words_article_fts_due');
  await exec('commit; analyze; pragma journal_mode = wal');
  await promisify(handle.close.bind(handle))();
}

const serve = (folder) =>
  startServer(process.execPath, [program, 'start', '--port', '0', '--cwd', folder], { env: environment });

/** Processor time of a server and its workers, in ms. */
const cpu = (server) => cpuSeconds(server) * 1000;

const SEARCH = '/rest/public/article/search';
const get = (query) => ({ path: `${SEARCH}?limit=20&${query}` });
const day = (at) => new Date(1_500_000_000_000 + at * 86_400_000).toISOString().slice(0, 10);
const SORT = 'sort=-article_published';

/** Requests of one kind, by round: none repeats another. */
const KINDS = {
  'first page, no total': (at) => get(`${SORT}&total=0&fields=article_title,article_slug&offset=${at}`),
  'first page, total known': (at) => get(`${SORT}&offset=${at}`),
  'filter of 2 %': (at) => get(`filter[article_category]=c${at % 50}&total=0&offset=${at}`),
  'filter of 2 %, sorted': (at) => get(`filter[article_category]=c${at % 50}&${SORT}&total=0&offset=${at}`),
  'filter of 2 % with total': (at) => get(`filter[article_category]=c${at % 50}`),
  'filter of 2 % with a bounded total': (at) => get(`filter[article_category]=c${at % 50}&total=1000`),
  'date range, sorted': (at) => get(`filter[article_published][gte]=${day(500 + at)}&${SORT}&total=0`),
  'q of one row': (at, rows) => get(`q=title+${Math.floor(rows / 3) + at}`),
  'q of a thousandth': (at) =>
    get(`q=thousandth&offset=${at % 9}&fields=article_title${',article_slug'.repeat(at >> 3)}`),
  'q of half, no total': (at) => get(`q=half&total=0&offset=${at}`),
  'q of half with total': (at) => get(`q=${VOCABULARY[at % 20]}`),
  'q of half with a bounded total': (at) => get(`q=${VOCABULARY[at % 20]}&total=1000`),
  'q of half, sorted, no total': (at) => get(`q=${VOCABULARY[at % 20]}&${SORT}&total=0`),
  'q of two words': (at) => get(`q=${VOCABULARY[at % 20]}+w${at}&total=0`),
  'cursor in the middle': (at, _rows, { cursors }) => get(`${SORT}&total=0&after=${cursors[at % cursors.length]}`),
  'offset in the middle': (at, rows) => get(`${SORT}&total=0&offset=${Math.floor(rows / 2) + at * 20}`),
  'offset at the end': (at, rows) => get(`${SORT}&total=0&offset=${rows - 1000 + at * 20}`),
  detail: (at, rows) => ({ path: `/rest/public/article/detail/${1 + ((at * 7919 + 13) % rows)}` }),
  create: (at) => ({
    path: '/rest/public/article/create',
    method: 'POST',
    body: {
      article_title: `New ${at}`,
      article_detail: `<p>in the order of its threads ${at}</p>`,
      article_category: 'new',
    },
  }),
  'first page with total after a write': (at) => get(`${SORT}&offset=${at}`),
};
/** What each request needs before it, unmeasured. */
const BEFORE = {
  'first page with total after a write': (at) => ({
    path: `/rest/public/article/update/${1 + at}`,
    method: 'PATCH',
    body: { article_author: `Author ${at}` },
  }),
};

async function send(url, { path, method = 'GET', body }) {
  const answer = await fetch(url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text).results;
}

/** Until the server is not busy: it refuses costly reads while others run. */
async function insist(url, request) {
  for (let time = 0; ; time += 1) {
    const begun = performance.now();
    try {
      await send(url, request);
      return performance.now() - begun;
    } catch (error) {
      if (!String(error).includes(': 503 ') || time === 20) throw error;
      await new Promise((done) => setTimeout(done, 250));
    }
  }
}

async function measureKind(side, name, from, count) {
  const { server, rows } = side;
  const took = [];
  const before = BEFORE[name];
  let used = 0;
  for (let at = from; at < from + count; at += 1) {
    if (before) await insist(server.url, before(at));
    const start = cpu(server);
    took.push(await insist(server.url, KINDS[name](at, rows, side)));
    used += cpu(server) - start;
  }
  return { took, used: used / count };
}

/** Cursors of the middle of the table. */
async function findCursors(server) {
  const cursors = [];
  for (let at = 0; at < 60; at += 1) {
    const found = await send(
      server.url,
      get(`${SORT}&total=0&filter[article_published][lte]=${day(1100 + at)}&fields=article_title`),
    );
    if (found.next) cursors.push(encodeURIComponent(found.next));
  }
  return cursors;
}

const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), 'treadle-rows-'));
const sides = [];
try {
  mkdirSync(folder, { recursive: true });
  for (const rows of values.rows.split(',').map(Number)) {
    const place = join(folder, `rows-${rows}`);
    if (!existsSync(place)) {
      const begun = performance.now();
      await createProject(place);
      await fill(join(place, 'var/app.db'), rows);
      out(`${rows} rows: made in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    }
    const server = await serve(place);
    const begun = performance.now();
    await send(server.url, get(SORT));
    out(
      `${rows} rows: ${(statSync(join(place, 'var/app.db')).size / 1e6).toFixed(0)} MB, first total ever ${(performance.now() - begun).toFixed(0)} ms`,
    );
    sides.push({ rows, server, cursors: await findCursors(server) });
  }
  for (const name of Object.keys(KINDS)) {
    if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
    const found = sides.map(() => ({ took: [], used: [] }));
    const BATCH = 3;
    for (let at = 0; at < rounds; at += BATCH) {
      for (const [index, side] of sides.entries()) {
        const { took, used } = await measureKind(side, name, at, Math.min(BATCH, rounds - at));
        found[index].took.push(...took);
        found[index].used.push(used);
      }
    }
    const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
    const shown = found.map(({ took, used }) =>
      `${median(took).toFixed(1)} ms (${mean(used).toFixed(1)})`.padStart(18),
    );
    const ratio = median(found.at(-1).took) / median(found[0].took);
    out(`${name.padEnd(36)} ${shown.join(' ')}  x${ratio.toFixed(1)}`);
  }
} finally {
  for (const { server } of sides) await stopServer(server);
  if (!values.folder) rmSync(folder, { recursive: true, force: true });
}
