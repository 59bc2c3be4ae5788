import type { Clock } from '../../core/clock.ts';
import type { Connection } from './connection.ts';
/** Runs `fn` on a connection that sees the database as of now until `fn` ends. */
export declare function readAsOfNow<T>(connection: Connection, { owner, clock }: {
    readonly owner: object;
    readonly clock: Clock;
}, fn: () => Promise<T>): Promise<T>;
