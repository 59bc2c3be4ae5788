import type { ClientBase } from 'pg';
import { type SessionTarget } from './session-target.ts';
/**
 * Time-outs on the server in milliseconds. Statement: unless the URL sets it; shorter than the request's, so
 * that the caller gets the reason. Lock. Idle transaction.
 */
export declare const LIMITS: {
    readonly statement_timeout: 25000;
    readonly lock_timeout: 5000;
    readonly idle_in_transaction_session_timeout: 15000;
};
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
 * @throws DATABASE_UNWRITABLE if the server does not have the role that the URL asks for.
 */
export declare function applySettings(client: ClientBase, { schema, target, statementMilliseconds }: ConnectionSettings): Promise<void>;
/**
 * Checks once whether the server can hold a project, and creates the schema of the URL unless told not to.
 *
 * @throws DATABASE_SETTING_REFUSED
 */
export declare function checkServer(client: ClientBase, schema: string | undefined, isMaking?: boolean): Promise<void>;
