import type { CompiledQuery } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { type Read, type ReadFigures } from '../admission.ts';
import type { ReadCost } from '../read-cost.ts';
import type { Result } from './connection.ts';
import type { Lease } from './pool.ts';
/** A reading statement, with the connection that it runs on. */
export interface PoolRead extends Read {
    lease: Lease | undefined;
    /** Its cancellation, which must end before the connection is used by others. */
    cancelling: Promise<void> | undefined;
    readonly begin: () => void;
    readonly refuse: () => void;
}
export interface PoolReadsOptions {
    readonly clock: Clock;
    readonly log: Log;
    /** Connections of the pool. */
    readonly size: number;
    /** Milliseconds that a read of a request may wait, and then run. */
    readonly readMilliseconds: () => number;
    /** Cancels a backend's statement over another connection. */
    readonly cancel: (pid: number) => Promise<void>;
    /** Runs the statement; sets its connection, and returns it with {@link giveBack}. */
    readonly run: (query: CompiledQuery, parameters: readonly unknown[], read: PoolRead) => Promise<Result>;
}
/** Controls which single reading statements run on a pool. */
export declare class PoolReads {
    #private;
    constructor(options: PoolReadsOptions);
    get figures(): ReadFigures;
    run(query: CompiledQuery, parameters: readonly unknown[], about: ReadCost): Promise<Result>;
}
/**
 * Returns a connection to the pool. Closes it if a running cancellation might hit a later statement. Gives a
 * promise if there is something to wait for.
 */
export declare function giveBack(lease: Lease, read: PoolRead | undefined, isBroken?: boolean): Promise<void> | undefined;
