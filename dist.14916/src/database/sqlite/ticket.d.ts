import type { TreadleError } from '../../core/errors.ts';
import type { WriterSession } from './writer-session.ts';
/**
 * `single`: one statement. `row`: one statement, and what is collected of it. `unit`: a short unit of writes. `alone`: an interactive transaction.
 * `restructure`: one with foreign keys off. `bare`: no transaction.
 */
export type TicketKind = 'single' | 'row' | 'unit' | 'alone' | 'restructure' | 'bare';
/** A place in the writer's queue, with promises for its turn, its end and its commit. */
export declare class Ticket {
    readonly kind: TicketKind;
    /** Clock time by which its turn must come. */
    readonly deadline: number;
    /** Clock time until which later tickets go first; 0 if it does not let others pass. */
    readonly patientUntil: number;
    readonly turn: Promise<WriterSession>;
    /** Resolves to true if its writes are to be kept. */
    readonly ended: Promise<boolean>;
    /** Resolves after the commit, or after the rollback if its writes are not kept. */
    readonly settled: Promise<void>;
    grant: (session: WriterSession) => void;
    refuse: (error: TreadleError) => void;
    finish: (isDone: boolean) => void;
    settle: (error?: TreadleError) => void;
    constructor(kind: TicketKind, deadline: number, patientUntil?: number);
    /** True if it may share its commit with others. */
    get isShared(): boolean;
}
/** True if SQLite itself undoes it when it fails. */
export declare const isOneStatement: (kind: TicketKind) => boolean;
