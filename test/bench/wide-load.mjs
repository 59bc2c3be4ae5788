// Details and creates of a project of many schemas beside one of three, of Treadle and of a handler by hand. Once all requests go
// to the same three schemas, so only the number of defined schemas differs; once to all schemas in turn, so that each request
// reads or writes another table. Both databases hold the same number of rows, and no row is asked for twice: no answer is kept.
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { toName } from './wide-project.mjs';
import { serveBare, serveTreadle, toProcessorMilliseconds } from './wide-server.mjs';

const bare = fileURLToPath(new URL('wide-bare.mjs', import.meta.url));
const CONNECTIONS = 16;
/** Share of the rows asked for before the first round: each connection has prepared its statements then. */
const WARMING = 0.25;
/** Prime, so that `index * STEP` visits every row once. */
const STEP = 7919;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function send(url, method, body) {
  return new Promise((done, fail) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(url, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Sends requests on 16 connections and gives rate and processor time of the server for each. */
export async function load(server, { first, count, make, status }) {
  const before = toProcessorMilliseconds(server.pid);
  const begun = performance.now();
  let next = first;
  const work = async () => {
    while (next < first + count) {
      next += 1;
      const [path, ...rest] = make(next - 1);
      const given = await send(`${server.url}${path}`, ...rest);
      if (given !== status) throw new Error(`${path}: ${given} instead of ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return {
    rate: count / ((performance.now() - begun) / 1000),
    cpu: ((toProcessorMilliseconds(server.pid) - before) / count) * 1000,
  };
}

/** Requests over all rows, and so over these schemas in turn. */
export function toMakers(schemas, rows) {
  const toRow = (index) => (index * STEP) % rows;
  return {
    detail: (index) => {
      const row = toRow(index);
      return [`/rest/public/${toName(row % schemas)}/detail/${1 + Math.floor(row / schemas)}`, 'GET', undefined];
    },
    create: (index) => {
      const name = toName(toRow(index) % schemas);
      const row = { [`${name}_title`]: 'A title of some words', [`${name}_count`]: index };
      return [`/rest/public/${name}/create`, 'POST', JSON.stringify(row)];
    },
  };
}

/** Fills a project's migrated database, and serves it, and a copy of it by hand. @param used How many schemas hold the rows. */
async function prepare({ count, folder }, { program, rows, used }) {
  const { detail, create } = toMakers(used, rows);
  const [file, empty, copy] = ['app.db', 'empty.db', 'bare.db'].map((name) => join(folder, 'var', name));
  if (existsSync(empty)) copyFileSync(empty, file);
  else copyFileSync(file, empty);
  const filling = await serveTreadle(program, 'start', folder);
  await load(filling, { first: 0, count: rows, make: create, status: 201 });
  await filling.stop();
  for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  copyFileSync(file, copy);
  const servers = [await serveTreadle(program, 'start', folder), await serveBare(bare, copy, count)];
  return servers.map((server) => ({ server, detail, create }));
}

const show = (number) => Math.round(number).toString();
/** By this factor the many schemas are slower: 1 is no loss. */
const toRatio = ([few, many], what) =>
  median(few[what].map((value, at) => (what === 'rate' ? many[what][at] / value : value / many[what][at])));

/** Prints a line for Treadle, one for the handler, and what Treadle loses more. */
function tell(kind, counts, found) {
  const names = ['Treadle', 'bare'];
  const ratios = names.map((name, side) => {
    const pair = found.map((sides) => sides[side]);
    const text = pair.map(({ rate, cpu }, at) =>
      `${counts[at]}: ${show(median(rate))}/s, ${show(median(cpu))} us`.padEnd(24),
    );
    const [rate, cpu] = [toRatio(pair, 'rate'), toRatio(pair, 'cpu')];
    process.stdout.write(
      `${kind.padEnd(8)} ${name.padEnd(8)} ${text.join(' ')} rate ${rate.toFixed(2)}, by processor time ${cpu.toFixed(2)}\n`,
    );
    return { rate, cpu };
  });
  const [own, by] = ratios;
  process.stdout.write(
    `${kind.padEnd(8)} Treadle's ratio to bare's: rate ${(own.rate / by.rate).toFixed(2)}, by processor time ${(own.cpu / by.cpu).toFixed(2)}\n`,
  );
}

/** @param shares True if both projects are asked for the schemas of the smaller one; otherwise each for all of its own. */
export async function measureLoad(projects, { program, rounds, rows, shares }) {
  const counts = projects.map((project) => project.count);
  const least = Math.min(...counts);
  const title = shares
    ? `requests to the same ${least} schemas, in a project of ${counts.join(' and one of ')}`
    : `requests to all schemas in turn, of a project of ${counts.join(' and one of ')}`;
  process.stdout.write(`${title}:\n`);
  const all = [];
  for (const project of projects)
    all.push(await prepare(project, { program, rows, used: shares ? least : project.count }));
  const warming = Math.floor(rows * WARMING);
  const count = Math.floor((rows - warming) / rounds);
  for (const kind of ['detail', 'create']) {
    const status = kind === 'detail' ? 200 : 201;
    for (const { server, ...make } of all.flat())
      await load(server, { first: 0, count: warming, make: make[kind], status });
    const found = all.map((sides) => sides.map(() => ({ rate: [], cpu: [] })));
    for (let round = 0; round < rounds; round += 1) {
      for (const [side] of all[0].entries()) {
        for (const [at, sides] of all.entries()) {
          const { server, ...make } = sides[side];
          const first = warming + round * count;
          const { rate, cpu } = await load(server, { first, count, make: make[kind], status });
          found[at][side].rate.push(rate);
          found[at][side].cpu.push(cpu);
        }
      }
    }
    tell(kind, counts, found);
  }
  for (const { server } of all.flat()) await server.stop();
}
