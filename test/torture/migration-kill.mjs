// Kills a large migration at each of its statements and checks each time what is left: all as before, or all as
// after. Then runs two migrations at once. On SQLite, and on PostgreSQL if a server answers.
// Usage: node --import tsx test/torture/migration-kill.mjs [--short] [--seed n] [--point n] [--only sqlite] [--races
// n] [--postgres url] [--tell]
import { fork } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { migrate } from '../../src/database/migration.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ask } from '../database/_server.mjs';
import { checkHealth, compareWhole, fillSite, makeSite, OPTIONS, readWhole, tablesAfter } from './_migration-site.mjs';
import { createDice } from './_migration-world.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    point: { type: 'string' },
    races: { type: 'string' },
    only: { type: 'string' },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test' },
    tell: { type: 'boolean', default: false },
    child: { type: 'boolean', default: false },
  },
});
const SHORT_POINTS = 8;
const STEPS = 30;
/** Allowed errors of the second migration; otherwise it must find nothing to do. */
const REFUSALS = ['MIGRATION_STALE', 'DATABASE_BUSY'];
/** Milliseconds between the start of a statement and the kill. */
const DELAYS = [0, 0, 1, 3, 8];
/** The commit is critical, so kills happen throughout it, and after it. */
const COMMIT_DELAYS = [0, 2, 5, 10, 20, 40, 80];
const seed = Number(values.seed);
/** Number of concurrent migrations; none if one point is examined. */
const races = Number(values.races ?? (values.point === undefined ? (values.short ? 1 : 10) : 0));
const tell = (...said) => values.tell && console.log(...said);
const open = (url, more) => openDatabase({ url, root: '/', log: silentLog, clock: systemClock, ...more });
const die = () => process.kill(process.pid, 'SIGKILL');

const isStructural = ({ words }) => !/^Add the missing words /.test(words);

/** Migrates on request, and dies at the given statement: before it is sent (no delay), or after. */
async function serveChild() {
  const { url, at, delay } = await new Promise((done) => process.once('message', done));
  let count = 0;
  const trace = () => {
    count += 1;
    if (count !== at) return;
    if (delay === undefined) die();
    else if (delay === 0) setImmediate(die);
    else setTimeout(die, delay);
  };
  let told;
  try {
    const database = await open(url, { trace });
    const { applied, plan } = await migrate(database, tablesAfter(database.dialect), OPTIONS);
    await database.close();
    // Both may add words of rows: whoever comes to them first.
    told = { applied: applied.filter(isStructural).length, problems: plan.problems };
  } catch (error) {
    told = {
      code: error.code ?? 'none',
      message: `${error.message} ${error.cause?.message ?? ''} ${JSON.stringify(error.detail ?? '')}`,
    };
  }
  process.send(told, () => process.disconnect());
}

/** Child processes with loaded modules, because loading takes longer than a migration. */
class Children {
  #ready = [];

  prepare(count) {
    while (this.#ready.length < count) {
      const options = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] };
      this.#ready.push(fork(process.argv[1], ['--child'], options));
    }
  }

  /** Runs a migration in a child; returns its messages, and how it ended. */
  async run(order) {
    this.prepare(1);
    const child = this.#ready.shift();
    const ended = new Promise((done) => {
      let told;
      child.on('message', (message) => (told = message));
      child.on('exit', (code, signal) => done({ code, isKilled: signal === 'SIGKILL', told }));
    });
    child.send(order);
    return ended;
  }

  end() {
    for (const child of this.#ready.splice(0)) child.kill('SIGKILL');
  }
}
const children = new Children();

