// Treadle beside another program with the same rows, and beside polka and sqlite3 alone: line by line, in turn, warm; on one
// core and on all.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { compare, perSecond } from '../load.mjs';
import { toTable } from '../page.mjs';
import { memory, stopServer } from '../server.mjs';
import { checkContent } from './content.mjs';
import { LINES } from './lines.mjs';
import { fillTreadle } from './project.mjs';
import { startBare, startTreadle, startWithoutSync, takes, toLoad, warmUp } from './serve.mjs';
import { BARE, TREADLE } from './sides.mjs';

const START_LINE = 'row by id with its author, varied';
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const taskset = (...args) => execFileSync('taskset', args, { encoding: 'utf8' });

/** Binds this process to one core; servers that it starts inherit that. @returns what takes it back. */
function bindToOneCore() {
  const mask = /: (\S+)\s*$/.exec(taskset('-p', String(process.pid)))[1];
  taskset('-a', '-cp', '0', String(process.pid));
  return () => taskset('-a', '-p', mask, String(process.pid));
}

const hasTaskset = () => {
  try {
    return taskset('--version').length > 0;
  } catch {
    return false;
  }
};

/** Copies of the filled data for one way to run, so that no way finds the writes of another. */
function copyData(filled, place) {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const name of ['treadle', 'without-sync']) cpSync(filled, join(place, name), { recursive: true });
  copyFileSync(join(filled, 'var/app.db'), join(place, 'bare.db'));
  return {
    treadle: join(place, 'treadle'),
    withoutSync: join(place, 'without-sync'),
    bare: join(place, 'bare.db'),
  };
}

async function startSides({ treadle, data, rows, lines, peer }) {
  const hasWrites = Object.values(lines).some(({ isWrite }) => isWrite);
  const make = async (name, kind, server, more = {}) => ({
    name,
    kind,
    server: await server,
    rows,
    counts: {},
    ...more,
  });
  const sides = [await make('Treadle', TREADLE, startTreadle(treadle, data.treadle))];
  if (hasWrites && peer !== 'none') {
    const server = startWithoutSync(treadle, data.withoutSync);
    sides.push(await make('Treadle, NORMAL', TREADLE, server, { isOnlyForWrites: true }));
  }
  sides.push(await make('bare', BARE, startBare(data.bare)));
  return sides;
}

/** One row of the table: a cell for each side, then the ratios to each but that without sync. */
function toCells(title, sides, figures) {
  const found = new Map(figures.map((one) => [one.name, one]));
  const [first] = figures;
  const others = sides.slice(1).filter(({ isOnlyForWrites }) => !isOnlyForWrites);
  return [
    title,
    ...sides.map(({ name }) => (found.has(name) ? perSecond(found.get(name)) : '')),
    ...others.flatMap(({ name }) => {
      const one = found.get(name);
      return one === undefined ? ['', ''] : [one.rateRatio.toFixed(2), one.cpuRatio.toFixed(2)];
    }),
    `${Math.round(first.p99)} ms`,
  ];
}

const toHead = (sides) => [
  '',
  ...sides.map(({ name }) => name),
  ...sides
    .slice(1)
    .filter(({ isOnlyForWrites }) => !isOnlyForWrites)
    .flatMap(({ name }) => [`rate to ${name}`, 'by processor time']),
  'p99',
];

async function measureLines(sides, lines, options) {
  const table = [];
  const { out, connections, seconds, rounds } = options;
  const notes = [];
  for (const [title, line] of Object.entries(lines)) {
    const asked = sides.filter((side) => takes(side, title, line));
    const loads = asked.map((side) => toLoad(side, title, line));
    try {
      for (const load of loads) await compare([load], { rounds: 1, seconds: Math.min(1, seconds), connections });
      table.push(toCells(title, sides, await compare(loads, { rounds, seconds, connections })));
      out(table.at(-1).join('  |  '));
    } catch (error) {
      notes.push(`${title}: not measured, ${error.message}.`);
      out(notes.at(-1));
    }
  }
  const held = sides.map(({ server }) => `${memory(server).toFixed(0)} MB`);
  table.push([
    'memory after these lines',
    ...held,
    ...toHead(sides)
      .slice(1 + held.length)
      .map(() => ''),
  ]);
  out(table.at(-1).join('  |  '));
  return { table, notes };
}

