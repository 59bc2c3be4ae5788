import type { ClientBase } from 'pg';
import type { Row } from '../database.ts';
/** Result of a statement. */
export interface Result {
    readonly rows: Row[];
    readonly rowCount: number | null;
    readonly command: string;
}
export interface ConnectionOptions {
    /** Maximum prepared statements. Default 500; 0 for none. */
    readonly statements?: number;
    /** Called with each statement before it is sent. For tests. */
    readonly trace?: ((sql: string) => void) | undefined;
    /** Timeout for a response in milliseconds. Default 27,000. */
    readonly answer?: number | undefined;
    /** Called when the server has responded, even with an error. */
    readonly heard?: (() => void) | undefined;
    /** Called with errors of `pg` before the caller gets them. */
    readonly failed?: ((fault: unknown) => void) | undefined;
}
/** Options for sending one statement. */
export interface Sending {
    /** Not prepared, because tables may change in the meantime. */
    readonly isPassing?: boolean;
    /** Timeout for the response in milliseconds, if it differs from the connection's; 0 for none. */
    readonly limit?: number;
}
/** One connection: one statement at a time, in order; repeated statements are prepared once. */
export declare class Connection {
    #private;
    /** Process id of the backend; for cancelling its statement. */
    readonly pid: number | undefined;
    /** Checks since the running statement was sent, counted by {@link Liveness}. */
    age: number;
    constructor(client: ClientBase, options: ConnectionOptions);
    /** Whether a statement is running. */
    get isBusy(): boolean;
    /** Whether the connection is gone. */
    get isLost(): boolean;
    /** Whether to close it on return: it is gone, or its server no longer accepts writes. */
    get isDoomed(): boolean;
    /** Number of prepared statements. */
    get size(): number;
    /**
     * Runs a caller's statement. @throws DATABASE_STATEMENT_REFUSED, DATABASE_PARAMETER_INVALID,
     * DATABASE_TEXT_INVALID before it is sent; else what `pg` throws.
     */
    execute(sql: string, parameters: readonly unknown[], { isPassing, limit }?: Sending): Promise<Result>;
    /** One of the driver's own statements. */
    control(sql: string, values?: readonly unknown[], limit?: number): Promise<Result>;
}
