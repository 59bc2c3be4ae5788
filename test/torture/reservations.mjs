// A thousand reservations of one tool at once, by calls, batches and imports, on SQLite, on SQLite with two workers and on PostgreSQL
// with two processes. No two that are stored overlap; what was told is stored; what was refused has a stored one in its way; of
// four requests for each of 250 slots exactly one is kept; and a thousand for one period leave one.
// Usage: node --import tsx test/torture/reservations.mjs [--short] [--seed n] [--rounds n] [--only sqlite|workers|postgres]
// [--postgres url]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createDice } from './_migration-world.mjs';
import { onSchema, readOptions } from './_on-postgres.mjs';
import { createAgent, StartSite, send } from './_start-site.mjs';

const values = readOptions();
const rounds = Number(values.rounds ?? (values.short ? 1 : 10));
const REQUESTS = 1000;
const SLOTS = 250;
/** Hours of the timeline: so many periods of some hours that about a quarter of a thousand fits. */
const HOURS = 1500;
const SOCKETS = 200;
/** Rows of a file that `treadle import` brings in while requests arrive. */
const FILE_ROWS = 100;
const dice = createDice(Number(values.seed));

const PLACES = {
  sqlite: { processes: 1, more: [] },
  workers: { processes: 1, more: ['--workers', '2'] },
  postgres: { processes: 2, more: [] },
};

const SCHEMAS = {
  tool: { name: 'tool', singular: 'Tool', plural: 'Tools', fields: [{ name: 'name', type: 'text' }] },
  reservation: {
    name: 'reservation',
    singular: 'Reservation',
    plural: 'Reservations',
    fields: [
      { name: 'from', type: 'datetime' },
      { name: 'until', type: 'datetime' },
      { name: 'mark', type: 'text' },
      { name: 'active', type: 'active' },
    ],
    relations: [{ schema: 'tool', kind: '1:1' }],
    exclude: [{ columns: ['tool_id'], range: ['from', 'until'], message: 'Taken' }],
  },
};
const CALLS = {
  'tool/create': 'post',
  'reservation/create': 'post',
  'reservation/batch': 'post',
  'reservation/import': 'post',
  'reservation/search': 'get',
};

function check(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

function writeReservations(root) {
  const write = (path, value) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value, null, 2));
  };
  for (const [name, schema] of Object.entries(SCHEMAS)) write(`config/schema/${name}.json`, schema);
  for (const [path, method] of Object.entries(CALLS)) {
    const [schema, action] = path.split('/');
    const call = { title: path, access: 'public', method, path: `/public/${path}`, open: true };
    write(`config/rest/${schema}-${action}.json`, { ...call, event: `system-model-${action}`, parameters: { schema } });
  }
}

