import type { Terminal } from './terminal.ts';
export interface StrayOptions {
    readonly terminal: Terminal;
    /** Project root. @throws if there is no project. */
    readonly root: () => string;
}
/**
 * Prints one line for an error that nothing awaits, such as an emit at the top of a controller, in place of Node's dump
 * of the bundled program. `dev` and `start` have a guard of their own: `CrashGuard`.
 */
export declare class StrayErrors {
    #private;
    /** True if an error was printed: the command has not succeeded. */
    isFound: boolean;
    constructor(options: StrayOptions);
    /** Restores Node's default handling. */
    release(): void;
}
