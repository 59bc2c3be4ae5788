import type { Worker } from 'node:cluster';
import { type Clock } from '../../core/clock.ts';
import { type ListenAddress } from '../../runtime/listen.ts';
/**
 * Accepts connections and hands them to workers in turn, first to workers without unconfirmed ones. A connection
 * belongs to this process until the worker confirms it, so connections of a worker that dies go to another one.
 * Node's own distribution loses them, and their clients wait forever.
 */
export declare class Balancer {
    #private;
    constructor(clock?: Clock);
    /**
     * Starts accepting connections; concurrent calls return the same URL.
     *
     * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
     */
    open(address: ListenAddress): Promise<string>;
    /** Stops accepting connections. */
    close(): void;
    /** Adds a worker to the rotation. */
    add(worker: Worker): void;
    /**
     * Hands this worker no more connections; it still takes those handed over. Without any worker the server accepts no
     * connections.
     */
    retire(worker: Worker): void;
    /** A worker has ended: its unconfirmed connections go to others. */
    remove(worker: Worker): void;
    taken(worker: Worker, id: number): void;
    /** Resolves when every connection is taken by a worker. */
    settled(): Promise<void>;
}
