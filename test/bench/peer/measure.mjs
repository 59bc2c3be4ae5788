// Treadle beside another program with the same rows, and beside polka and sqlite3 alone: line by line, in turn, warm; on one
// core and on all.
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../load.mjs';
import { toTable } from '../page.mjs';
import { memory, stopServer } from '../server.mjs';
import { checkContent } from './content.mjs';
import { bindToOneCore, hasTaskset } from './core.mjs';
import { INDEXED, LINES, START_LINE } from './lines.mjs';
import { createPocketBase } from './pocketbase.mjs';
import { addIndex, fillTreadle } from './project.mjs';
import { startBare, startTreadle, startWithoutSync, takes, toLoad, warmUp } from './serve.mjs';
import { BARE, TREADLE } from './sides.mjs';
import { toCells, toHead, toStartTable } from './table.mjs';

/** What --only names the seconds after a start by. */
const FIRST_SECONDS = 'first seconds';
/** Seconds of each of the three windows after a start. */
const WINDOW = 3;

/** Copies of the filled data for one way to run, so that no way finds the writes of another. */
function copyData({ filled, place, program }) {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const to = (name) => join(place, name);
  for (const name of ['treadle', 'without-sync']) cpSync(join(filled, 'treadle'), to(name), { recursive: true });
  copyFileSync(join(filled, 'treadle/var/app.db'), to('bare.db'));
  program?.copy(join(filled, 'program'), to('program'));
  return { treadle: to('treadle'), withoutSync: to('without-sync'), bare: to('bare.db'), program: to('program') };
}

/** The sides, not yet started. Treadle is the first, and all ratios are its own to the others. */
function listSides({ treadle, data, rows, program, isQuick }) {
  const sides = [{ name: 'Treadle', kind: TREADLE, start: () => startTreadle(treadle, data.treadle) }];
  if (!isQuick)
    sides.push({
      name: 'Treadle, NORMAL',
      kind: TREADLE,
      start: () => startWithoutSync(treadle, data.withoutSync),
      isOnlyForWrites: true,
    });
  if (program !== undefined) sides.push({ ...program, start: () => program.start(data.program) });
  sides.push({ name: 'bare', kind: BARE, start: () => startBare(data.bare) });
  return sides.map((side) => ({ stop: stopServer, ...side, rows, counts: {} }));
}

/** Loads every side with every line that it takes. @returns rows of the table, and what could not be measured. */
async function measureLines(sides, lines, { out, connections, seconds, rounds }) {
  const table = [];
  const notes = [];
  for (const [title, line] of Object.entries(lines)) {
    const loads = sides.filter((side) => takes(side, title, line)).map((side) => toLoad(side, title, line));
    try {
      for (const load of loads) await compare([load], { rounds: 1, seconds: Math.min(1, seconds), connections });
      table.push(toCells(title, sides, await compare(loads, { rounds, seconds, connections })));
      out(table.at(-1).join('  |  '));
    } catch (error) {
      notes.push(`${title}: not measured, ${error.message}.`);
      out(notes.at(-1));
    }
  }
  return { table, notes };
}

/** Starts the sides, checks that they hold the same rows, warms them up, and measures the lines. */
async function measureSet(all, lines, options) {
  const { out, warm, connections, isIndexed = false } = options;
  const wanted = Object.entries(lines);
  const sides = all.filter((side) => wanted.some(([title, line]) => takes(side, title, line)));
  try {
    for (const side of sides) side.server = await side.start();
    if (isIndexed) for (const side of sides) await side.addIndex?.(side.server);
    const compared = await checkContent(sides, lines, takes);
    out(`${compared} answers are alike; ${warm} s of warm-up`);
    for (const side of sides) {
      await warmUp(side, lines, { seconds: warm, connections });
      await side.keepUp?.(side.server);
    }
    out(toHead(sides).join('  |  '));
    const { table, notes } = await measureLines(sides, lines, options);
    const held = sides.map(({ server }) => `${memory(server).toFixed(0)} MB`);
    const rest = toHead(sides).slice(1 + held.length);
    table.push(['memory after these lines', ...held, ...rest.map(() => '')]);
    out(table.at(-1).join('  |  '));
    return [toTable(toHead(sides), table), ...notes].join('\n\n');
  } finally {
    for (const side of sides) if (side.server !== undefined) await side.stop(side.server);
  }
}

