/**
 * Runs one command line as the whole process, and ends the process when the command is done: a timer, a pool or an open
 * socket in the project's code must not keep it alive.
 */
export declare function runProcess(argv: readonly string[]): Promise<void>;
