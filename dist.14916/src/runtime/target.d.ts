import type { Context } from '../plan/feature.ts';
/** What answers a request: a route's event, or the methods that its path allows instead. */
export type Target = {
    readonly event: string;
    readonly route: string | undefined;
} | {
    readonly allow: readonly string[];
};
export declare function findTarget(context: Context, method: string, path: string): Target;