/** SQLite: each time a copy of the same file. */
async function placeSqlite(lists) {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-torture-'));
  const [template, file] = [join(folder, 'template.db'), join(folder, 'site.db')];
  const database = await open(`sqlite:${template}`);
  await fillSite(database, lists);
  await database.close();
  return {
    name: 'sqlite',
    url: `sqlite:${file}`,
    async reset() {
      for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
      copyFileSync(template, file);
    },
    async settle() {},
    async remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL: a schema, created again each time. */
async function placePostgres(lists) {
  const server = values.postgres;
  try {
    await ask(server, 'select 1');
  } catch (error) {
    process.stdout.write(`skipped: migration-kill on PostgreSQL (no server answers: ${error.code ?? error.message})\n`);
    return undefined;
  }
  const schema = `treadle_torture_kill_${process.pid}`;
  const url = new URL(server);
  url.searchParams.set('schema', schema);
  url.searchParams.set('application_name', schema);
  // A killed process leaves a session, which ends when the server notices.
  const settle = async () => {
    for (let tries = 0; tries < 1500; tries += 1) {
      const rows = await ask(server, `select pid from pg_stat_activity where application_name = '${schema}'`);
      if (rows.length === 0) return;
      await pause(20);
    }
    throw new Error('The session of a process that was killed is still there after 30 s.');
  };
  const drop = () => ask(server, `drop schema if exists ${schema} cascade`);
  return {
    name: 'postgres',
    url: String(url),
    async reset() {
      await settle();
      await drop();
      const database = await open(String(url));
      await fillSite(database, lists);
      await database.close();
    },
    settle,
    remove: drop,
  };
}

async function look(place, fn) {
  const database = await open(place.url);
  try {
    return await fn(database);
  } finally {
    await database.close();
  }
}

/** The states before and after, and the statements in between, from an undisturbed migration. */
async function learn(place) {
  await place.reset();
  const before = await look(place, readWhole);
  const statements = [];
  const database = await open(place.url, { trace: (text) => statements.push(text) });
  const { applied, plan } = await migrate(database, tablesAfter(database.dialect), OPTIONS);
  const count = statements.length;
  await database.close();
  if (plan.problems.length > 0) throw new Error(`The large migration is refused: ${JSON.stringify(plan.problems)}`);
  if (applied.length < STEPS) throw new Error(`The large migration has ${applied.length} steps only.`);
  for (const { kind, class: rank, words } of applied) tell(`  ${kind} ${rank}: ${words}`);
  const after = await look(place, async (again) => {
    await checkHealth(again);
    return readWhole(again);
  });
  if (compareWhole(before, after) === undefined) throw new Error('The large migration changes nothing.');
  return { before, after, steps: applied.length, statements: statements.slice(0, count) };
}

const PAGES = /treadle_words_\w+_fts_(?:data|idx|docsize|config) |treadle_journal|"name":"treadle_journal"/;
const withoutPages = (lines) => lines.filter((line) => !PAGES.test(line));

const withoutWords = (lines) => lines.filter((line) => !/^(?:\{")?treadle_words/.test(line));

/**
 * Which of the two states it is. The words of rows are written after the commit, in transactions of their own, so a killed
 * migration may leave them for the next one. @throws Error for neither
 */
function judge(found, { before, after }) {
  const toOld = compareWhole(before, found);
  if (toOld === undefined) return 'old';
  const toNew = compareWhole(after, found) && compareWhole(withoutWords(after), withoutWords(found));
  if (toNew === undefined) return 'new';
  throw new Error(`Neither as before nor as after.\nAgainst before:\n${toOld}\nAgainst after:\n${toNew}`);
}

async function strike(place, known, { at, delay }) {
  await place.reset();
  children.prepare(2);
  const blow = await children.run({ url: place.url, at, delay });
  await place.settle();
  if (!blow.isKilled && blow.told?.code !== undefined) throw new Error(`The migration failed: ${blow.told.message}`);
  return look(place, async (database) => {
    await checkHealth(database);
    const state = judge(await readWhole(database), known);
    if (!blow.isKilled && state === 'old') throw new Error('It ended in peace, and did nothing.');
    const { applied, plan } = await migrate(database, tablesAfter(database.dialect), OPTIONS);
    if (plan.problems.length > 0) throw new Error(`The next migration is refused: ${JSON.stringify(plan.problems)}`);
    const others = applied.filter(isStructural);
    if (state === 'new' && others.length > 0)
      throw new Error(`All was done, and yet the next migration does ${others.map(({ words }) => words)}`);
    const [wanted, found] = [known.after, await readWhole(database)];
    // Whoever adds the missing words has an entry for it, and packs the index in other pages.
    const isLater = applied.length > others.length;
    const difference = isLater ? compareWhole(withoutPages(wanted), withoutPages(found)) : compareWhole(wanted, found);
    if (difference) throw new Error(`The next migration left something else:\n${difference}`);
    await checkHealth(database);
    return { state, isKilled: blow.isKilled };
  });
}

/** Where the migration's own transaction begins and commits: the words of rows follow it in short ones. */
function findLargest(statements) {
  const commits = statements.flatMap((text, index) => (/^commit/i.test(text) ? [index] : []));
  if (commits.length === 0) throw new Error('No commit was traced.');
  const toBegin = (commit) => statements.findLastIndex((text, index) => index < commit && /^begin/i.test(text));
  const all = commits.map((commit) => ({ begin: toBegin(commit), commit }));
  return all.reduce((most, each) => (each.commit - each.begin > most.commit - most.begin ? each : most));
}

/** Every statement, before it and while it runs, and the commit several times; in a short run some of the former. */
function choosePoints({ statements }, dice) {
  const { begin, commit } = findLargest(statements);
  const atCommit = [{ at: commit + 1 }, ...COMMIT_DELAYS.map((delay) => ({ at: commit + 1, delay }))];
  if (commit + 1 < statements.length) atCommit.push({ at: commit + 2 });
  // Planning alone writes nothing.
  const first = values.short ? begin + 1 : 0;
  const others = statements
    .flatMap((_, index) => [{ at: index + 1 }, { at: index + 1, delay: dice.pick(DELAYS) }])
    .filter(({ at }) => at > first && at !== commit + 1);
  const some = values.short ? Array.from({ length: SHORT_POINTS - atCommit.length }, () => dice.pick(others)) : others;
  const all = [...atCommit, ...some];
  return values.point === undefined ? all : all.slice(Number(values.point), Number(values.point) + 1);
}

async function race(place, known) {
  await place.reset();
  children.prepare(2);
  const ends = await Promise.all([children.run({ url: place.url }), children.run({ url: place.url })]);
  children.prepare(2);
  const told = ends.map(({ told: said, code }) => said ?? { code: 'none', message: `exit ${code}` });
  const did = told.filter(({ applied }) => applied > 0);
  const stood = told.filter(({ applied, code }) => applied === 0 || REFUSALS.includes(code));
  if (did.length !== 1 || stood.length !== 1) throw new Error(`Of two at once: ${JSON.stringify(told)}`);
  await look(place, async (database) => {
    await checkHealth(database);
    const difference = compareWhole(withoutPages(known.after), withoutPages(await readWhole(database)));
    if (difference) throw new Error(`Two at once left something else:\n${difference}`);
  });
  return stood[0].code ?? 'nothing to do';
}

async function storm(place, at) {
  const dice = createDice(seed);
  const known = await learn(place);
  const points = choosePoints(known, dice);
  const count = { old: 0, new: 0, killed: 0 };
  for (const [index, point] of points.entries()) {
    at.words = `${place.name}, point ${index} of ${points.length}: statement ${point.at} of ${known.statements.length}, ${point.delay === undefined ? 'before it' : `${point.delay} ms into it`}: ${known.statements[point.at - 1]?.slice(0, 200)}`;
    const { state, isKilled } = await strike(place, known, point);
    tell(`${state} ${isKilled ? '' : '(lived) '}${at.words}`);
    count[state] += 1;
    if (isKilled) count.killed += 1;
  }
  if (count.killed < points.length * 0.7)
    throw new Error(`Only ${count.killed} of ${points.length} were killed in time.`);
  const others = [];
  for (let turn = 1; turn <= races; turn += 1) {
    at.words = `${place.name}, two at once, turn ${turn}`;
    others.push(await race(place, known));
  }
  process.stdout.write(
    `migration-kill ${place.name}: ${known.steps} steps, ${known.statements.length} statements; ${count.killed} of ${points.length} killed, ${count.old} as before, ${count.new} as after, none between; two at once ${others.length} times, the other: ${[...new Set(others)].join(', ')}\n`,
  );
  return points.length;
}

async function main() {
  const lists = makeSite(createDice(seed));
  const at = { words: 'at the start' };
  let points = 0;
  try {
    children.prepare(2);
    for (const [name, make] of Object.entries({ sqlite: placeSqlite, postgres: placePostgres })) {
      if (values.only !== undefined && values.only !== name) continue;
      at.words = name;
      const place = await make(lists);
      if (place === undefined) continue;
      try {
        points += await storm(place, at);
      } finally {
        await place.settle().catch(() => {});
        await place.remove();
      }
    }
    process.stdout.write(`torture migration-kill: ${points} points, seed ${seed}: ok\n`);
  } catch (error) {
    process.stdout.write(
      `torture migration-kill: seed ${seed}, ${at.words}\n${error.stack}\n${error.cause?.message ?? ''}\n`,
    );
    process.exitCode = 1;
  } finally {
    children.end();
  }
}

await (values.child ? serveChild() : main());
