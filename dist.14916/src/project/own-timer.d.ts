/** The timer functions that the project's modules see instead of Node's. */
export interface OwnTimers {
    /** By name: parameters of each module. */
    readonly globals: Readonly<Record<(typeof TIMER_NAMES)[number], unknown>>;
    /** What `import … from 'node:timers'` gives. */
    readonly module: object;
    /** What `import … from 'node:timers/promises'` gives. */
    readonly promises: object;
    /** Holds callbacks until {@link resume}: loading has ended, and the code is not served yet. */
    pause(): void;
    resume(): void;
    /** Clears everything that still waits. */
    end(): void;
}
export declare const TIMER_NAMES: readonly ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'];
/** @param isOwn Whether the running code belongs to the load: it runs while the project loads, or in such a timer. */
export declare function createOwnTimers(isOwn: () => boolean): OwnTimers;
