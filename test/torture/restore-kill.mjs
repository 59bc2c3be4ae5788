// Kills `treadle restore` at random moments and checks each time what is left: all of the old rows, or all of the new
// ones, and no half-written upload. On SQLite, and on PostgreSQL if TREADLE_TEST_POSTGRES names a server.
// Usage: node --import tsx test/torture/restore-kill.mjs [--short] [--seed n] [--tries n]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { CompiledQuery } from 'kysely';
import { writeProject } from '../../src/cli/create/project.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { describe } from '../../src/database/archive/describe.ts';
import { readRows } from '../../src/database/archive/read-rows.ts';
import { Digest } from '../../src/database/archive/value.ts';
import { openDatabase } from '../../src/database/open.ts';
import { getProgram } from './_program.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    tries: { type: 'string' },
    rows: { type: 'string', default: '20000' },
  },
});
const tries = Number(values.tries ?? (values.short ? 1 : 60));
const rows = Number(values.rows);
const folder = mkdtempSync(join(tmpdir(), 'treadle-torture-'));
const root = join(folder, 'blog');
const program = await getProgram();
let state = Number(values.seed) % 2147483647;
/** From 0 to 1, the same for the same seed. */
const random = () => {
  state = (state * 48271) % 2147483647;
  return state / 2147483647;
};
const run = (database, text, parameters = []) => database.run(CompiledQuery.raw(text), parameters);
const open = (url) => openDatabase({ url, root, log: silentLog, clock: systemClock });

/** Runs the command line; kills it after this many milliseconds, if given. */
function treadle(args, url, milliseconds) {
  const begun = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, CI: '1' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.on('data', (chunk) => (text += chunk));
  const timer = milliseconds === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), milliseconds);
  return new Promise((done) =>
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      done({ code, isKilled: signal === 'SIGKILL', text, took: performance.now() - begun });
    }),
  );
}

async function must(args, url) {
  const result = await treadle(args, url);
  if (result.code !== 0) throw new Error(`treadle ${args.join(' ')}: ${result.text}`);
  return result;
}

/** The rows of the site's own tables, as one text: the migration history differs with each restore. */
async function sumUp(url) {
  const database = await open(url);
  try {
    const { tables } = await describe(database, []);
    const lines = [];
    for (const table of tables.filter(({ name }) => /^(article|comment|profile)$/.test(name))) {
      const sorted = { ...table, columns: [...table.columns].sort((a, b) => (a.name < b.name ? -1 : 1)) };
      const digest = new Digest(sorted);
      for await (const batch of readRows(database, sorted)) for (const row of batch) digest.add(row);
      lines.push(`${table.name} ${digest.rows} ${digest}`);
    }
    if (database.dialect === 'sqlite') {
      const [check] = await run(database, 'pragma integrity_check');
      lines.push(String(Object.values(check ?? {})[0]));
    } else {
      const left = await run(database, "select nspname from pg_namespace where nspname like 'treadle\\_restore\\_%'");
      if (left.length > 0) throw new Error('A schema was left behind.');
    }
    return lines.join('\n');
  } finally {
    await database.close();
  }
}

async function fill(url, from, to, word) {
  const database = await open(url);
  const text = `insert into article (article_title, article_detail) values ('${word} ' || :n, '${word.repeat(20)}')`;
  await database.restructure(async () => {
    for (let n = from; n < to; n += 1) await run(database, text.replace(':n', `'${n}'`));
  });
  await database.close();
}

async function storm(name, url) {
  await must(['migrate'], url);
  await fill(url, 0, rows, 'new');
  mkdirSync(join(root, 'var/upload'), { recursive: true });
  for (let n = 0; n < 20; n += 1) writeFileSync(join(root, 'var/upload', `file${n}.bin`), Buffer.alloc(200_000, n));
  const archive = join(folder, `${name}.treadle`);
  await must(['backup', '--out', archive, '--yes'], url);
  const fresh = await sumUp(url);
  await fill(url, rows, rows + 500, 'old');
  const old = await sumUp(url);
  rmSync(join(root, 'var/upload'), { recursive: true });
  // The duration of one, so that kills are spread over it.
  const other = join(folder, `${name}-old.treadle`);
  await must(['backup', '--out', other, '--yes', '--no-files'], url);
  const { took } = await must(['restore', archive, '--allow-loss'], url);
  let [killed, wasOld] = [0, 0];
  for (let count = 0; count < tries; count += 1) {
    if ((await sumUp(url)) !== old) await must(['restore', other, '--allow-loss'], url);
    if ((await sumUp(url)) !== old) throw new Error('The old rows did not come back.');
    const blow = await treadle(['restore', archive, '--allow-loss'], url, 200 + random() * took);
    if (!blow.isKilled && blow.code !== 0) throw new Error(blow.text);
    killed += blow.isKilled ? 1 : 0;
    const left = await sumUp(url);
    if (left !== old && left !== fresh) throw new Error(`Neither old nor new after blow ${count + 1}:\n${left}`);
    wasOld += left === old ? 1 : 0;
    const half = readdirSync(join(root, 'var/upload')).filter(
      (file) => !file.startsWith('.') && !/^file\d+\.bin$/.test(file),
    );
    if (half.length > 0) throw new Error(`Half-written files: ${half.join(', ')}`);
  }
  await must(['restore', archive, '--allow-loss'], url);
  if ((await sumUp(url)) !== fresh) throw new Error('It does not restore after the blows.');
  process.stdout.write(
    `restore-kill ${name}: ${killed} of ${tries} killed, ${wasOld} times the old rows, else the new; never between\n`,
  );
}

try {
  writeProject({ folder: root, template: 'blog', random: (bytes) => Buffer.alloc(bytes, 7) });
  await storm('sqlite', 'sqlite:var/app.db');
  const server = process.env.TREADLE_TEST_POSTGRES;
  if (server?.startsWith('postgres')) {
    const url = new URL(server);
    const schema = `treadle_torture_${process.pid}`;
    url.searchParams.set('schema', schema);
    try {
      await storm('postgres', String(url));
    } finally {
      const database = await open(server);
      await database.restructure(() => run(database, `drop schema if exists ${schema} cascade`));
      await database.close();
    }
  }
} catch (error) {
  process.stdout.write(`restore-kill, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
