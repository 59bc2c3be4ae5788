import type { Listener } from '../core/bus.ts';
import type { AfterOptions } from './app.ts';
import type { Draft } from './draft.ts';
interface Wish {
    readonly event: string | RegExp;
    readonly options: AfterOptions;
    readonly listener: Listener | undefined;
    readonly place: string | undefined;
}
/** Adds a listener that follows an event, and returns it. @throws PLAN_CLOSED, LISTENER_INVALID */
export declare function addFollower(draft: Draft, { event, options, listener, place }: Wish): Listener;
export {};
