import { Bus } from '../core/bus.ts';
import { type Problem } from '../core/errors.ts';
import type { HookModel } from '../model/model.ts';
import type { Life } from '../project/life.ts';
import type { Package } from './app.ts';
import type { CallPlan, Context } from './feature.ts';
/** When a listener runs, other than before an event's own behaviour. */
export type Phase = 'after' | 'committed';
/** A listener added by the project's own code. */
export interface Registered {
    /** A name, a pattern, a regular expression's source, or a route such as `GET /articles`. */
    readonly event: string;
    readonly priority: number;
    /** The function's name; empty if anonymous. With {@link isNamed}, the event to emit. */
    readonly name: string;
    /** True if the code gave the name of an event instead of a function. */
    readonly isNamed: boolean;
    /** `file:line` relative to the project's root; undefined if the stack does not show it. */
    readonly place: string | undefined;
    /** Undefined: before. */
    readonly phase?: Phase;
}
/**
 * Everything that a project's own code registers while it loads: one per plan, closed when loading ends.
 *
 * The context exists only after activation, so that loading needs no database.
 */
export interface Draft {
    readonly bus: Bus;
    readonly calls: CallPlan[];
    readonly hooks: HookModel[];
    readonly packages: Map<string, Package>;
    /** Every listener of the project's own code, in order of registration, with its place. */
    readonly registered: Registered[];
    /** Mistakes in the arguments of what the code registered. */
    readonly problems: Problem[];
    /** What the project's code started while it loaded. */
    readonly life: Life | undefined;
    /** The active context. @throws PLAN_NOT_ACTIVE while the project's code is being loaded. */
    context(): Context;
    activate(context: Context): void;
    /** Ends loading; later registrations throw. */
    close(): void;
    /** @throws PLAN_CLOSED once loading has ended. */
    checkOpen(what: string): void;
}
export declare function createDraft(life?: Life): Draft;
