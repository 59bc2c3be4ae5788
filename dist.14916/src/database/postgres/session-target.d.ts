import type { ClientBase } from 'pg';
import { TreadleError } from '../../core/errors.ts';
/** @see https://www.postgresql.org/docs/current/libpq-connect.html `target_session_attrs` */
export declare const SESSION_TARGETS: readonly ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'];
export type SessionTarget = (typeof SESSION_TARGETS)[number];
export interface ServerState {
    /** True if it replicates another server. */
    readonly isStandby: boolean;
    /** True if transactions are read-only by default. */
    readonly isReadOnly: boolean;
}
/** Columns of a query for this state. */
export declare const STATE_COLUMNS = "pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly";
export interface StateRow {
    readonly standby: unknown;
    readonly readonly: unknown;
}
/** Milliseconds for a query that the server answers from memory. */
export declare const QUESTION_MILLISECONDS = 1500;
export declare const toServerState: (row: StateRow | undefined) => ServerState;
export declare function readServerState(client: ClientBase): Promise<ServerState>;
/** Why a server does not fit; undefined if it does. */
export declare function refuseState({ isStandby, isReadOnly }: ServerState, target: SessionTarget): TreadleError | undefined;
