import { type Clock } from '../core/clock.ts';
/** Requests that began between two calls of {@link Gate.passed}. */
interface Turn {
    inFlight: number;
    ended?: () => void;
}
/**
 * Holds new requests while the database changes in a way that is incompatible with the serving plan. Requests in
 * flight end first, and no request is refused.
 */
export declare class Gate {
    #private;
    constructor(clock: Clock);
    /** The promise that a new request awaits; undefined if the gate is open. */
    get closed(): Promise<void> | undefined;
    /** Returns what {@link leave} takes. */
    enter(): Turn;
    leave(turn?: Turn): void;
    /** Resolves when the requests that are in flight now have ended, after 5 s at most. Later ones do not count. */
    passed(): Promise<void>;
    /** Closes the gate; resolves when no request is in flight, after 5 s at most. */
    close(): Promise<void>;
    /** Releases waiting requests. Does nothing if the gate is open. */
    open(): void;
}
export {};