/** The first 3 s after a start as a share of the third 3 s. */
async function measureStarts(starts, { rows, rounds, connections, out }) {
  const found = starts.map(() => ({ first: [], steady: [], share: [], cpuShare: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { name, kind, start }] of starts.entries()) {
      const server = await start();
      const load = toLoad({ name, kind, server, rows, counts: {} }, START_LINE, LINES[START_LINE]);
      const windows = [];
      for (let at = 0; at < 3; at += 1)
        windows.push((await compare([load], { rounds: 1, seconds: 3, connections }))[0]);
      await stopServer(server);
      const [first, , steady] = windows;
      found[index].first.push(first);
      found[index].steady.push(steady);
      found[index].share.push(first.rate / steady.rate);
      found[index].cpuShare.push(steady.cpu / first.cpu);
    }
  }
  const toFigure = (list) =>
    perSecond({ rate: median(list.map(({ rate }) => rate)), cpu: median(list.map(({ cpu }) => cpu)) });
  const table = starts.map(({ name }, index) => {
    const { first, steady, share, cpuShare } = found[index];
    return [name, toFigure(first), toFigure(steady), median(share).toFixed(2), median(cpuShare).toFixed(2)];
  });
  for (const cells of table) out(cells.join('  |  '));
  return toTable([START_LINE, 'first 3 s after a start', 'third 3 s', 'share of the rate', 'by processor time'], table);
}

const FIRST_SECONDS = 'first seconds';

/** Whether the parts of --only leave a title in. */
const isAsked = (only, title) => only.length === 0 || only.some((part) => title.includes(part));

function pickLines(only, isQuick) {
  const quick = (title, line) => title !== 'list, 20 newest, total, same' && BARE.takes({ title, ...line });
  return Object.fromEntries(
    Object.entries(LINES).filter(([title, line]) => isAsked(only, title) && (!isQuick || quick(title, line))),
  );
}

async function measureWay(way, { treadle, filled, folder, lines, peer, ...options }) {
  const { rows, out, warm, connections, only } = options;
  const free = way === 'one core' ? bindToOneCore() : () => {};
  const place = join(folder, 'way');
  const texts = [`**${way === 'one core' ? 'One core' : 'All cores'}**`];
  try {
    const data = copyData(filled, place);
    // Before the lines, which take rows away.
    if (isAsked(only, FIRST_SECONDS)) {
      const starts = [
        { name: 'Treadle', kind: TREADLE, start: () => startTreadle(treadle, data.treadle) },
        { name: 'bare', kind: BARE, start: () => startBare(data.bare) },
      ];
      texts.push(await measureStarts(starts, options));
    }
    if (Object.keys(lines).length > 0) {
      const sides = await startSides({ treadle, data, rows, lines, peer });
      try {
        const compared = await checkContent(sides, lines, takes);
        out(`${way}: ${compared} answers are alike; ${warm} s of warm-up`);
        for (const side of sides) await warmUp(side, lines, { seconds: warm, connections });
        out(toHead(sides).join('  |  '));
        const { table, notes } = await measureLines(sides, lines, options);
        texts.push(toTable(toHead(sides), table), ...notes);
      } finally {
        await Promise.all(sides.map(({ server }) => stopServer(server)));
      }
    }
  } finally {
    free();
    rmSync(place, { recursive: true, force: true });
  }
  return texts.join('\n\n');
}

/**
 * @param peer Name of the program beside Treadle: `pocketbase`, or `none` for the bare handler alone.
 * @param options.ways `one core`, `free`, or both.
 * @returns text for the page.
 */
export async function measurePeer(peer, { treadle, folder, ways, ...options }) {
  const { out, rows, only } = options;
  const lines = pickLines(only, peer === 'none');
  const filled = join(folder, 'filled');
  const begun = performance.now();
  await fillTreadle({ treadle, project: filled, rows });
  out(`${rows} rows imported in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  const texts = [];
  for (const way of ways) {
    if (way === 'one core' && !hasTaskset()) {
      texts.push('One core: skipped, taskset is not installed (package util-linux).');
      out(texts.at(-1));
    } else texts.push(await measureWay(way, { treadle, filled, folder, lines, peer, ...options }));
  }
  return texts.join('\n\n');
}
