import { TreadleError } from '../../core/errors.ts';
/** True if the connection is lost, so that another one may work. Never for errors about a statement. */
export declare function isLost(fault: unknown): boolean;
/** True if a connection timed out: the server may not be responding. */
export declare function isLate(fault: unknown): boolean;
/** True if the server has no connection left for this user or database. */
export declare function isFull(fault: unknown): boolean;
/**
 * True if the server shut down or no longer accepts writes, as after a failover: its other connections are
 * useless too.
 */
export declare function isMoved(fault: unknown): boolean;
/** The error that ends all connections to a server that does not respond. */
export declare function silentFault(): Error;
/**
 * True if the server rolled back a transaction that may succeed when repeated: after a deadlock, a conflict,
 * or a stale plan.
 */
export declare function isRepeatable(fault: unknown): boolean;
/** The statement was prepared before a table changed. */
export declare function isStalePlan(fault: unknown): boolean;
export declare function unreachableError(fault: unknown): TreadleError;
/**
 * Converts an error of PostgreSQL to Treadle's, with the columns of a violated constraint. The SQL goes into
 * `detail`, never into the message; parameters go nowhere.
 */
export declare function toTreadleError(fault: unknown, sql?: string): TreadleError;
/** True if a unit of writes may be repeated, because the server rolled it back without a fault of its own. */
export declare const mayRepeat: (error: unknown) => boolean;
