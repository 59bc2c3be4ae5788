import type { Follower } from '../core/followers.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import { type WorkWatch } from './work-watch.ts';
/** Thrown to roll back a change that an `after` listener refused on its response; caught by the emit. */
export declare class TakenBack extends Error {
    readonly response: Response;
    constructor(response: Response);
}
type Values = Readonly<Record<string, unknown>>;
/**
 * Runs the listeners that follow an event, inside its transaction.
 *
 * @returns What they changed in the results.
 * @throws TakenBack if one of them set an error.
 */
export declare function follow(followers: readonly Follower[], given: {
    readonly event: string;
    readonly request: Request;
    readonly response: Response;
}, watching: WorkWatch): Promise<Values>;
export {};
