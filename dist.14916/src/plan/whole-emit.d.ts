import type { CompiledPlan } from './compile.ts';
import type { Context, Services } from './feature.ts';
/** The events that something must commit with. */
export interface Hooked {
    /** Whether a web hook fires on the event, by name or by pattern. */
    fires(event: string): boolean;
    /** Whether a web hook names the event itself, so that the event needs no listener. */
    names(event: string): boolean;
}
/** Patterns never match events that only read, so these need no transaction. */
export declare function compileHooked({ hooks, events: known }: CompiledPlan): Hooked;
/**
 * Creates the `write` of a context. A write that an `after` listener follows has a transaction of its own; all others keep
 * the shared commit.
 */
export declare function createWrite({ bus }: CompiledPlan, services: Services): Context['write'];
/** Emits an event with what follows and what commits with it. An error of an `after` listener takes the change back. */
export declare function createWholeEmit(context: Context, hooked: Hooked): Context['emit'];
