// Expensive reads, and idle connections: their cost to others, on SQLite and on PostgreSQL.
// Usage: node test/torture/withstand-reads.mjs [--short] [--seed n] [--rows 100000] [--only searches,gone,…]
// [--postgres url]
//
//   searches     64 connections request an expensive search; another visitor requests it too, and gets it
//   gone         8 connections with 500 pipelined searches each disconnect after 1.5 s; the work ends with them
//   unread       50 connections request more than the system's buffers hold and never read; they are closed after 20
// s
//   silent       4,000 connections never send anything
//   descriptors  300 silent connections to a server with 256 descriptors
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSite, describeSeen, findFaults, measureNeighbour, send } from './_neighbour.mjs';
import { createRandom } from './_random.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    rows: { type: 'string' },
    only: { type: 'string', default: '' },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES },
  },
});
const isShort = values.short;
const ROWS = Number(values.rows ?? (isShort ? 4000 : 100_000));
/** CI's machine runs other work at the same time. */
const SLACK = isShort ? 16 : 1;
/** The peak covers all attacks on one server so far; the short form, among other storms, allows half as much again. */
const MOST_BYTES = (isShort ? 450 : 300) * 1024 * 1024;
const SEARCH = '/rest/public/article/search?q=a+e&limit=100&sort=article_title';
/** About 180 kB: 32 answers are more than the system's buffers hold for a client that does not read. */
const LARGE = '/rest/public/article/search?filter[article_category]=large&limit=100&total=0';
const LARGE_ROWS = 100;
const OTHER = '127.0.0.2';
const WORDS = 'apple amber acorn ash eagle elm ember east warp weft loom reed cloth thread spool plain'.split(' ');
const faults = [];
const out = (text) => process.stdout.write(`${text}\n`);

async function fill(site) {
  const next = createRandom(Number(values.seed));
  const text = (count) => Array.from({ length: count }, () => WORDS[next() % WORDS.length]).join(' ');
  const isLarge = (index) => index < LARGE_ROWS;
  const lines = Array.from({ length: ROWS }, (_, index) =>
    JSON.stringify({
      article_title: text(6),
      article_slug: `row-${index}`,
      article_category: isLarge(index) ? 'large' : 'weaving',
      article_author: 'Storm',
      article_published: '2026-01-01 00:00:00',
      article_detail: `<p>${text(isLarge(index) ? 300 : 40)}</p>`,
    }),
  );
  const file = join(site.root, 'rows.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await site.run('import', 'article', file);
}

function openSocket(url, localAddress) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => {});
  return socket;
}

const toRequest = (path) => `GET ${path} HTTP/1.1\r\nHost: storm\r\n\r\n`;

/** 64 connections without a pause, and one visitor with the same request. */
async function storm(url) {
  const until = Date.now() + (isShort ? 3000 : 15_000);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const statuses = {};
  const count = ({ status, headers }) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 503 && !(Number(headers['retry-after']) >= 1)) statuses['503 without Retry-After'] = 1;
  };
  const attackers = Array.from({ length: 64 }, async () => {
    while (Date.now() < until) {
      const answer = await send(url + SEARCH, { agent });
      count(answer);
      if (answer.status === 503) await pause(100);
    }
  });
  const other = [];
  while (Date.now() < until) {
    const { status, took } = await send(url + SEARCH, { localAddress: OTHER });
    other.push({ status, took: Math.round(took) });
    await pause(200);
  }
  await Promise.all(attackers);
  agent.destroy();
  return { statuses, other };
}

async function leave(url) {
  const sockets = Array.from({ length: 8 }, () => openSocket(url));
  for (const socket of sockets) socket.write(toRequest(SEARCH).repeat(500));
  await pause(1500);
  for (const socket of sockets) socket.destroy();
  await pause(isShort ? 1000 : 5000);
}

/** Returns how many of these sockets the server closed within this many seconds, and when. */
async function watchClosing(sockets, seconds) {
  const begun = Date.now();
  const isOpen = (socket) => !socket.destroyed && !socket.readableEnded && !socket.isEnded;
  for (const socket of sockets) {
    socket.on('end', () => (socket.isEnded = true));
    socket.on('close', () => (socket.isEnded = true));
  }
  while (sockets.some(isOpen) && Date.now() - begun < seconds * 1000) await pause(100);
  return { open: sockets.filter(isOpen).length, seconds: (Date.now() - begun) / 1000 };
}

