import { type HookMessage } from '../../model/hook-message.ts';
import type { HookModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
/** The format of an event, as saved with it; both null for `standard`. */
export interface Written {
    readonly format: string | null;
    /** Public address of the site when the event happened. */
    readonly source: string | null;
}
/**
 * The format saved with an event, so that every attempt sends the same bytes, even if the hook's format or
 * the site's address changes before a replay.
 */
export declare function toWritten({ services }: Context, { definition }: HookModel): Written;
/** An event, as in its row or that of a delivery. */
export interface EventFacts extends Written {
    readonly event_id: string;
    readonly sequence: number;
    readonly type: string;
    readonly data: string;
    /** Unix seconds. */
    readonly event_at: number;
}
/** The exact text to sign and send, equal for all attempts, and the headers of its format. */
export declare const toMessage: (row: EventFacts) => HookMessage;
