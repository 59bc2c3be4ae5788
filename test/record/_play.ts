// Sends the requests of an act to a fresh site, one after the other, and notes what came of each.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { loadBinding } from '../../src/database/sqlite/binding.ts';
import { Connection } from '../../src/database/sqlite/connection.ts';
import { settle } from '../../src/testing/work.ts';
import type { Answer } from '../client.ts';
import type { Act, PlayedRequest } from './_requests.ts';
import { type RecordWorld, startRecordWorld } from './_world.ts';

/** What came of a request: all that must not change with the code's layout. */
export interface Outcome {
  readonly status: number;
  /** Names and values, sorted, one a line. */
  readonly headers: string;
  readonly body: string;
  /** Rows of the tables that changed, by table. Empty for safe methods. */
  readonly rows: string;
  /** Events whose listeners ran, in order, or by name for safe methods; `!` marks those that stopped the others, `@` those inside a transaction. */
  readonly events: string;
}

export interface Line {
  readonly key: string;
  readonly outcome: Outcome;
}

const STEP_MS = 50;
const SAFE = new Set(['GET', 'HEAD']);
/** Of the connection, not of the answer. */
const UNSTEADY = new Set(['date', 'connection', 'keep-alive', 'content-length', 'server-timing', 'last-modified']);
/** The machine's own time, of what no clock is given to: migrations. */
const OWN_TIME = new RegExp(`${new Date().toISOString().slice(0, 10)}[ T]\\d\\d:\\d\\d:\\d\\d`, 'g');
/** Pages with figures of the machine and of the database's files: their body is not noted. */
const OF_MACHINE = /^\/admin$/;
/** Counters of the process and of its waits, and what is written some time after a request. */
const OWN_TABLES = /^sqlite_|^treadle_(app_request|app_traffic|limit|schedule|serving|lock)/;
/** Columns that are written some time after a request, or sealed with bytes of another order. */
const LATE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  treadle_token: ['used_at'],
  treadle_mail: ['sealed'],
};

/** Rows as text, without what does not belong to the request. */
function toText(table: string, rows: readonly Readonly<Record<string, unknown>>[]): string {
  const late = LATE_COLUMNS[table] ?? [];
  return JSON.stringify(rows, (key, value) => (late.includes(key) ? undefined : value));
}

/** Gives another value after each commit of the site: nine of ten requests commit nothing. */
interface Commits {
  read(): Promise<unknown>;
  close(): Promise<void>;
}

async function openCommits({ kysely, dialect }: Database): Promise<Commits> {
  if (dialect !== 'sqlite') return { read: async () => ({}), close: async () => {} };
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(kysely);
  const binding = await loadBinding();
  const connection = new Connection(await binding.open(rows[0]?.file ?? ''), { binding, clock: systemClock });
  return {
    read: async () => (await connection.control('pragma data_version'))[0]?.data_version,
    close: () => connection.close(),
  };
}

class Player {
  readonly #world: RecordWorld;
  readonly #tables: readonly string[];
  readonly #commits: Commits;
  #committed: unknown;
  #rows = new Map<string, string>();
  readonly #events: string[] = [];
  constructor(world: RecordWorld, tables: readonly string[], commits: Commits) {
    this.#commits = commits;
    this.#world = world;
    this.#tables = tables;
    const { database } = world.site.app.services;
    this.#trace = () =>
      world.site.app.plan.bus.trace(({ event, isStopped }) =>
        this.#events.push(`${event}${isStopped ? '!' : ''}${database.isInTransaction ? '@' : ''}`),
      );
  }
  readonly #trace: () => () => void;

  #mask(text: string): string {
    return this.#world.masks.reduce((masked, [from, to]) => masked.replaceAll(from, to), text).replace(OWN_TIME, 'now');
  }

  async #readRows(): Promise<Map<string, string>> {
    const { kysely } = this.#world.site.app.services.database;
    const read = new Map<string, string>();
    for (const table of this.#tables)
      read.set(table, toText(table, await kysely.selectFrom(table).selectAll().orderBy(sql`1`).execute()));
    return read;
  }

  async #changedRows(): Promise<string> {
    await settle(this.#world.site.app.services);
    const committed = await this.#commits.read();
    if (committed === this.#committed) return '';
    this.#committed = committed;
    const now = await this.#readRows();
    const changed = [...now].filter(([table, text]) => this.#rows.get(table) !== text);
    this.#rows = now;
    return this.#mask(changed.map(([table, text]) => `${table} ${text}`).join('\n'));
  }

  #headers({ headers, text }: Answer): string {
    // A tag is made from the body: it differs where the body has the port.
    const isOfHere = this.#mask(text) !== text;
    const lines = Object.entries(headers).filter(([name]) => !UNSTEADY.has(name) && !(isOfHere && name === 'etag'));
    return this.#mask(
      lines
        .map(([name, value]) => `${name}: ${String(value)}`)
        .sort()
        .join('\n'),
    );
  }

  async play({ key, person, method, path, sent }: PlayedRequest): Promise<Line> {
    const { clock, seeded, persons, prefix } = this.#world;
    clock.advance(STEP_MS);
    seeded.restart(key);
    this.#events.length = 0;
    // A reload brings a bus of its own.
    const end = this.#trace();
    const answer = await persons[person].send(method, prefix + path, sent);
    const rows = SAFE.has(method) ? '' : await this.#changedRows();
    end();
    const headers = this.#headers(answer);
    const { status } = answer;
    // A page asks for its parts at once: they end in any order.
    const events = (SAFE.has(method) ? [...this.#events].sort() : this.#events).join(' ');
    const body = OF_MACHINE.test(path) ? '' : this.#mask(answer.text);
    const outcome = { status, headers, body, rows, events };
    return { key, outcome };
  }

  async begin(): Promise<void> {
    await settle(this.#world.site.app.services);
    this.#committed = await this.#commits.read();
    this.#rows = await this.#readRows();
  }
}

/** Tables of the site. Beside its own schema, PostgreSQL lists those of other suites, which come and go. */
async function listOwnTables({ kysely, dialect }: Database): Promise<string[]> {
  if (dialect === 'sqlite') return (await kysely.introspection.getTables()).map(({ name }) => name);
  // The introspection of kysely asks about the tables of other suites, too, which may go meanwhile.
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(kysely);
  return rows.map(({ name }) => name);
}

/** Plays an act on a fresh site. */
export async function playAct(act: Act): Promise<Line[]> {
  const world = await startRecordWorld();
  const { database } = world.site.app.services;
  const commits = await openCommits(database);
  try {
    const tables = await listOwnTables(database);
    const player = new Player(world, [...new Set(tables)].filter((name) => !OWN_TABLES.test(name)).sort(), commits);
    await player.begin();
    const lines: Line[] = [];
    for (const request of act.requests) lines.push(await player.play(request));
    return lines;
  } finally {
    await commits.close();
    await world.site.close();
  }
}

export const short = (text: string): string =>
  text === '' ? '-' : createHash('sha256').update(text).digest('base64url').slice(0, 6);

/** One line of the golden file. */
export const toGolden = ({ key, outcome }: Line): string =>
  [key, outcome.status, short(outcome.headers), short(outcome.body), short(outcome.rows), short(outcome.events)].join(
    '\t',
  );
