import type { AccessLog } from './access-log.ts';
import type { Exchange, Lifecycle } from './exchange.ts';
export interface StaticOptions {
    /** Absolute path of the project's `public/`; the folder may be absent. */
    readonly folder: string;
    /** If true, checks the disk for each request; otherwise the folder is scanned once. */
    readonly isDevelopment: boolean;
    readonly lifecycle: Lifecycle;
    readonly accessLog: AccessLog | undefined;
}
/** True if the last segment has an extension: the path is then looked up among the files before the routes. */
export declare const hasExtension: (path: string) => boolean;
/**
 * Serves `public/` with sirv: GET and HEAD, with ETag. A file that is missing, unreadable, hidden or linked out of
 * the folder is not passed to sirv, because its stream would end the process. Returns true if it answered.
 */
export declare function createStatics(options: StaticOptions): (exchange: Exchange) => boolean;
