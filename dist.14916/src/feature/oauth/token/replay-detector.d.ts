import type { Row } from '../../../database/database.ts';
import type { Services } from '../../../plan/feature.ts';
/** When an exchange arrived, before it touched the database. */
export interface Arrival {
    /** Position among all arrivals and commits of this process: orders events within a millisecond. */
    readonly order: number;
    /** Milliseconds of the clock. */
    readonly at: number;
}
/** Distinguishes an exchange that lost a race from a replay: a replay arrives after the winner's commit. */
export interface ReplayDetector {
    arrive(codeHash: string): Arrival;
    /** Records that an exchange has consumed a code and will commit: until then later requests lost a race. */
    hold(codeHash: string): void;
    /** Removes the hold of a failed transaction. */
    release(codeHash: string): void;
    /** Records the commit, after every request that the kernel had received by then. */
    commit(codeHash: string): Promise<void>;
    isReplay(code: Row, arrival: Arrival): boolean;
}
/** One per services, so that a reload between two exchanges of a code changes nothing. */
export declare const findReplayDetector: (key: Services) => ReplayDetector;
