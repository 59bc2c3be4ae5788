// Finds a PostgreSQL server for the tests, or starts one in memory (PGlite) in this process.
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import process from 'node:process';
import pg from 'pg';

const FIND_MS = 1000;

/** Runs a statement on a separate connection. */
export async function ask(url, text) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: FIND_MS,
    options: '-c client_min_messages=error',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** URLs to try, the requested one first. */
function* listCandidates() {
  const { TREADLE_TEST_POSTGRES, DATABASE_URL, PGUSER } = process.env;
  if (TREADLE_TEST_POSTGRES === 'pglite') return;
  if (TREADLE_TEST_POSTGRES) {
    yield TREADLE_TEST_POSTGRES;
    return;
  }
  if (/^postgres(ql)?:/.test(DATABASE_URL ?? '')) yield DATABASE_URL;
  const users = new Set([PGUSER ?? userInfo().username, 'postgres']);
  for (const user of users) for (const name of ['test', user]) yield `postgres://${user}@127.0.0.1:5432/${name}`;
}

async function find(url) {
  try {
    const [{ version }] = await ask(url, "select current_setting('server_version') as version");
    const { hostname, port, pathname } = new URL(url);
    return {
      url,
      kind: 'server',
      words: `PostgreSQL ${version} at ${hostname}:${port || 5432}${pathname}`,
      stop: async () => {},
    };
  } catch (error) {
    // A server that was named explicitly must exist.
    if (url === process.env.TREADLE_TEST_POSTGRES) throw error;
    return undefined;
  }
}

/** Catalogue tables that grow with every schema that a test creates and drops. */
const CATALOGUES = 'pg_class, pg_attribute, pg_attrdef, pg_index, pg_constraint, pg_trigger, pg_type, pg_depend';
const SWEEP_MS = 5000;

/**
 * Vacuums the catalogues, as a server's autovacuum does, which may be off or too slow for a run: otherwise reading a
 * structure takes ten times as long. Stops if it lacks the permission.
 */
function sweep(url) {
  const state = { isStopped: false, under: Promise.resolve(), timer: undefined };
  const run = () => {
    state.under = ask(url, `vacuum (truncate false, skip_locked) ${CATALOGUES}`).then(plan, () => {});
  };
  function plan() {
    if (!state.isStopped) state.timer = setTimeout(run, SWEEP_MS);
  }
  plan();
  return async () => {
    state.isStopped = true;
    clearTimeout(state.timer);
    await state.under;
  };
}

/** The server of a run: `url`, `kind`, a description, and `stop`, which removes leftovers of tests. */
export async function openServer() {
  const run = randomBytes(4).toString('hex');
  const found = await findFirst();
  const server = found ?? (await startPglite());
  const stopSweep = found ? sweep(server.url) : async () => {};
  return {
    ...server,
    environment: {
      TREADLE_TEST_POSTGRES: server.url,
      TREADLE_TEST_POSTGRES_KIND: server.kind,
      TREADLE_TEST_RUN: run,
    },
    async stop() {
      await stopSweep();
      const own = `treadle\\_test\\_${run}\\_%`;
      const rows = await ask(server.url, `select nspname::text as name from pg_namespace where nspname like '${own}'`);
      for (const { name } of rows) await ask(server.url, `drop schema "${name}" cascade`);
      await server.stop();
      return rows.length;
    },
  };
}

async function findFirst() {
  for (const url of listCandidates()) {
    const found = await find(url);
    if (found) return found;
  }
  return undefined;
}

/** Protocol messages after which the server answers and is free for another connection. */
const ENDS = new Set(['Q'.charCodeAt(0), 'S'.charCodeAt(0), 'X'.charCodeAt(0)]);

/** The state in ReadyForQuery at the end of an answer: `I` for idle, otherwise a transaction is open. */
function readState(data) {
  const isReady = data.length >= 6 && data.at(-6) === 0x5a && data.at(-2) === 5;
  return isReady ? data.at(-1) !== 'I'.charCodeAt(0) : undefined;
}

/**
 * Lets connections take turns on PGlite's only session. pglite-socket's own queue alternates messages of two
 * connections, so that one would run what the other prepared. Here a connection keeps the session from the
 * first message of an exchange to its end, and to the end of its transaction. Its `search_path` is restored.
 */
class Turns {
  #db;
  #waiting = [];
  /** Parts of an incomplete exchange. */
  #parts = new Map();
  #paths = new Map();
  #last;
  /** True if the last exchange left a transaction open, even a failed one, which PGlite itself forgets. */
  #isHeld = false;
  #isWorking = false;

  constructor(db) {
    this.#db = db;
  }

  enqueue(id, message, onData) {
    return new Promise((resolve, reject) => {
      const parts = this.#parts.get(id) ?? [];
      parts.push({ message, onData, resolve, reject });
      // The startup message has no letter: its length begins with 0.
      if (!ENDS.has(message[0]) && message[0] !== 0) {
        this.#parts.set(id, parts);
        resolve(0);
        return;
      }
      this.#parts.delete(id);
      this.#waiting.push({ id, parts });
      void this.#work();
    });
  }

  async #work() {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let next = this.#take(); next !== undefined; next = this.#take()) await this.#perform(next);
    this.#isWorking = false;
  }

  #take() {
    if (!this.#isHeld) return this.#waiting.shift();
    const index = this.#waiting.findIndex(({ id }) => id === this.#last);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async #perform({ id, parts }) {
    const last = parts.at(-1);
    try {
      await this.#switchTo(id);
      const message = Buffer.concat(parts.map((part) => part.message));
      let size = 0;
      await this.#db.runExclusive(() =>
        this.#db.execProtocolRawStream(new Uint8Array(message), {
          onRawData: (data) => {
            size += data.length;
            this.#isHeld = readState(data) ?? this.#isHeld;
            last.onData(data);
          },
        }),
      );
      last.resolve(size);
    } catch (error) {
      last.reject(error);
    }
  }

  async #switchTo(id) {
    if (this.#last === id) return;
    const { rows } = await this.#db.query('show search_path');
    if (this.#last !== undefined) this.#paths.set(this.#last, rows[0].search_path);
    const path = this.#paths.get(id) ?? '"$user", public';
    if (path !== rows[0].search_path) await this.#db.query("select set_config('search_path', $1, false)", [path]);
    this.#last = id;
  }

  getQueueLength() {
    return this.#waiting.length;
  }

  clearQueueForHandler(id) {
    this.#parts.delete(id);
    this.#paths.delete(id);
    this.#waiting = this.#waiting.filter((entry) => entry.id !== id);
  }

  async clearTransactionIfNeeded(id) {
    if (this.#last !== id) return;
    if (this.#isHeld) await this.#db.exec('rollback');
    this.#isHeld = false;
    void this.#work();
  }
}

async function startPglite() {
  const { PGlite } = await import('@electric-sql/pglite');
  const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 500 });
  server.queryQueue = new Turns(db);
  await server.start();
  const port = Number(server.getServerConn().split(':').at(-1));
  const { rows } = await db.query("select current_setting('server_version') as version");
  return {
    // Connections cost nothing here, and waiting for a turn on the one session must not count as a full pool.
    url: `postgres://postgres@127.0.0.1:${port}/postgres?pool=50`,
    kind: 'pglite',
    words: `PGlite (PostgreSQL ${rows[0].version}) in memory, since no server was found`,
    async stop() {
      await server.stop();
      await db.close();
    },
  };
}
