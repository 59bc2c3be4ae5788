import type { Clock } from '../../core/clock.ts';
/** A connection in use. */
interface Pending {
    readonly isBusy: boolean;
    /** Checks since its statement was sent. */
    age: number;
}
/**
 * `answered`: the server responded, even if only to say that it is full. `refused`: the network reports at
 * once that there is none.
 */
export type Answer = 'answered' | 'refused' | 'silent';
export interface LivenessOptions {
    readonly clock: Clock;
    readonly pending: ReadonlySet<Pending>;
    /** Pings the server on a separate connection; never rejects. */
    readonly ping: () => Promise<Answer>;
    /** Called once when the server stops responding, to tell everybody who waits for it. */
    readonly silent: () => void;
    /** Called when it responds again. */
    readonly answering: () => void;
}
/**
 * Detects a server that keeps its connections open but does not answer: stopped, frozen, or behind a cut
 * wire. After a statement has waited a while, it pings on a second connection. If that is answered, or any
 * other connection receives data, the statement is merely slow and continues.
 */
export declare class Liveness {
    #private;
    constructor(options: LivenessOptions);
    get isSilent(): boolean;
    /** Records data from the server. */
    heard(): void;
    /** Starts the checks, which continue while a connection is in use. */
    watch(): void;
    /** A new connection timed out: pings at once. */
    suspect(): void;
    close(): void;
}
export {};
