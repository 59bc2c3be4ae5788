import type { Clock, Random } from '../core/clock.ts';
import { type Problem } from '../core/errors.ts';
import type { Exchange } from './exchange.ts';
/** Live reload: notifies open pages of a new version, or of the problems that prevent one. */
export interface Development {
    /** Answers the two paths of live reload; returns false for any other path. */
    handle(exchange: Exchange): boolean;
    /** Adds the script to a page. */
    decorate(html: string): string;
    /**
     * Notifies every open page. Without problems they reload. With problems they show them over the last good version,
     * which is still served, until a call without problems.
     */
    notifyReload(problems?: readonly Problem[]): void;
    /** Ends the open streams, so that the server can close. */
    close(): void;
}
export interface DevelopmentOptions {
    readonly clock: Clock;
    readonly random: Random;
}
export declare function createDevelopment(options: DevelopmentOptions): Development;
