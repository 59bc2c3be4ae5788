import type { Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { type ConnectionFigures } from './connections.ts';
import type { Dispatch } from './dispatch.ts';
import type { Lifecycle } from './exchange.ts';
import { type ListenAddress } from './listen.ts';
export interface ServerOptions {
    readonly dispatch: Dispatch;
    readonly clock: Clock;
    /** Shared with the dispatch. */
    readonly lifecycle: Lifecycle;
    /** Maximum number of connections; fewer if the process may open fewer files. Default 4096. */
    readonly connections?: number;
    /** Behind a proxy idle connections are kept 65 s, longer than proxies keep theirs; otherwise 5 s. */
    readonly isProxied?: boolean;
    /** Maximum requests per connection; 0, the default, means no limit. */
    readonly maxRequestsPerSocket?: number;
    /** Milliseconds that an idle connection stays open during shutdown, for a request in transit. Default 0. */
    readonly idleMs?: number;
    /** Called to end long-lived connections, such as live reload. */
    readonly onStopping?: () => void;
}
export interface TreadleServer {
    readonly connections: ConnectionFigures;
    /**
     * Listens and returns the URL, such as `http://127.0.0.1:3000`. Port 0 picks a free port.
     *
     * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
     */
    listen(address: ListenAddress): Promise<string>;
    /** Serves connections that another process accepted, instead of listening; returns a function that takes one. */
    attach(): (socket: Socket) => void;
    /**
     * Shuts down: accepts no more connections, closes each connection after its answer, and resolves when the requests
     * in flight have ended. After `graceMs` it destroys the rest. A second call destroys all at once.
     *
     * @param graceMs Default 8,000.
     */
    close(graceMs?: number): Promise<void>;
}
/** The HTTP server: polka around one handler, with limits on what a slow or greedy client can occupy. */
export declare function createServer(options: ServerOptions): TreadleServer;
