import type { Client } from 'pg';
import type { Clock } from '../../core/clock.ts';
import { type SessionTarget } from './session-target.ts';
/** One server of the URL; missing parts come from `PGHOST` and `PGPORT`. */
export interface Host {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
}
export interface HostsOptions {
    readonly hosts: readonly Host[];
    readonly target: SessionTarget;
    readonly clock: Clock;
    /** Creates a client for one host, not yet connected, with a connection time-out. */
    readonly createClient: (host: Host) => Client;
}
/**
 * Chooses the server of the URL. If there are several, asks all at once and takes the first in the URL's
 * order that fits `target_session_attrs`; asks again after a loss.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html section 34.1.1.3
 */
export declare class Hosts {
    #private;
    constructor(options: HostsOptions);
    get isSeveral(): boolean;
    get current(): Host;
    /**
     * What a connection to the chosen server must offer. A standby that is only preferred is no requirement.
     */
    get target(): SessionTarget;
    /** The chosen server was lost or changed its role: asks all servers before the next connection. */
    forget(): void;
    /** Resolves at once if a server is already chosen. @throws the error of the first host if none fits. */
    find(): Promise<void> | undefined;
}
