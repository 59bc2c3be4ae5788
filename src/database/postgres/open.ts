import type { ClientBase } from 'pg';
import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { toTreadleError } from './fault.ts';
import { ConnectionPool } from './pool.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { applySettings, checkServer } from './settings.ts';
import { parsePostgresUrl } from './url.ts';
import { findParser } from './value.ts';

/** Milliseconds until a connection must be there, so that a request is answered within 2 s. */
const CONNECT_MILLISECONDS = 1500;
/** Milliseconds after which a connection that nobody asked for is closed. */
const IDLE_MILLISECONDS = 60_000;
/** Seconds after which a connection is replaced, so that a moved server and a changed password are noticed. */
const LIFETIME_SECONDS = 1800;

export interface PostgresOptions {
  readonly url: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Prepared statements kept by each connection. Default 500. */
  readonly statements?: number;
  /** Told of each statement before it is sent. For tests. */
  readonly trace?: (sql: string) => void;
  /** Whether the schema is made where it is missing. Default true. */
  readonly isMaking?: boolean;
}

async function loadPackage(): Promise<typeof import('pg')> {
  try {
    return (await import('pg')).default as unknown as typeof import('pg');
  } catch (cause) {
    throw new TreadleError('DATABASE_BINDING_MISSING', 'The package "pg" is not installed.', {
      hint: 'Run npm install pg, or use SQLite: DATABASE_URL=sqlite:var/app.db.',
      cause,
    });
  }
}

/**
 * Opens the PostgreSQL database that a URL names, and looks whether it answers and can hold a project.
 *
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNREACHABLE, DATABASE_SETTING_REFUSED
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const { clock, log, trace } = options;
  const { config, schema, pool: size, isPreparing } = parsePostgresUrl(options.url);
  const { Client, Pool, types } = await loadPackage();
  const common = {
    ...config,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    types: {
      getTypeParser: ((type: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && findParser(type)) ||
        types.getTypeParser(type, format as 'text')) as typeof types.getTypeParser,
    },
  };
  const inner = new Pool({
    ...common,
    max: size,
    idleTimeoutMillis: IDLE_MILLISECONDS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    allowExitOnIdle: true,
    onConnect: (client: ClientBase) => applySettings(client, schema),
  });
  const pool = new ConnectionPool(inner, {
    clock,
    size,
    statements: isPreparing ? (options.statements ?? 500) : 0,
    trace,
  });
  try {
    const client = await inner.connect();
    await checkServer(client, schema, options.isMaking).finally(() => client.release());
  } catch (fault) {
    await inner.end();
    throw toTreadleError(fault);
  }
  const cancel = async (pid: number): Promise<void> => {
    const client = new Client(common);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [pid]);
    } catch (error) {
      log.warn('database-cancel', { error: toTreadleError(error) });
    } finally {
      await client.end().catch(() => {});
    }
  };
  const announcer = { schema, createClient: () => new Client(common) };
  return new PostgresDatabase({ pool, cancel, log, clock, announcer });
}
