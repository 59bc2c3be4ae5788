import type { TreadleError } from '../../core/errors.ts';
import type { Collected, Row } from '../database.ts';
import { type Outcome, type Session } from '../transaction.ts';
import type { Connection } from './connection.ts';
/** The writer's connection with an open transaction; refuses all calls after its end. */
export declare class WriterSession implements Session {
    #private;
    /** Set if SQLite rolled back the whole transaction: further statements would commit separately. */
    broken: TreadleError | undefined;
    isOver: boolean;
    constructor(connection: Connection, failed: (error: TreadleError) => void);
    execute(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
    change(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
    control(sql: string): Promise<Row[]>;
    /** Sets the writer's own savepoint; if that fails, the transaction is lost. */
    mark(sql: string): Promise<void>;
    /** Adds to what a statement writes before the commit. If that fails, the transaction is lost. */
    collect(make: () => Collected | undefined): void;
    get hasCollected(): boolean;
    /** Writes what was collected; if that fails, the transaction is lost. */
    writeCollected(): Promise<void>;
}