/** The first 3 s after a start beside the third 3 s. */
async function measureStarts(sides, { rounds, connections, out }) {
  const found = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const started = { ...side, counts: {}, server: await side.start() };
      const load = toLoad(started, START_LINE, LINES[START_LINE]);
      const windows = [];
      for (let at = 0; at < 3; at += 1)
        windows.push((await compare([load], { rounds: 1, seconds: WINDOW, connections }))[0]);
      await side.stop(started.server);
      found[index].push({ first: windows[0], steady: windows[2] });
    }
  }
  const table = toStartTable(sides, found);
  out(table);
  return table;
}

/** Whether the parts of --only leave a title in. */
const isAsked = (only, title) => only.length === 0 || only.some((part) => title.includes(part));

function pickLines(all, { only, isQuick }) {
  const quick = (title, line) => title !== 'list, 20 newest, total, same' && BARE.takes({ title, ...line });
  return Object.fromEntries(
    Object.entries(all).filter(([title, line]) => isAsked(only, title) && (!isQuick || quick(title, line))),
  );
}

async function measureWay(way, { treadle, filled, folder, program, ...options }) {
  const { rows, only, isQuick, out } = options;
  const free = way === 'one core' ? bindToOneCore() : () => {};
  const place = join(folder, 'way');
  const copy = () => {
    const data = copyData({ filled, place, program });
    return { data, sides: listSides({ treadle, data, rows, program, isQuick }) };
  };
  const texts = [`**${way === 'one core' ? 'One core' : 'All cores'}**`];
  out(way);
  try {
    const lines = pickLines(LINES, options);
    if (isAsked(only, FIRST_SECONDS))
      texts.push(
        await measureStarts(
          copy().sides.filter(({ isOnlyForWrites }) => !isOnlyForWrites),
          options,
        ),
      );
    if (Object.keys(lines).length > 0) texts.push(await measureSet(copy().sides, lines, options));
    const indexed = pickLines(INDEXED, options);
    if (Object.keys(indexed).length > 0) {
      const { data, sides } = copy();
      if (await addIndex(treadle, data.treadle))
        texts.push(await measureSet(sides, indexed, { ...options, isIndexed: true }));
      else {
        texts.push(`${Object.keys(indexed)[0]}: not measured, \`treadle check\` refuses such an index.`);
        out(texts.at(-1));
      }
    }
  } finally {
    free();
    rmSync(place, { recursive: true, force: true });
  }
  return texts.join('\n\n');
}

async function fill({ treadle, filled, program, rows, out }) {
  const timed = async (name, work) => {
    const begun = performance.now();
    await work();
    out(`${name}: ${rows} articles in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  };
  await timed('Treadle', () => fillTreadle({ treadle, project: join(filled, 'treadle'), rows }));
  if (program !== undefined) await timed(program.name, () => program.fill(join(filled, 'program'), rows));
}

const PROGRAMS = { pocketbase: { name: 'PocketBase', create: createPocketBase } };

/**
 * @param peer Name of the program beside Treadle: `pocketbase`, or `none` for the bare handler alone, with fewer lines.
 * @param options.binary File of that program. Default: where it is usually installed.
 * @param options.ways `one core`, `free`, or both.
 * @returns text for the page.
 */
export async function measurePeer(peer, { treadle, folder, ways, binary, ...options }) {
  const { out, rows } = options;
  const isQuick = peer === 'none';
  if (!isQuick && PROGRAMS[peer] === undefined)
    throw new Error(`--peer is "${peer}". It must be one of ${Object.keys(PROGRAMS).join(', ')}, none.`);
  const texts = [];
  const skip = (text) => {
    texts.push(text);
    out(text);
  };
  const { name, create } = PROGRAMS[peer] ?? {};
  const program = await create?.(binary).catch((error) =>
    skip(`${name}: not measured on this machine, ${error.message}.`),
  );
  const filled = join(folder, 'filled');
  mkdirSync(filled, { recursive: true });
  await fill({ treadle, filled, program, rows, out });
  for (const way of ways) {
    if (way === 'one core' && !hasTaskset())
      skip('One core: skipped, `taskset` is not installed (package util-linux).');
    else texts.push(await measureWay(way, { treadle, filled, folder, program, isQuick, ...options }));
  }
  return texts.join('\n\n');
}
