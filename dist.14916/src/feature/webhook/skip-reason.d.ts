import { findHookApps } from './hook-app.ts';
import type { Outbox } from './outbox.ts';
/** The receiver of a delivery, as in the log. */
export interface LoggedReceiver {
    readonly hook: string;
    readonly url: string;
    /** Null for the hook's own address. */
    readonly client_id: string | null;
}
/** Why nothing is sent to a receiver, as a sentence; undefined if it may receive. */
export type FindSkipReason = (to: LoggedReceiver) => string | undefined;
/**
 * Finds the apps that may receive nothing now, so that a replay skips them. Others are checked when sent
 * to: a removed app, and for `"audience": "user"` an app without consent.
 * @param stage Limits the apps: `owner`, `app_id`, `client_id`.
 */
export declare function compileSkipReasons({ context, findHook }: Outbox, stage?: Parameters<typeof findHookApps>[1]): Promise<FindSkipReason>;