const toStamp = (hour) =>
  hour === null ? null : new Date(Date.UTC(2026, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');

/** A period in hours; a few are open, or empty. */
function drawPeriod() {
  const from = dice.below(HOURS);
  const until = from + dice.below(8);
  if (dice.chance(0.002)) return dice.chance(0.5) ? [null, dice.below(20)] : [HOURS - dice.below(20), null];
  return [from, until];
}

const isEmpty = ([from, until]) => from !== null && from === until;
const overlaps = (one, other) =>
  !isEmpty(one) &&
  !isEmpty(other) &&
  (one[0] === null || other[1] === null || one[0] < other[1]) &&
  (other[0] === null || one[1] === null || other[0] < one[1]);

class Booking {
  servers = [];
  marks = 0;
  busy = 0;

  constructor(site, place) {
    this.site = site;
    this.place = PLACES[place];
  }

  async open() {
    await this.site.migrate();
    for (let index = 0; index < this.place.processes; index += 1)
      this.servers.push(await this.site.start({ more: this.place.more }));
    this.agent = createAgent(SOCKETS);
  }

  post(path, body, index = 0) {
    const { url } = this.servers[index % this.servers.length];
    return send(`${url}/rest/public/${path}`, { method: 'POST', body, agent: this.agent });
  }

  async addTool() {
    // A server closes idle connections; a fresh agent has none.
    this.agent.destroy();
    this.agent = createAgent(SOCKETS);
    const { status, text } = await this.post('tool/create', { tool_name: 'Saw' });
    check(status === 201, `a tool was answered with ${status}: ${text}`);
    return JSON.parse(text).results.tool_id;
  }

  toRow(tool, period) {
    this.marks += 1;
    const [from, until] = period.map(toStamp);
    return { tool_id: tool, reservation_from: from, reservation_until: until, reservation_mark: `m${this.marks}` };
  }

  /** Sends until it is answered for good, as a client does that honours `Retry-After`. */
  async settle(path, body, index) {
    for (;;) {
      const answer = await this.post(path, body, index);
      if (answer.status !== 503) return answer;
      this.busy += 1;
      await pause(50 + 200 * dice.next());
    }
  }

  /** Reserves periods by one call, one batch or one import: all of them or none. */
  async reserve(tool, periods, index, way) {
    const rows = periods.map((period) => this.toRow(tool, period));
    const operations = rows.map((row) => ({ action: 'create', values: row }));
    const { status, text } = await (way === 'call'
      ? this.settle('reservation/create', rows[0], index)
      : way === 'batch'
        ? this.settle('reservation/batch', { operations }, index)
        : this.settle('reservation/import', { rows }, index));
    check([200, 201, 409, 422].includes(status), `${way} was answered with ${status}: ${text}`);
    check(status < 300 || text.includes('Taken'), `${way} was refused with ${status}: ${text}`);
    return { periods, marks: rows.map((row) => row.reservation_mark), isStored: status < 300, way };
  }

  /** Every reservation of a tool, by pages, with its period in hours. */
  async list(tool) {
    const rows = [];
    for (let after = ''; ; ) {
      const path = `reservation/search?limit=100&filter[tool_id]=${tool}&total=0${after}`;
      const { text } = await send(`${this.servers[0].url}/rest/public/${path}`);
      const { results } = JSON.parse(text);
      rows.push(...results.rows);
      if (results.next === undefined) break;
      after = `&after=${encodeURIComponent(results.next)}`;
    }
    const toHour = (stamp) =>
      stamp === null ? null : (Date.parse(`${stamp.replace(' ', 'T')}Z`) - Date.UTC(2026, 0, 1)) / 3_600_000;
    return rows.map((row) => ({
      mark: row.reservation_mark,
      period: [toHour(row.reservation_from), toHour(row.reservation_until)],
    }));
  }

  /** A command that imports a file while requests arrive, and leaves out what is taken. */
  async importFile(tool, name) {
    const rows = Array.from({ length: FILE_ROWS }, () => this.toRow(tool, drawPeriod()));
    writeFileSync(join(this.site.root, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await this.site.run(['import', 'reservation', name, '--skip-bad', '--yes']);
    return rows.map((row) => row.reservation_mark);
  }
}

function judge(stored, requests, more = new Set()) {
  const sorted = [...stored].sort(
    (a, b) => (a.period[0] ?? Number.NEGATIVE_INFINITY) - (b.period[0] ?? Number.NEGATIVE_INFINITY),
  );
  for (const [index, one] of sorted.entries())
    for (const other of sorted.slice(index + 1))
      check(
        !overlaps(one.period, other.period),
        `${one.mark} and ${other.mark} overlap: ${one.period}; ${other.period}`,
      );
  const marks = new Set(stored.map(({ mark }) => mark));
  const told = new Set();
  for (const { periods, marks: own, isStored, way } of requests) {
    for (const mark of own) {
      check(
        marks.has(mark) === isStored,
        `${mark} by ${way} was ${isStored ? 'told' : 'refused'}, and is ${marks.has(mark) ? '' : 'not '}stored`,
      );
      if (isStored) told.add(mark);
    }
    if (isStored) continue;
    const isInTheWay = periods.some(
      (period, index) =>
        stored.some((row) => overlaps(row.period, period)) ||
        periods.slice(index + 1).some((other) => overlaps(period, other)),
    );
    check(isInTheWay, `${own} by ${way} was refused, and nothing is in its way: ${JSON.stringify(periods)}`);
  }
  const phantoms = stored.filter(({ mark }) => !told.has(mark) && !more.has(mark));
  check(phantoms.length === 0, `${phantoms.length} rows are stored that nobody was told of`);
}

/** Periods as chance draws them, by all ways at once. */
async function reserveAtRandom(booking, round) {
  const tool = await booking.addTool();
  const requests = [];
  for (let left = REQUESTS; left > 0; ) {
    const way = dice.pick(['call', 'call', 'batch', 'import']);
    const count = way === 'call' ? 1 : 1 + dice.below(4);
    requests.push([Array.from({ length: count }, drawPeriod), way]);
    left -= count;
  }
  const [file, ...answers] = await Promise.all([
    booking.importFile(tool, `rows-${round}.ndjson`),
    ...requests.map(([periods, way], index) => booking.reserve(tool, periods, index, way)),
  ]);
  const stored = await booking.list(tool);
  judge(stored, answers, new Set(file));
  return stored.length;
}

/** Slots that do not overlap, each asked for as often by calls and imports: one of each is kept. */
async function reserveSlots(booking) {
  const tool = await booking.addTool();
  const order = Array.from({ length: REQUESTS }, (_, index) => index % SLOTS).sort(() => dice.next() - 0.5);
  const answers = await Promise.all(
    order.map((slot, index) =>
      booking.reserve(tool, [[slot, slot + 1]], index, dice.pick(['call', 'call', 'batch', 'import'])),
    ),
  );
  const stored = await booking.list(tool);
  judge(stored, answers);
  check(stored.length === SLOTS, `${stored.length} of ${SLOTS} slots are reserved`);
}

/** One period for all. */
async function reserveOne(booking) {
  const tool = await booking.addTool();
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, index) => booking.reserve(tool, [[10, 12]], index, 'call')),
  );
  const stored = await booking.list(tool);
  judge(stored, answers);
  check(stored.length === 1, `${stored.length} reservations of one period`);
}

async function storm(place, url) {
  const site = await StartSite.make({ env: { DATABASE_URL: url } });
  try {
    writeReservations(site.root);
    const booking = new Booking(site, place);
    await booking.open();
    let stored = 0;
    const took = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      stored += await reserveAtRandom(booking, round);
      took.push(performance.now() - begun);
      await reserveSlots(booking);
      await reserveOne(booking);
    }
    const seconds = (Math.max(...took) / 1000).toFixed(1);
    process.stdout.write(
      `reservations ${place}: ${rounds} rounds of ${REQUESTS} by calls, batches and imports, 0 overlaps, ${stored} stored, ${SLOTS} of ${SLOTS} slots, 1 of ${REQUESTS} for one period; at most ${seconds} s, ${booking.busy} answers were 503\n`,
    );
    booking.agent.destroy();
  } finally {
    await site.close();
  }
}

try {
  const isWanted = (name) => values.only === undefined || values.only === name;
  if (isWanted('sqlite')) await storm('sqlite', 'sqlite:var/app.db');
  if (isWanted('workers')) await storm('workers', 'sqlite:var/app.db');
  if (isWanted('postgres')) await onSchema('reservations', values.postgres, (url) => storm('postgres', url));
} catch (error) {
  process.stdout.write(`reservations, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
}
