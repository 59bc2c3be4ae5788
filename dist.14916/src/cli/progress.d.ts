import type { Terminal } from './terminal.ts';
export interface Progress {
    /** Adds to the completed amount. */
    advance(amount: number): void;
    /** Adds to the number of completed rows. */
    count(rows: number): void;
    /** Removes the line. */
    end(): void;
}
/**
 * A line with a bar, the rate and the time left, on standard error, only on a terminal.
 *
 * @param total The total for {@link Progress.advance}: bytes of a file, or rows. Without it there is no bar.
 * @param now Milliseconds, from any start.
 */
export declare function createProgress(terminal: Pick<Terminal, 'progress'>, label: string, total: number | undefined, now?: () => number): Progress;
