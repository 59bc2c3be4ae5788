import type { ClientBase } from 'pg';
import { TreadleError } from '../../core/errors.ts';
import { RETRY } from '../database-error.ts';

/** @see https://www.postgresql.org/docs/current/libpq-connect.html `target_session_attrs` */
export const SESSION_TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type SessionTarget = (typeof SESSION_TARGETS)[number];

export interface ServerState {
  /** True if it replicates another server. */
  readonly isStandby: boolean;
  /** True if transactions are read-only by default. */
  readonly isReadOnly: boolean;
}

/** Columns of a query for this state. */
export const STATE_COLUMNS =
  "pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly";

export interface StateRow {
  readonly standby: unknown;
  readonly readonly: unknown;
}

/** Milliseconds for a query that the server answers from memory. */
export const QUESTION_MILLISECONDS = 1500;

// Booleans come as the driver's parsers give them: as 1 on our own connections.
export const toServerState = (row: StateRow | undefined): ServerState => ({
  isStandby: Boolean(row?.standby),
  isReadOnly: Boolean(row?.readonly),
});

export async function readServerState(client: ClientBase): Promise<ServerState> {
  const query = { text: `select ${STATE_COLUMNS}`, query_timeout: QUESTION_MILLISECONDS };
  return toServerState((await client.query<StateRow>(query)).rows[0]);
}

function refuse(message: string, hint: string): TreadleError {
  return new TreadleError('DATABASE_UNWRITABLE', message, { status: 503, headers: RETRY, hint });
}

/** Why a server does not fit; undefined if it does. */
export function refuseState({ isStandby, isReadOnly }: ServerState, target: SessionTarget): TreadleError | undefined {
  const hint = `The database URL asks for target_session_attrs=${target}: name a server that is one.`;
  if (target === 'read-write' && (isStandby || isReadOnly))
    return refuse('The database server accepts no writes.', hint);
  if (target === 'read-only' && !isStandby && !isReadOnly) return refuse('The database server accepts writes.', hint);
  if (target === 'primary' && isStandby) return refuse('The database server is a standby.', hint);
  if (target === 'standby' && !isStandby) return refuse('The database server is a primary.', hint);
  return undefined;
}
