export interface SignalOptions {
    /** Requests shutdown, as SIGTERM does. */
    readonly signal: AbortSignal | undefined;
    readonly exit: (code: number) => void;
    /** True if npm started the process: npm sends SIGTERM only to its shell, which exits without notice. */
    readonly isByNpm: boolean;
}
/**
 * Handles the signals that stop a server: the first requests an orderly shutdown, the second ends the process at
 * once.
 */
export declare class Signals {
    #private;
    readonly asked: Promise<void>;
    constructor(options: SignalOptions);
    /** Removes the handlers. */
    release(): void;
}
