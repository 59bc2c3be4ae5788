import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { type Read, type ReadFigures } from '../admission.ts';
import type { Connection, Operation } from './connection.ts';
/** A reading statement, and the connection that it runs on. */
export interface ReadOperation extends Operation, Read {
    connection: Connection | undefined;
}
export interface ReadersOptions {
    readonly open: () => Promise<Connection>;
    /** Maximum connections. */
    readonly limit: number;
    readonly clock: Clock;
    readonly log: Log;
    /** Milliseconds that a read of a request may wait, and then run. */
    readonly readMilliseconds: () => number;
}
/** Reading connections, opened on demand, and the control of which reads run. */
export declare class Readers {
    #private;
    constructor(options: ReadersOptions);
    /** Number of open connections. */
    get size(): number;
    /** Number of running statements. */
    get busy(): number;
    /** Number of waiting statements. */
    get waiting(): number;
    get figures(): ReadFigures;
    execute(read: ReadOperation): void;
    /** Waits for running statements, then closes. */
    close(): Promise<void>;
}
