// Buyers who come at once, and kills. Of a talk with one seat exactly one ticket is sold, and a person has one ticket
// per talk, on SQLite, on SQLite with two workers and on PostgreSQL with three processes. Then processes are killed while
// tickets are bought: the mail and the call of `app.committed` come at least once for each ticket that was committed, with
// the same id, and for no other.
// Usage: node --import tsx test/torture/ticket-shop.mjs [--short] [--seed n] [--rounds n] [--kills n] [--only
// sqlite|workers|postgres] [--postgres url]
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSmtp } from '../outbound/_smtp.ts';
import { createDice } from './_migration-world.mjs';
import { onSchema } from './_on-postgres.mjs';
import { createAgent, StartSite, send } from './_start-site.mjs';
import { writeShop } from './_ticket-shop.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    rounds: { type: 'string' },
    kills: { type: 'string' },
    only: { type: 'string' },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test' },
  },
});
const rounds = Number(values.rounds ?? (values.short ? 1 : 50));
const kills = Number(values.kills ?? (values.short ? 2 : 200));
const BUYERS = 200;
/** Persons of the round in which each asks for ten tickets. */
const PERSONS = 20;
const WRITERS = 8;
/** Of this many kills one ends the whole pool of workers. */
const POOL_KILLS = 5;
const HANGS_MS = 60_000;
const DRAIN_MS = 120_000;
const dice = createDice(Number(values.seed));

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function check(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

/** The other side of mail and of `app.committed`. */
async function openReceivers() {
  const smtp = await startSmtp();
  /** Ticket number to the ids that were told. */
  const told = new Map();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://127.0.0.1');
    const number = searchParams.get('number');
    told.set(number, [...(told.get(number) ?? []), searchParams.get('id')]);
    response.writeHead(204).end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    told,
    /** Ticket number to the ids of its mails. */
    mails() {
      const found = new Map();
      for (const { raw } of smtp.taken) {
        const number = /^Subject: Ticket (T-\d+)/m.exec(raw)?.[1];
        found.set(number, [...(found.get(number) ?? []), /^Message-ID: (.*)/im.exec(raw)?.[1]]);
      }
      return found;
    },
    env: {
      MAIL_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'shop@example.org',
      TREADLE_BASE_URL: 'http://127.0.0.1:3000',
      TELL_URL: `http://127.0.0.1:${server.address().port}/`,
    },
    async close() {
      await smtp.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const PLACES = {
  sqlite: { processes: 1, more: [] },
  workers: { processes: 1, more: ['--workers', '2'] },
  postgres: { processes: 3, more: [] },
};

class Shop {
  servers = [];
  tickets = 0;

  constructor(site, place) {
    this.site = site;
    this.place = PLACES[place];
  }

  async open() {
    await this.site.migrate();
    for (let index = 0; index < this.place.processes; index += 1) this.servers.push(await this.start());
    this.agent = createAgent(BUYERS);
  }

  start(port = 0) {
    return this.site.start({ port, more: this.place.more });
  }

  post(schema, body, index = 0) {
    const { url } = this.servers[index % this.servers.length];
    return send(`${url}/rest/public/${schema}/create`, { method: 'POST', body, agent: this.agent, limit: HANGS_MS });
  }

  async addTalk(capacity) {
    const { status, text } = await this.post('talk', { talk_title: 'A talk', talk_capacity: capacity });
    check(status === 201, `a talk was answered with ${status}: ${text}`);
    return JSON.parse(text).results.talk_id;
  }

  buy(talk, person, index) {
    return this.post('ticket', { talk_id: talk, ticket_person: `${person}@example.org` }, index);
  }

  /** Every ticket, by pages. */
  async list(talk) {
    const rows = [];
    for (let after = ''; ; ) {
      const filter = talk === undefined ? '' : `&filter[talk_id]=${talk}`;
      const { text } = await send(`${this.servers[0].url}/rest/public/ticket/search?limit=100${filter}${after}`);
      const { results } = JSON.parse(text);
      rows.push(...results.rows);
      if (results.next === undefined) return rows;
      after = `&after=${encodeURIComponent(results.next)}`;
    }
  }

  /** Kills a process, or a worker, and waits until it is replaced. */
  async kill(blow) {
    // After a few kills the pauses before a worker's restart grow to 30 s; a new pool begins with short ones.
    if (this.place.more.length > 0 && blow % POOL_KILLS !== 0) return this.#killWorker();
    const index = dice.below(this.servers.length);
    const port = Number(new URL(this.servers[index].url).port);
    await this.servers[index].end('SIGKILL');
    this.servers[index] = await this.start(port);
  }

  async #killWorker() {
    const listServing = () =>
      [...this.servers[0].log.matchAll(/\{.*"a worker serves".*\}/g)].map(([line]) => JSON.parse(line).pid);
    const before = listServing();
    const running = before.filter(isRunning);
    process.kill(running[dice.below(running.length)], 'SIGKILL');
    for (const until = performance.now() + HANGS_MS; listServing().length === before.length; await pause(20))
      check(performance.now() < until, 'a killed worker was not replaced');
  }
}

async function sellOut(shop) {
  for (let round = 0; round < rounds; round += 1) {
    // A server closes idle connections; a fresh agent has none.
    shop.agent.destroy();
    shop.agent = createAgent(BUYERS);
    const talk = await shop.addTalk(1);
    const answers = await Promise.all(
      Array.from({ length: BUYERS }, (_, index) => shop.buy(talk, `buyer${index}`, index)),
    );
    const count = (status) => answers.filter((answer) => answer.status === status).length;
    const others = answers.find(({ status }) => ![201, 409, 503].includes(status));
    check(others === undefined, `a buyer was answered with ${others?.status}: ${others?.text}`);
    const sold = (await shop.list(talk)).length;
    check(count(201) === 1 && sold === 1, `round ${round}: ${count(201)} were told of a ticket, ${sold} were sold`);
    shop.busy = (shop.busy ?? 0) + count(503);
  }
  const talk = await shop.addTalk(BUYERS);
  await Promise.all(Array.from({ length: BUYERS }, (_, index) => shop.buy(talk, `person${index % PERSONS}`, index)));
  const persons = (await shop.list(talk)).map((row) => row.ticket_person);
  check(new Set(persons).size === persons.length, 'a person has two tickets for one talk');
  check(persons.length === PERSONS, `${persons.length} of ${PERSONS} persons have a ticket`);
}

async function buyUnderKills(shop) {
  const talk = await shop.addTalk(1_000_000);
  const acknowledged = new Set();
  const state = { isBuying: true, number: 0 };
  const writer = async () => {
    while (state.isBuying) {
      state.number += 1;
      const { status, text } = await shop.buy(talk, `killed${state.number}`, state.number);
      if (status === 201) acknowledged.add(JSON.parse(text).results.ticket_number);
      else await pause(20);
      await pause(10);
    }
  };
  const writers = Array.from({ length: WRITERS }, writer);
  try {
    for (let blow = 1; blow <= kills; blow += 1) {
      await pause(100 + 300 * dice.next());
      await shop.kill(blow);
    }
  } finally {
    state.isBuying = false;
  }
  await Promise.all(writers);
  const rows = (await shop.list()).map((row) => `T-${row.ticket_id}`);
  const lost = [...acknowledged].filter((number) => !rows.includes(number));
  check(lost.length === 0, `tickets that were sold are gone: ${lost.slice(0, 5).join(', ')}`);
  return rows;
}

/** Each ticket was told at least once, with one id, and nothing else was. */
function judge(what, tickets, told) {
  const committed = new Set(tickets);
  const phantoms = [...told.keys()].filter((number) => !committed.has(number));
  const mixed = [...told].find(([, ids]) => new Set(ids).size > 1);
  check(phantoms.length === 0, `${what} of tickets that were never sold: ${phantoms.slice(0, 5).join(', ')}`);
  check(mixed === undefined, `${what} with two ids: ${mixed}`);
  return [...told.values()].filter((ids) => ids.length > 1).length;
}

async function storm(place, url) {
  const receivers = await openReceivers();
  const site = await StartSite.make({ env: { ...receivers.env, DATABASE_URL: url } });
  try {
    writeShop(site.root);
    const shop = new Shop(site, place);
    await shop.open();
    await sellOut(shop);
    const tickets = await buyUnderKills(shop);
    const isDrained = () => receivers.mails().size >= tickets.length && receivers.told.size >= tickets.length;
    for (const until = performance.now() + DRAIN_MS; !isDrained(); await pause(100)) {
      const left = `${tickets.length} tickets, ${receivers.mails().size} mails, ${receivers.told.size} calls`;
      check(performance.now() < until, `mail or calls are missing: ${left}`);
    }
    const twice = [judge('mails', tickets, receivers.mails()), judge('calls', tickets, receivers.told)];
    process.stdout.write(
      `ticket-shop ${place}: ${rounds} rounds of ${BUYERS} buyers, 1 ticket each (${shop.busy ?? 0} buyers got 503); ${kills} kills, ${tickets.length} tickets, 0 lost, ${twice[0]} mails and ${twice[1]} calls twice\n`,
    );
    shop.agent.destroy();
  } finally {
    await site.close();
    await receivers.close();
  }
}

try {
  const isWanted = (name) => values.only === undefined || values.only === name;
  if (isWanted('sqlite')) await storm('sqlite', 'sqlite:var/app.db');
  if (isWanted('workers')) await storm('workers', 'sqlite:var/app.db');
  if (isWanted('postgres')) await onSchema('ticket-shop', values.postgres, (url) => storm('postgres', url));
} catch (error) {
  process.stdout.write(`ticket-shop, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
}
