import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { PostgresDatabase } from './postgres-database.ts';
export interface PostgresOptions {
    readonly url: string;
    readonly log: Log;
    readonly clock: Clock;
    /** Milliseconds that a read of a request may wait, and then run. */
    readonly readMilliseconds: () => number;
    /** Prepared statements kept by each connection. Default 500. */
    readonly statements?: number;
    /** Called with each statement before it is sent. For tests. */
    readonly trace?: (sql: string) => void;
    /** True to create a missing schema. Default true. */
    readonly isMaking?: boolean;
}
/**
 * Opens the PostgreSQL database of a URL, and checks that it responds and can hold a project.
 *
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNREACHABLE, DATABASE_SETTING_REFUSED
 */
export declare function openPostgres(options: PostgresOptions): Promise<PostgresDatabase>;
