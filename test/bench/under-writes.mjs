// Reads pages and calls of a blog while another program writes a comment to another article each 50 ms: kept answers must
// outlive writes of rows that they do not show. Beside it the bare handler on a copy of the database, under the same writes.
// Usage: node test/bench/under-writes.mjs [--rounds 5] [--seconds 3] [--rows 5000] [--connections 16]
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { fillDatabase } from './fill.mjs';
import { compare, toRow } from './load.mjs';
import { toTable } from './page.mjs';
import { startServer, stopServer } from './server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '16' },
  },
});
const options = Object.fromEntries(['rounds', 'seconds', 'connections'].map((name) => [name, Number(values[name])]));
const WRITE_MILLISECONDS = 50;
/** Articles that are read; comments go to those after them. */
const READ = 100;
const root = fileURLToPath(new URL('../..', import.meta.url));
const treadle = resolve(root, 'dist/bin/treadle.js');
const folder = mkdtempSync(join(tmpdir(), 'treadle-under-writes-'));

/** Writes to a database until it is ended. */
async function beginWriting(file) {
  const handle = await new Promise((done, fail) => {
    const made = new sqlite3.Database(file, (error) => (error ? fail(error) : done(made)));
  });
  handle.configure('busyTimeout', 5000);
  const run = promisify(handle.run.bind(handle));
  const state = { count: 0 };
  const timer = setInterval(() => {
    state.count += 1;
    const article = READ + 1 + (state.count % READ);
    void run(
      `insert into comment (comment_detail, comment_active, comment_created, comment_updated, profile_id, article_id)
        values ('warp and weft', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 1, ${article})`,
    );
  }, WRITE_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await new Promise((done) => handle.close(done));
  };
}

const each = (path) => ({ path: (number) => path + (1 + (number % READ)) });
const REQUESTS = {
  'page of one article': { path: '/article/7' },
  'pages of 100 articles': each('/article/'),
  'details of 100 articles': each('/rest/public/article/detail/'),
};

try {
  const project = join(folder, 'blog');
  await fillDatabase({ treadle, project, rows: Number(values.rows) });
  const file = join(project, 'var/app.db');
  const copy = join(folder, 'bare.db');
  copyFileSync(file, copy);
  const args = [treadle, 'start', '--port', '0', '--cwd', project];
  const ours = await startServer(process.execPath, args, { cwd: project });
  const bare = await startServer(process.execPath, [join(root, 'test/bench/bare.mjs'), copy], { cwd: root });
  const table = [];
  try {
    for (const isWriting of [false, true]) {
      const ends = isWriting ? await Promise.all([beginWriting(file), beginWriting(copy)]) : [];
      for (const [title, request] of Object.entries(REQUESTS)) {
        const sides = [
          { name: 'treadle', server: ours, request },
          { name: 'bare', server: bare, request },
        ];
        table.push(
          toRow(
            `${title}${isWriting ? `, 1 comment each ${WRITE_MILLISECONDS} ms` : ''}`,
            await compare(sides, options),
          ),
        );
      }
      for (const end of ends) await end();
    }
  } finally {
    await Promise.all([stopServer(ours), stopServer(bare)]);
  }
  process.stdout.write(`${toTable(['', 'Treadle', 'bare', 'ratio of rates', 'by processor time', 'p99'], table)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
