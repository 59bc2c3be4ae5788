import type { Pool } from 'pg';
import type { Clock } from '../../core/clock.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { Hosts } from './hosts.ts';
import { type Answer } from './liveness.ts';
/** A connection in use. */
export interface Lease {
    readonly connection: Connection;
    /** Returns it to the pool; `isBroken` closes it. */
    release(isBroken?: boolean): void;
}
export interface PoolOptions extends ConnectionOptions {
    readonly clock: Clock;
    /** Maximum connections. */
    readonly size: number;
    readonly hosts: Hosts;
    /** Pings the server on a separate connection. */
    readonly ping: () => Promise<Answer>;
    /** Ends every connection at once, including those being opened. */
    readonly destroyAll: (error: Error) => void;
}
/** Lends connections in the order of the requests. */
export declare class ConnectionPool {
    #private;
    constructor(pool: Pool, options: PoolOptions);
    /** Connections in use. */
    get busy(): number;
    /** Maximum connections. */
    get size(): number;
    /** Number of callers that wait for a connection. */
    get waiting(): number;
    /**
     * @throws DATABASE_BUSY if all stay in use for 5 s. @throws DATABASE_UNREACHABLE within 2 s, or at once if
     * the server is known not to respond.
     */
    take(until?: number): Promise<Lease>;
    /** Replaces every connection before its next use, at most once a second, and chooses the server again. */
    leaveServer(): void;
    /** Replaces every connection before its next use: its prepared statements refer to changed tables. */
    renew(): void;
    /**
     * Closes idle connections at once, the others when they are returned. Does not wait for a server that does
     * not respond.
     */
    close(): Promise<void>;
}
