import type { Log } from '../core/log.ts';
import type { Worker } from '../plan/feature.ts';
import type { Life } from '../project/life.ts';
import type { Gate } from './gate.ts';
/** What a plan leaves behind when the next one is served. */
interface Retired {
    readonly workers: readonly Worker[];
    readonly life: Life | undefined;
    readonly gate: Gate;
    readonly log: Log;
}
/**
 * Ends what a former plan started: its timers at once, its workers, and once its requests have ended, what its code
 * opened. Never rejects.
 */
export declare function retire({ workers, life, gate, log }: Retired): Promise<void>;
export {};
