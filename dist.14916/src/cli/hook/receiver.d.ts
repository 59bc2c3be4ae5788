import { type Application } from '../application.ts';
import { type Invocation, type OptionSpec } from '../spec.ts';
/** A receiver as `webhook-receiver-search` gives it; times in unix seconds. */
export interface Receiver {
    readonly hook: string;
    readonly url: string;
    readonly client_id: string | null;
    readonly state: string;
    /** Whether the app waits for the hook's approval: nothing is sent before. */
    readonly waiting: boolean;
    readonly failing_since: number | null;
    readonly disabled_at: number | null;
    readonly disabled_reason: string | null;
    readonly last_success_at: number | null;
    /** What came back last from one that fails: a status, or why there was none. */
    readonly last_status: number | null;
    readonly last_error: string | null;
    readonly queued: number;
    readonly missed: number;
}
/** Receivers that one search gives at most. */
export declare const RECEIVER_LIMIT = 100;
/** Which of a hook's receivers; all of them where neither is given. */
export declare const RECEIVER_OPTIONS: readonly OptionSpec[];
/** The flags, and the hook of the argument, as the events' stage. */
export declare function toReceiverStage(invocation: Invocation, options?: readonly OptionSpec[]): Promise<Record<string, string>>;
/** The receivers of a stage, at most {@link RECEIVER_LIMIT}. @throws CLI_EVENT_FAILED */
export declare const findReceivers: (app: Application, stage: Readonly<Record<string, string>>) => Promise<readonly Receiver[]>;
/** A receiver's URL and app. */
export declare const toReceiverText: ({ url, client_id: client }: Pick<Receiver, 'url' | 'client_id'>) => string;
/**
 * The receivers of one hook that the flags leave.
 *
 * @throws CLI_USAGE where there are none; it names what leaves none, and what there is.
 */
export declare function getReceivers(app: Application, stage: Readonly<Record<string, string>>): Promise<readonly Receiver[]>;
/** Why nothing was sent to a receiver of a hook that is disabled, and what sends to it again: one entry a line. */
export declare function toDisabledLines(off: Receiver): string[];
