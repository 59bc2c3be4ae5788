import type { Server } from 'node:net';
export interface ListenAddress {
    /** 0 picks a free port. */
    readonly port: number;
    /** Default `127.0.0.1`. */
    readonly host?: string | undefined;
}
/** The host that a server listens on unless it is told another: this machine only. */
export declare const DEFAULT_HOST = "127.0.0.1";
/**
 * Starts listening and returns the URL.
 *
 * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
 */
export declare function listenOn(server: Server, { port, host }: ListenAddress): Promise<string>;
