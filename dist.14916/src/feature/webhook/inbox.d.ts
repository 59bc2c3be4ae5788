import type { Pair } from '../../developer/frame.ts';
import type { Context } from '../../plan/feature.ts';
export declare const INBOX = "/developer/webhooks/inbox";
/** The page, or only its list with `part=list`, which the page's script polls. */
export declare function openInbox(context: Context, pair: Pair): Promise<void>;
/** Replays an event to all its receivers, or fires a trial event of a hook. */
export declare function postInbox(context: Context, pair: Pair): Promise<void>;
