import type { Server } from 'node:http';
import type { Clock } from '../core/clock.ts';
export interface DrainOptions {
    readonly server: Server;
    readonly clock: Clock;
    /** Milliseconds that idle connections stay open, for requests in transit. */
    readonly idleMs: number;
}
/**
 * Closes a server without resetting connections. The listener closes first. A connection in use gets `Connection:
 * close` with its next answer (the dispatch writes it) and ends after it. An idle one is closed only after a pause
 * without traffic: a request that meets the closing of its connection is lost, and the client cannot tell whether it
 * was processed.
 */
export declare class Drain {
    #private;
    constructor(options: DrainOptions);
    /** Resolves when every connection has ended. Connections that are left after `graceMs` are destroyed. */
    end(graceMs: number): Promise<void>;
    /** Destroys every connection at once. */
    cut(): void;
}
