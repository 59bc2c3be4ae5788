// Writers that note every row which was answered, and what must be found of it.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createAgent, send } from './_start-site.mjs';

const WORDS = ['wool', 'linen', 'zebra', 'silk', 'jute', 'hemp', 'felt', 'cotton'];
const CLIENTS = 3;
/** Rows of each check that are asked for one by one. */
const PICKED = 40;

const isDone = (status) => status >= 200 && status < 300;

/** The rows as they were answered. */
export class Ledger {
  /** By id: the values by the names of the earlier version. */
  rows = new Map();
  counts = {};
  faults = [];
  #busy = new Set();
  #dice;
  #last = 0;

  constructor(dice) {
    this.#dice = dice;
  }

  #note(server, { status, text, headers }, { action, isRefused }) {
    this.counts[server.name] ??= {};
    const place = this.counts[server.name];
    place[`${action} ${status}`] = (place[`${action} ${status}`] ?? 0) + 1;
    const isLate = status === 503 && headers['retry-after'] !== undefined;
    if (isRefused !== isDone(status) && (isDone(status) || status === 400 || status === 409)) return;
    if (server.isStale && isLate) return;
    this.faults.push(`${server.name}: ${action} was answered ${status} ${text.slice(0, 300)}`);
  }

  /** Values of a write, by logical name; some are left out. */
  #makeValues(version, isCreate) {
    const dice = this.#dice;
    this.#last += 1;
    const text = () => `${dice.pick(WORDS)} ${dice.pick(WORDS)} t${this.#last}`;
    const made = { title: text(), body: text(), rank: dice.below(1000), extra: text() };
    const values = isCreate ? { code: `c${this.#last}` } : {};
    for (const name of version.keys.keys()) if (made[name] !== undefined && dice.chance(0.7)) values[name] = made[name];
    return values;
  }

  /** True if the database refuses it: its columns follow the later version once that has come. */
  #mustRefuse(values, isCreate, rules) {
    const lacks = [...rules.required].some(
      (name) => (isCreate ? (values[name] ?? rules.presets.get(name)) : values[name]) === undefined,
    );
    if (isCreate && lacks) return true;
    return rules.unique.has('code') && [...this.rows.values()].some(({ code }) => code === values.code);
  }

  async #create(server, agent) {
    const { version } = server;
    const values = this.#makeValues(version, true);
    const known = [...this.rows.values()];
    const isUnique = server.rules.unique.has('code') && !server.isMigrating;
    if (isUnique && known.length > 0 && this.#dice.chance(0.1)) values.code = this.#dice.pick(known).code;
    const isRefused = this.#mustRefuse(values, true, server.rules);
    const body = toBody(values, version);
    const answer = await send(`${server.url}/rest/public/note/create`, { method: 'POST', body, agent });
    this.#note(server, answer, { action: 'create', isRefused });
    if (!isDone(answer.status)) return;
    const id = JSON.parse(answer.text).results.note_id;
    this.rows.set(id, { ...Object.fromEntries(server.rules.presets), ...values });
  }

  async #update(server, agent) {
    const free = [...this.rows.keys()].filter((id) => !this.#busy.has(id));
    if (free.length === 0) return;
    const id = this.#dice.pick(free);
    const values = this.#makeValues(server.version, false);
    const body = toBody(values, server.version);
    if (Object.keys(body).length === 0) return;
    this.#busy.add(id);
    const answer = await send(`${server.url}/rest/public/note/update/${id}`, { method: 'PATCH', body, agent });
    this.#note(server, answer, { action: 'update', isRefused: false });
    if (isDone(answer.status)) Object.assign(this.rows.get(id), values);
    this.#busy.delete(id);
  }

  /** Writes through all servers at once, at least as many times, and until some work is done. */
  async write(servers, times, work = Promise.resolve()) {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    const clients = servers.flatMap((server) =>
      Array.from({ length: CLIENTS }, async () => {
        const agent = createAgent(1);
        for (let count = 0; count < times || !isOver; count += 1) {
          await (this.#dice.chance(0.6) ? this.#create(server, agent) : this.#update(server, agent));
          await pause(3);
        }
        agent.destroy();
      }),
    );
    const [done] = await Promise.all([over, ...clients]);
    return done;
  }

  /** What a server of a version has of each row. */
  #list({ keys }) {
    return new Map(
      [...this.rows].map(([id, values]) => [
        id,
        Object.fromEntries([...keys].map(([name, key]) => [key, values[name] ?? null])),
      ]),
    );
  }

  /** An undo takes a default back from rows that had none; rows since then keep theirs. */
  async takeUndone({ url, version }, presets) {
    for (const [id, values] of this.rows) {
      const { text } = await send(`${url}/rest/public/note/detail/${id}`);
      const row = JSON.parse(text).results;
      for (const [name, preset] of presets) {
        if (values[name] === preset && row[version.keys.get(name)] === null) values[name] = null;
      }
    }
  }

  /** Every row is found, by each way that the server has. */
  async check(server, told) {
    const where = `${told}, ${server.name}`;
    const agent = createAgent(4);
    const get = async (path) => {
      const { status, text } = await send(`${server.url}/rest/public/note/${path}`, { agent });
      assert.equal(status, 200, `${where}: ${path} was answered ${status} ${text.slice(0, 300)}`);
      return JSON.parse(text).results;
    };
    const readAll = async (query) => {
      const found = new Map();
      for (let after = ''; ; ) {
        const { rows, next } = await get(`search?limit=100&total=0&${query}${after}`);
        for (const row of rows) found.set(row.note_id, row);
        if (next === undefined) return found;
        after = `&after=${encodeURIComponent(next)}`;
      }
    };
    const wanted = this.#list(server.version);
    const found = await readAll('');
    assert.deepEqual([...found.keys()].sort(byNumber), [...wanted.keys()].sort(byNumber), `${where}: the rows`);
    for (const [id, row] of wanted) assert.deepEqual(pick(found.get(id), row), row, `${where}: row ${id}`);
    if (server.version.searchable.size > 0 && !server.isBlind)
      for (const word of WORDS) await this.#checkWord(server, word, { readAll, where });
    for (const id of this.#pickIds()) await this.#checkRow(server, id, { get, where, row: wanted.get(id) });
    const ready = await send(`${server.url}/health/ready`, { agent });
    assert.equal(ready.status, 200, `${where}: not ready, ${ready.text}`);
    agent.destroy();
  }

  async #checkWord({ version }, word, { readAll, where }) {
    const has = (values) => [...version.searchable].some((name) => values[name]?.split(' ').includes(word));
    const ids = [...this.rows].filter(([, values]) => has(values)).map(([id]) => id);
    const found = [...(await readAll(`q=${word}`)).keys()];
    const missing = ids.filter((id) => !found.includes(id));
    const others = found.filter((id) => !ids.includes(id));
    assert.deepEqual({ missing, others }, { missing: [], others: [] }, `${where}: q=${word}`);
  }

  #pickIds() {
    const ids = [...this.rows.keys()];
    return Array.from({ length: Math.min(PICKED, ids.length) }, () => this.#dice.pick(ids));
  }

  async #checkRow({ version, isBlind }, id, { get, where, row }) {
    assert.deepEqual(pick(await get(`detail/${id}`), row), row, `${where}: detail ${id}`);
    for (const name of version.filterable) {
      const key = version.keys.get(name);
      if (row[key] === null) continue;
      const { rows } = await get(
        `search?limit=100&filter[note_id]=${id}&filter[${key}]=${encodeURIComponent(row[key])}`,
      );
      assert.deepEqual(
        rows.map(({ note_id: found }) => found),
        [id],
        `${where}: row ${id} by ${key}`,
      );
    }
    const code = version.keys.get('code');
    const { rows } = await get(`search?filter[${code}]=${row[code]}`);
    assert.ok(
      rows.some(({ note_id: found }) => found === id),
      `${where}: row ${id} by its code`,
    );
    const last = [...version.searchable].map((name) => row[version.keys.get(name)]).find((text) => text !== null);
    if (last === undefined || isBlind) return;
    const named = await get(`search?q=${encodeURIComponent(last)}`);
    assert.ok(
      named.rows.some(({ note_id: found }) => found === id),
      `${where}: row ${id} by q=${last}`,
    );
  }
}

const byNumber = (a, b) => a - b;
const pick = (row, like) => Object.fromEntries(Object.keys(like).map((key) => [key, row?.[key] ?? null]));
const toBody = (values, { keys }) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (keys.has(name) ? [[keys.get(name), value]] : [])),
  );
