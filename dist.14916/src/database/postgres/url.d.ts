import type { ClientConfig } from 'pg';
import type { Host } from './hosts.ts';
import { type SessionTarget } from './session-target.ts';
/** The content of a `postgres://` URL. */
export interface PostgresTarget {
    /** Configuration for `pg`; host and port are those of the first server. */
    readonly config: ClientConfig;
    /** The servers in the URL's order; at least one. */
    readonly hosts: readonly Host[];
    /** `target_session_attrs`. */
    readonly session: SessionTarget;
    /** Milliseconds to open a connection. */
    readonly connectMilliseconds: number;
    /** Statement time-out in milliseconds; 0 for none. */
    readonly statementMilliseconds: number;
    /** Schema of the project's tables; if undefined, the server's own `search_path`. */
    readonly schema: string | undefined;
    /** Maximum connections. */
    readonly pool: number;
    /** True to prepare statements once and keep them; some poolers that share connections do not support it. */
    readonly isPreparing: boolean;
}
/**
 * Parses `postgres://user:password@host:port,host:port/name?schema=…&pool=…&sslmode=…`. Missing parts come
 * from `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE`.
 *
 * @throws DATABASE_URL_UNSUPPORTED, naming the fault but never the password.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html section 34.1.1.2
 */
export declare function parsePostgresUrl(text: string): PostgresTarget;
