import { Followers } from './followers.ts';
import { type Pattern } from './pattern.ts';
import type { Request } from './request.ts';
import type { Response } from './response.ts';
/**
 * Arguments of a listener besides request and response: the event's full name and the captures of its
 * pattern.
 */
export interface Meta {
    readonly event: string;
    readonly variables: readonly string[];
}
/** Returning `false`, or setting an error, stops the later listeners. */
export type Listener = (request: Request, response: Response, meta: Meta) => unknown;
/** All listeners ran; one stopped the others; there is no listener. */
export declare const EMITTED: {
    readonly complete: 200;
    readonly incomplete: 308;
    readonly unheard: 404;
};
export type Emitted = (typeof EMITTED)[keyof typeof EMITTED];
/** Report to a trace about each listener that ran. */
export interface TraceEntry {
    readonly event: string;
    readonly listener: string;
    readonly isStopped: boolean;
}
interface Entry {
    readonly event: string;
    readonly listener: Listener;
    readonly priority: number;
    /** Treadle's own listeners run after all others. */
    readonly isOwn: boolean;
    readonly order: number;
    readonly test: RegExp | undefined;
    readonly route: {
        readonly method: string;
        readonly pattern: Pattern;
    } | undefined;
    /** Name for stack traces and lists of listeners. */
    readonly name: string;
}
/** The listeners of an event, in order. */
export interface Heard {
    readonly entries: readonly Entry[];
    /** For a route event: the most specific matching pattern, such as `/article/:article_id`. */
    readonly route: string | undefined;
}
export interface ListenerInfo {
    readonly event: string;
    readonly priority: number;
    readonly isOwn: boolean;
    readonly name: string;
}
/**
 * Event bus: named events, patterns and routes; listeners run in order of priority.
 * A route is an event named `METHOD /path`. Higher priority first; for routes of equal priority the more
 * specific first; then in order of registration; Treadle's own always last. After {@link Bus.freeze} adding
 * a listener throws.
 */
export declare class Bus {
    #private;
    /** The listeners that run after an event's own behaviour. */
    readonly followers: Followers;
    /**
     * Adds a listener and returns a function that removes it.
     * @param event A name, a name pattern (`system-model-*`, `%s-created`), a regular expression, a route
     *   (`GET /article/:article_id`, `ALL /x/*`), or a list of these.
     * @param priority Higher runs first. Default 0.
     * @throws BUS_FROZEN after loading.
     */
    on(event: string | RegExp | readonly (string | RegExp)[], listener: Listener, priority?: number, isOwn?: boolean): () => void;
    /** Ends loading: no more listeners can be added. */
    freeze(): void;
    /** Calls back for each listener that ran; returns a function that ends the trace. */
    trace(callback: (entry: TraceEntry) => void): () => void;
    /** All listeners, in the order in which they run. */
    list(): ListenerInfo[];
    /** The methods with a route for a path; empty if there is no route. */
    methods(path: string): string[];
    /** Whether the event has a listener, before or after. For a route event, whether a route matches. */
    hears(event: string): boolean;
    /** The listeners of an event; undefined if there are none. */
    find(event: string): Heard | undefined;
    /**
     * Whether only Treadle's own listeners hear an event: its response then depends on data and definitions
     * alone.
     */
    isOwn(event: string): boolean;
    /**
     * Emits an event to its listeners in turn.
     * Once a route's listener has answered (content, stream, redirect), listeners of priority 0, of less
     * specific patterns, and Treadle's own are skipped, so that a page is not answered twice. Listeners with
     * another priority still run.
     */
    emit(event: string, request: Request, response: Response): Promise<Emitted>;
}
export {};
