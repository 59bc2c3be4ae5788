import type { Row } from '../database.ts';
import { type Outcome, type Session } from '../transaction.ts';
import type { Connection, Sending } from './connection.ts';
/** A connection with an open transaction; refuses all calls after its end. */
export declare class PostgresSession implements Session {
    #private;
    constructor(connection: Connection, sending?: Sending);
    execute(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
    change(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
    /** `savepoint`, `release` and `rollback to`; only the last repairs a failed transaction. */
    control(sql: string): Promise<void>;
    /** Refuses all further calls. */
    end(): void;
    /**
     * @throws the first error inside, even if somebody caught it: PostgreSQL would answer this commit with a
     * rollback.
     */
    commit(): Promise<void>;
}