async function holdUnread(url) {
  const sockets = Array.from({ length: 50 }, () => openSocket(url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  // The short form does not wait for the timeout. Each request asks for something else, so that no kept answer serves two.
  const path = isShort ? '/rest/public/article/search?limit=100' : LARGE;
  const ask = (number) => toRequest(`${path}&filter[article_id][ne]=${1_000_000 + number}`);
  for (const [index, socket] of sockets.entries()) {
    socket.pause();
    socket.write(Array.from({ length: 100 }, (_, at) => ask(100 * index + at)).join(''));
  }
  // A socket that does not read notices its end only by reading, so the server's side is counted.
  const begun = Date.now();
  const port = Number(new URL(url).port);
  while (Date.now() - begun < (isShort ? 2000 : 40_000) && countEstablished(port, sockets) > 0) await pause(250);
  const seen = { open: countEstablished(port, sockets), seconds: (Date.now() - begun) / 1000 };
  for (const socket of sockets) socket.destroy();
  return seen;
}

function countEstablished(port, sockets) {
  const local = new Set(sockets.map((socket) => socket.localPort));
  const hex = (text) => Number.parseInt(text, 16);
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return lines.filter((line) => {
    const [, from = '', to = '', state] = line.trim().split(/\s+/);
    return state === '01' && hex(from.split(':')[1]) === port && local.has(hex(to.split(':')[1]));
  }).length;
}

async function holdSilent(url, number, seconds) {
  const sockets = [];
  for (let index = 0; index < number; index += 1) {
    const socket = openSocket(url);
    sockets.push(socket);
    socket.resume();
    if (index % 100 === 99) await Promise.race([once(socket, 'connect').catch(() => {}), pause(200)]);
  }
  const seen = await watchClosing(sockets, seconds);
  for (const socket of sockets) socket.destroy();
  return seen;
}

const ATTACKS = {
  async searches(site, name) {
    const seen = await measureNeighbour(site, storm, { localAddress: OTHER });
    const { statuses, other } = seen.answer;
    const served = other.filter(({ status }) => status === 200);
    out(`${name}: ${JSON.stringify(statuses)}; the other visitor: ${JSON.stringify(other.slice(0, 12))}`);
    if (served.length === 0)
      faults.push(`${name}: the other visitor got no answer of the search: ${JSON.stringify(other)}.`);
    const odd = Object.keys(statuses).filter((status) => status !== '200' && status !== '503');
    if (odd.length > 0) faults.push(`${name}: searches were answered with ${JSON.stringify(statuses)}.`);
    return seen;
  },
  gone: (site) => measureNeighbour(site, leave, { localAddress: OTHER }),
  async unread(site, name) {
    const seen = await measureNeighbour(site, holdUnread, { localAddress: OTHER });
    out(`${name}: ${JSON.stringify(seen.answer)}`);
    if (!isShort && seen.answer.open > 0) faults.push(`${name}: ${seen.answer.open} of 50 sockets are still open.`);
    // Otherwise it was not the timeout that closed them.
    if (!isShort && seen.answer.seconds < 15) faults.push(`${name}: closed after ${seen.answer.seconds} s.`);
    return seen;
  },
  async silent(site, name) {
    const seen = await measureNeighbour(site, (url) => holdSilent(url, isShort ? 500 : 4000, isShort ? 2 : 20), {
      localAddress: OTHER,
    });
    out(`${name}: ${JSON.stringify(seen.answer)}`);
    if (!isShort && seen.answer.open > 0) faults.push(`${name}: ${seen.answer.open} sockets are still open.`);
    return seen;
  },
  async descriptors(site, name) {
    const seen = await measureNeighbour(site, (url) => holdSilent(url, 300, isShort ? 2 : 20), { localAddress: OTHER });
    out(`${name}: ${JSON.stringify(seen.answer)}`);
    return seen;
  },
};

const chosen = values.only === '' ? Object.keys(ATTACKS) : values.only.split(',');

async function run(where, names, options) {
  if (names.length === 0) return;
  const site = await createSite({ samples: true, fill, ...options });
  try {
    for (const attack of names) {
      const name = `${where}, ${attack}`;
      const seen = await ATTACKS[attack](site, name);
      out(describeSeen(name, seen));
      faults.push(...findFaults(name, seen, { slack: SLACK, bytes: MOST_BYTES }));
      if (site.ended()) return;
    }
  } finally {
    await site.close();
  }
}

const isLow = (name) => name === 'descriptors';
await run(
  'sqlite',
  chosen.filter((name) => !isLow(name)),
  {},
);
await run('sqlite, 256 descriptors', chosen.filter(isLow), {
  fill: undefined,
  wrap: ['bash', '-c', 'ulimit -n 256; exec "$@"', '-'],
});
if (values.postgres) {
  const url = new URL(values.postgres);
  url.searchParams.set('schema', `withstand_reads_${process.pid}`);
  try {
    await run(
      'postgres',
      chosen.filter((name) => name === 'searches' || name === 'gone'),
      { env: { DATABASE_URL: url.href } },
    );
  } finally {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: values.postgres });
    await client.connect();
    await client.query(`drop schema if exists withstand_reads_${process.pid} cascade`);
    await client.end();
  }
}
for (const fault of faults) out(fault);
process.exit(faults.length === 0 ? 0 : 1);
