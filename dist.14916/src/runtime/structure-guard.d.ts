import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Context } from '../plan/feature.ts';
/**
 * Handles statements that failed because a table or column is missing. If the tables no longer fit the plan, the
 * request is answered with 503, and the remedy is logged once.
 */
export declare class StructureGuard {
    #private;
    constructor(log: Log, clock: Clock);
    /** The error to answer with: the given one, unless the tables no longer fit. */
    explain(error: unknown, context: Context): Promise<unknown>;
}
