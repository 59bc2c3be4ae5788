import type { Duplex } from 'node:stream';
import type { Client, ClientBase, ClientConfig } from 'pg';
import type { Clock } from '../../core/clock.ts';
import { readCode, TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import { SlowReads } from '../load/slow-reads.ts';
import { type Host, Hosts } from './hosts.ts';
import type { Answer } from './liveness.ts';
import { ConnectionPool } from './pool.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { isLate, silentError, toTreadleError } from './postgres-error.ts';
import { applySettings, type ConnectionSettings, checkServer } from './settings.ts';
import { parsePostgresUrl } from './url.ts';

/** Type ids of PostgreSQL's built-in types. @see pg_type.dat */
const [BOOL, INT8, INT2, INT4, FLOAT4, FLOAT8, NUMERIC, OID] = [16, 20, 21, 23, 700, 701, 1700, 26];
const [JSON_TEXT, JSONB, DATE, TIMESTAMP, TIMESTAMPTZ] = [114, 3802, 1082, 1114, 1184];

type Parse = (text: string) => unknown;

/** An integer; as text if a JavaScript number would lose digits. */
function toWhole(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

const asIs: Parse = (text) => text;

/**
 * How each type is returned: numbers as numbers, booleans as 1 and 0, times and JSON as text, as on SQLite.
 * `pg` parses all other types.
 */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT2, Number],
  [INT4, Number],
  [OID, Number],
  [INT8, toWhole],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [NUMERIC, Number],
  [JSON_TEXT, asIs],
  [JSONB, asIs],
  [DATE, asIs],
  [TIMESTAMP, asIs],
  [TIMESTAMPTZ, asIs],
]);

const findParser = (type: number): Parse | undefined => PARSERS.get(type);

/** Members of `pg` that its types leave out. */
interface Inner {
  readonly connection: { readonly stream: Duplex };
}

/** Destroys a connection at once: running statements fail with this error. */
function destroy(client: object, error: Error): void {
  (client as Inner).connection.stream.destroy(error);
}

interface Clients {
  /** For the pool, which creates its clients itself: each connects to the host in use at that time. */
  readonly PooledClient: new () => Client;
  /** A client outside the pool, not yet connected, for this host or the one in use. */
  create(more?: ClientConfig, host?: Host): Client;
  /** Destroys every connection, including those being opened. */
  destroyAll(error: Error): void;
}

/** Creates the clients and tracks those that have a socket. */
function createClients(Base: typeof Client, config: ClientConfig, current: () => Host): Clients {
  const open = new Set<Client>();
  const toConfig = (host: Host): ClientConfig =>
    Object.fromEntries(Object.entries(host).filter(([, value]) => value !== undefined));
  class PooledClient extends Base {
    constructor(own: ClientConfig = {}) {
      super({ ...own, ...toConfig(current()) });
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  }
  return {
    PooledClient,
    create: (more = {}, host = undefined) =>
      host === undefined
        ? new PooledClient({ ...config, ...more })
        : new Base({ ...config, ...more, ...toConfig(host) }),
    destroyAll(error) {
      for (const client of [...open]) destroy(client, error);
    },
  };
}

/** Milliseconds that the server has to answer a ping. */
const PING_MILLISECONDS = 1000;
/** Milliseconds before TCP keep-alive checks an idle connection. */
const KEEP_ALIVE_MILLISECONDS = 10_000;
/** Milliseconds after which an idle connection is closed. */
const IDLE_MILLISECONDS = 60_000;
/** Seconds after which a connection is replaced, so that a moved server or a changed password is noticed. */
const LIFETIME_SECONDS = 1800;
/** Milliseconds added to the server's statement time-out for the answer to arrive. */
const ANSWER_MILLISECONDS = 2000;

export interface PostgresOptions {
  readonly url: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Milliseconds that a read of a request may wait, and then run. */
  readonly readMilliseconds: () => number;
  /** Where slow reads are told. Default: nowhere. */
  readonly slow?: SlowReads;
  /** Prepared statements cached by each connection. Default 500. */
  readonly statements?: number;
  /** Called with each statement before it is sent. For tests. */
  readonly trace?: (sql: string) => void;
  /** True to create a missing schema. Default true. */
  readonly isMaking?: boolean;
}

async function loadPackage(): Promise<Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new TreadleError('DATABASE_BINDING_MISSING', 'The package "pg" is not installed.', {
      hint: 'Run npm install pg, or use SQLite: DATABASE_URL=sqlite:var/app.db.',
      cause,
    });
  }
}

/**
 * Opens the PostgreSQL database of a URL, and checks that it responds and can hold a project.
 *
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNREACHABLE, DATABASE_SETTING_REFUSED
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const { clock, log, trace } = options;
  const target = parsePostgresUrl(options.url);
  const { config, schema, pool: size, isPreparing, connectMilliseconds, statementMilliseconds } = target;
  const { Client, Pool, types } = await loadPackage();
  const common = {
    ...config,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
    connectionTimeoutMillis: connectMilliseconds,
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && findParser(type)) || types.getTypeParser(type, format),
    },
  };
  const clients = createClients(Client, common, () => hosts.current);
  const hosts: Hosts = new Hosts({
    hosts: target.hosts,
    target: target.session,
    clock,
    createClient: (host) => clients.create({}, host),
  });
  const settings = (): ConnectionSettings => ({ schema, target: hosts.target, statementMilliseconds });
  const inner = new Pool({
    ...common,
    Client: clients.PooledClient,
    max: size,
    idleTimeoutMillis: IDLE_MILLISECONDS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    allowExitOnIdle: true,
    onConnect: (client: ClientBase) => applySettings(client, settings()),
  });
  const pool = new ConnectionPool(inner, {
    clock,
    size,
    statements: isPreparing ? (options.statements ?? 500) : 0,
    answer: statementMilliseconds === 0 ? 0 : statementMilliseconds + ANSWER_MILLISECONDS,
    trace,
    hosts,
    ping: () => ping(clients.create({ connectionTimeoutMillis: PING_MILLISECONDS }, hosts.current)),
    destroyAll: clients.destroyAll,
  });
  try {
    await hosts.find();
    const client = await inner.connect();
    await checkServer(client, schema, options.isMaking).finally(() => client.release());
  } catch (failure) {
    clients.destroyAll(silentError());
    await inner.end();
    throw toTreadleError(failure);
  }
  const cancel = async (pid: number): Promise<void> => {
    const client = clients.create();
    client.on('error', () => {});
    try {
      await client.connect();
      const query = { text: 'select pg_cancel_backend($1)', values: [pid], query_timeout: PING_MILLISECONDS };
      await client.query(query);
    } catch (error) {
      log.warn('database-cancel', { error: toTreadleError(error) });
    } finally {
      client.end().catch(() => {});
    }
  };
  const announcer = { schema, createClient: () => clients.create() };
  const { readMilliseconds, slow = new SlowReads() } = options;
  return new PostgresDatabase({ pool, size, readMilliseconds, slow, cancel, log, clock, announcer });
}

/**
 * Checks whether the server says anything on a new connection; that it is full or starting counts as an
 * answer.
 */
async function ping(client: Client): Promise<Answer> {
  client.on('error', () => {});
  try {
    await client.connect();
    const question = { text: 'select 1', query_timeout: PING_MILLISECONDS };
    await client.query(question);
    return 'answered';
  } catch (error) {
    const code = readCode(error);
    if (/^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE') return 'answered';
    return isLate(error) ? 'silent' : 'refused';
  } finally {
    client.end().catch(() => {});
  }
}
