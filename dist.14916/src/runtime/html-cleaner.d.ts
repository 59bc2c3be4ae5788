import { Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { type HtmlCleaner } from '../model/field-kind-row.ts';
export interface HtmlTask {
    readonly id: number;
    readonly html: string;
}
/** Result of a task: the text, why the client must change it, or an internal error. */
export type HtmlAnswer = {
    readonly id: number;
    readonly clean: string;
} | {
    readonly id: number;
    readonly refused: string;
} | {
    readonly id: number;
    readonly failed: string;
};
export interface ThreadOptions {
    readonly clock: Clock;
    readonly log: Log;
    /** Default: the built bin/html-worker.ts. */
    readonly start?: () => Worker;
}
/**
 * Sanitizes long HTML in one separate thread, one text after the other, so that it does not block other requests. The
 * thread starts with the first text and ends after a while without one; a text that takes too long ends with its
 * thread.
 */
export declare class ThreadCleaner implements HtmlCleaner {
    #private;
    constructor(options: ThreadOptions);
    /** @throws {@link ValueRefused}. @throws HTML_CLEANER_BUSY (503) if texts of 4 million characters are waiting. */
    clean(html: string): Promise<string>;
    /** Ends the thread; waiting texts fail. */
    close(): Promise<void>;
}
/** The thread; undefined when run from source, where nothing is built and HTML is sanitized on the event loop. */
export declare function createHtmlCleaner(options: ThreadOptions): ThreadCleaner | undefined;
