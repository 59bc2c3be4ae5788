import { type PatternMatch } from '../../core/pattern.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { CallPlan } from '../../plan/feature.ts';
/** A listener, in calling order: the project's own by priority, then Treadle's. */
export interface Heard {
    readonly event: string;
    readonly by: 'project' | 'treadle';
    readonly name: string;
    readonly place: string | undefined;
    readonly priority: number;
}
export interface Found {
    /** As requested; HEAD is answered as GET. */
    readonly method: string;
    readonly path: string;
    readonly call: CallPlan | undefined;
    readonly match: PatternMatch;
    /** Matching routes, in calling order. */
    readonly routes: readonly (Heard & {
        readonly description: string;
    })[];
    /** Methods that the path supports. */
    readonly methods: readonly string[];
    /** A similar path, if no route matches. */
    readonly near: string | undefined;
}
interface RouteFacts extends Heard {
    readonly method: string;
    readonly path: string;
    readonly description: string;
}
/** Every route of a project and of Treadle, in no order. */
export declare function listRoutes(plan: CompiledPlan): RouteFacts[];
/** The routes of a method and path. */
export declare function findRoute(plan: CompiledPlan, asked: string, path: string): Found;
/** The listeners of an event. */
export declare function listListeners(plan: CompiledPlan, event: string): Heard[];
export {};
