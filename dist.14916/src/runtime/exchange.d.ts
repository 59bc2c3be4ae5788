import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '../core/access.ts';
import type { Clock, Random } from '../core/clock.ts';
import type { Caller } from '../core/scope.ts';
import type { Context, Door } from '../plan/feature.ts';
import type { OpenSession } from './session.ts';
/** One HTTP request and its answer. */
export interface Exchange extends Caller {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    /** Sent as `X-Request-Id`, and part of every log line. */
    readonly id: string;
    /** As requested; HEAD stays HEAD here. */
    readonly method: string;
    /** Without query, as in the request line. */
    readonly path: string;
    readonly query: string;
    /** Clock time in milliseconds. */
    readonly startedAt: number;
    readonly isSecure: boolean;
    /** The client's address; behind a trusted proxy, the one that the proxy reports. */
    readonly address: string;
    door: Door;
    /** The pattern of its route, or `static` for a file; undefined without either. Never the path itself. */
    route: string | undefined;
    /** True if errors have the format of RFC 6749 section 5.2. */
    isOAuth?: boolean | undefined;
    /** If true, nothing more may be written. */
    isDone: boolean;
    /** The opened session; absent until it was first needed. */
    session?: {
        readonly opened: OpenSession | undefined;
    };
    /** The caller's access, once it was read from the database. */
    access?: Access;
    /** A gate admitted it: no shared cache may keep the answer. */
    isGuarded?: boolean;
}
/** True if the client has closed its connection. */
export declare const isLeft: ({ req }: Exchange) => boolean;
/** Shared by the dispatch and the server. */
export interface Lifecycle {
    /** Readiness answers 503, so that load balancers send no more requests; others are still served. */
    isDraining?: boolean;
    /** Readiness answers 503, and each answer closes its connection. */
    isStopping: boolean;
    /** The name or address that the server listens on. */
    host?: string;
}
/** `development` reloads and shows errors; `test` is production without its log. */
declare const MODES: readonly ['development', 'production', 'test'];
export type Mode = (typeof MODES)[number];
/**
 * Creates request ids: a random prefix per process and a counter, because a random value per request costs more than
 * the rest.
 */
export declare function createRequestIds(random: Random): (given: string | string[] | undefined) => string;
interface OpenOptions {
    readonly context: Context;
    readonly clock: Clock;
    readonly newId: ReturnType<typeof createRequestIds>;
}
/** Creates the exchange of an incoming request. */
export declare function openExchange(req: IncomingMessage, res: ServerResponse, { context, clock, newId }: OpenOptions): Exchange;
export {};
