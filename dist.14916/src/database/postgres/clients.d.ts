import type { Client, ClientConfig } from 'pg';
import type { Host } from './hosts.ts';
export interface Clients {
    /** For the pool, which creates its clients itself: each connects to the host in use at that time. */
    readonly PooledClient: new () => Client;
    /** A client outside the pool, not yet connected, for this host or the one in use. */
    create(more?: ClientConfig, host?: Host): Client;
    /** Destroys every connection, including those being opened. */
    destroyAll(error: Error): void;
}
/** Creates the clients and tracks those that have a socket. */
export declare function createClients(Base: typeof Client, config: ClientConfig, current: () => Host): Clients;
