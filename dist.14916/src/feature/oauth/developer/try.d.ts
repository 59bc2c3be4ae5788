import type { Pair } from '../../../developer/frame.ts';
import type { Context } from '../../../plan/feature.ts';
export declare function openTry(context: Context, pair: Pair): Promise<void>;
/** Starts a trial: creates a short-lived secret, then shows the dialog as to any user. */
export declare function postTry(context: Context, pair: Pair): Promise<void>;
/** Exchanges the code with the token endpoint's own event, and makes the first call. */
export declare function postExchange(context: Context, pair: Pair): Promise<void>;
