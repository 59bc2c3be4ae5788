import type { Listener } from '../../core/bus.ts';
import type { Context } from '../../plan/feature.ts';
/** Answers whenever the process does. */
export declare const answerLive: Listener;
/** Names the failed checks and nothing else, because anybody may ask. The reasons are in the log. */
export declare function answerReady(context: Context): Listener;
