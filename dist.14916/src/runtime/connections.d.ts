import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { type Take } from './pipeline.ts';
export interface ConnectionsOptions {
    readonly clock: Clock;
    /** Maximum number of connections. */
    readonly most: number;
    /** Answers a request. */
    readonly take: Take;
}
/** Figures of the connections, for operators; `closed` and `refused` count from the start. */
export interface ConnectionFigures {
    readonly open: number;
    readonly most: number;
    /** Closed because they sent nothing, read nothing, or were idle when another one needed the room. */
    readonly closed: number;
    /** Refused because all others were busy. */
    readonly refused: number;
}
/**
 * The connections of a server: their number, their requests in progress, and which are closed because they
 * are idle or slow.
 */
export declare class Connections {
    #private;
    constructor(options: ConnectionsOptions);
    get figures(): ConnectionFigures;
    /** Starts watching a server. */
    watch(server: Server): void;
    /** Answers a request, or holds it until the earlier ones on its connection are answered. */
    take(req: IncomingMessage, res: ServerResponse): void;
}
