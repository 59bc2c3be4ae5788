import type { Clock } from '../core/clock.ts';
import type { Lifecycle } from './exchange.ts';
/**
 * The time between the signal to stop and the shutdown: readiness answers 503, so that load balancers send requests
 * elsewhere.
 */
export declare class DrainDelay {
    #private;
    constructor(lifecycle: Lifecycle, clock: Clock);
    /** Readiness answers 503 from now on; all other requests are still served. */
    tell(): void;
    /** Fails readiness and waits so many seconds; returns at once if readiness already fails. */
    wait(seconds: number): Promise<void>;
    /** Ends the wait. */
    hurry(): void;
}
