import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { CommitCount } from '../recent-versions.ts';
import { type Connection } from './connection.ts';
import { Ticket, type TicketKind } from './ticket.ts';
export interface WriterOptions {
    readonly connection: Connection;
    readonly clock: Clock;
    /** Called once when writes can no longer be trusted. */
    readonly failed: (error: TreadleError) => void;
    /** Called after each commit, before its units are told. @throws DATABASE_REPLACED */
    readonly checkFile?: () => void;
    /** Explains a failure to begin a transaction: a full disk, or the given error. */
    readonly explainBegin?: (error: TreadleError) => Promise<TreadleError>;
}
/**
 * The queue of the single writing connection. Waiting units share a `BEGIN IMMEDIATE … COMMIT`, one after the
 * other. The first unit needs no savepoint, because nothing else is in the transaction if it fails; nor does
 * a unit of one statement, which SQLite undoes itself.
 */
export declare class Writer {
    #private;
    readonly commits: CommitCount;
    constructor(options: WriterOptions);
    /** Number of waiting units. */
    get waiting(): number;
    /** Joins the queue. The ticket's turn rejects with DATABASE_FAILED or DATABASE_CLOSED. */
    join(kind: TicketKind, isPatient?: boolean): Ticket;
    /** Fail-stop: after a disk error it is unknown what was written, so no further write is accepted. */
    fail(error: TreadleError): void;
    /** Ends all writing if the file on disk is not the open one. @throws DATABASE_REPLACED */
    checkFile(): void;
    /**
     * Begins a transaction in its turn and rolls it back; writes nothing. @throws DATABASE_BUSY,
     * DATABASE_FAILED
     */
    tryTurn(): Promise<void>;
    /** Writes the log back to the file and truncates it, as far as readers allow. */
    checkpoint(): Promise<void>;
    /** Waits for queued units; accepts no more. */
    close(): Promise<void>;
}
