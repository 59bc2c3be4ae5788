import type { ClientBase } from 'pg';
import { TreadleError } from '../../core/errors.ts';
import { quote } from '../table-sql.ts';
import {
  QUESTION_MILLISECONDS,
  refuseState,
  type SessionTarget,
  STATE_COLUMNS,
  type StateRow,
  toServerState,
} from './session-target.ts';

/**
 * Time-outs on the server in milliseconds. Statement: unless the URL sets it; shorter than the request's, so
 * that the caller gets the reason. Lock. Idle transaction.
 */
export const LIMITS = {
  statement_timeout: 25_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/** Oldest supported version. */
const OLDEST = 120_000;

export interface ConnectionSettings {
  readonly schema: string | undefined;
  /** The required role of the server. */
  readonly target: SessionTarget;
  /** Statement time-out in milliseconds; 0 for none. */
  readonly statementMilliseconds: number;
}

/**
 * Configures a new connection. With statements instead of start-up options, because some poolers refuse
 * these.
 *
 * @throws DATABASE_UNWRITABLE if the server does not have the role that the URL requires.
 */
export async function applySettings(
  client: ClientBase,
  { schema, target, statementMilliseconds }: ConnectionSettings,
): Promise<void> {
  const limits = { ...LIMITS, statement_timeout: statementMilliseconds };
  const settings: [string, string][] = Object.entries(limits).map(([name, value]) => [name, String(value)]);
  settings.push(['client_encoding', 'UTF8'], ['standard_conforming_strings', 'on'], ['DateStyle', 'ISO']);
  // JIT compilation costs more than it saves for queries of a few milliseconds.
  settings.push(['jit', 'off']);
  if (schema !== undefined) settings.push(['search_path', quote(schema)]);
  const list = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  const query = {
    text: `select ${list.join(', ')}, ${STATE_COLUMNS}`,
    values: settings.flat(),
    query_timeout: QUESTION_MILLISECONDS,
  };
  const { rows } = await client.query<StateRow>(query);
  const error = refuseState(toServerState(rows[0]), target);
  if (error !== undefined) throw error;
}

interface ServerRow {
  readonly version: number;
  readonly encoding: string;
  readonly schema: string | null;
}

/**
 * Checks once whether the server can hold a project, and creates the schema of the URL unless told not to.
 *
 * @throws DATABASE_SETTING_REFUSED
 */
export async function checkServer(client: ClientBase, schema: string | undefined, isMaking = true): Promise<void> {
  const query = `select current_setting('server_version_num')::int as version,
    current_setting('server_encoding') as encoding, current_schema() as schema`;
  const question = { text: query, query_timeout: QUESTION_MILLISECONDS };
  const { rows } = await client.query<ServerRow>(question);
  const [server] = rows;
  if (server === undefined || server.version < OLDEST) {
    throw new TreadleError('DATABASE_SETTING_REFUSED', 'The PostgreSQL server is too old.', {
      hint: 'Version 12 is the oldest that Treadle runs on.',
    });
  }
  if (server.encoding !== 'UTF8') {
    throw new TreadleError('DATABASE_SETTING_REFUSED', `The database is encoded in ${server.encoding}.`, {
      hint: 'Create it with encoding UTF8: create database name encoding UTF8 template template0.',
    });
  }
  if (server.schema !== null) return;
  if (schema === undefined) {
    throw new TreadleError('DATABASE_SETTING_REFUSED', 'The database user has no schema to work in.', {
      hint: 'Name one in the URL: ?schema=treadle.',
    });
  }
  if (isMaking) await client.query(`create schema if not exists ${quote(schema)}`);
}
