/** A caller that waits for a turn. */
export interface Asker {
    /** Callers with the same key wait for each other; keys take turns. */
    readonly key: string;
    /**
     * `holding` goes first, because others wait for what it holds, such as a transaction. `known` and
     * `stranger` alternate, so that neither waits for all of the other.
     */
    readonly lane: Lane;
    /**
     * When it began to wait, in milliseconds of the turns' own clock. Default now: a request may need several
     * turns.
     */
    readonly since?: number;
    /** Whether the client has disconnected: then its turn is dropped. */
    readonly isGone?: () => boolean;
}
export type Lane = 'holding' | 'known' | 'stranger';
export interface TurnsOptions {
    /** Tasks that run at once. */
    readonly parallel: number;
    /** Initial estimate for the duration of a task. */
    readonly usualMilliseconds: number;
    /** Milliseconds of a monotonic clock. */
    readonly now: () => number;
    /** Creates the error for a caller that is refused. */
    readonly toBusy: (retrySeconds: number) => Error;
}
/** Figures for operators. */
export interface TurnsFigures {
    readonly waiting: number;
    readonly running: number;
    /** Moving average of a task's duration. */
    readonly taskMilliseconds: number;
    /** Refused since the process started. */
    readonly refused: number;
    /** Dropped because the client had disconnected. */
    readonly dropped: number;
}
/**
 * Runs expensive tasks, a few at a time. The key with the least recent usage goes first, so that a newcomer
 * waits for one task and not for a flood. Callers are refused because of the expected wait, never because
 * of the key alone.
 */
export declare class Turns {
    #private;
    constructor(options: TurnsOptions);
    get figures(): TurnsFigures;
    /**
     * Runs a task when its turn comes.
     * @throws The error of `toBusy` if the wait would exceed 10 s, or has reached 25 s. @throws ClientGone if
     *   the client has disconnected.
     */
    take<T>(asker: Asker, task: () => Promise<T>): Promise<T>;
}
