import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
export type Take = (req: IncomingMessage, res: ServerResponse) => void;
export interface PipelineOptions {
    /** The answer in progress when a second request arrived. */
    readonly first: ServerResponse;
    readonly socket: Socket;
    readonly take: Take;
    /** For all connections: held requests, and requests in progress ahead of another on their connection. */
    readonly count: {
        held: number;
        ahead: number;
    };
    /** Called when all are answered. */
    readonly over: () => void;
}
/**
 * Requests that arrived on one connection without waiting for earlier answers. A few are answered at a time, so that
 * one connection cannot occupy the server, and too many end the connection.
 *
 * @see RFC 9112 section 9.3.2: after the connection closes, a client repeats unanswered requests.
 */
export declare class Pipeline {
    #private;
    constructor(options: PipelineOptions);
    add(req: IncomingMessage, res: ServerResponse): void;
    /** Bytes of complete but unsent answers. */
    get unsentBytes(): number;
    /** The connection is closed: waiting requests are not started. */
    drop(): void;
}
