import type { Database } from '../../../database/database.ts';
/** Responses to an app within an hour. */
export interface Traffic {
    readonly appId: number;
    /** Start of the hour in unix seconds. */
    readonly hour: number;
    /** Statuses below 400. */
    readonly succeeded: number;
    /** 400 to 499. */
    readonly refused: number;
    /** 500 and more. */
    readonly failed: number;
    /** Unix second of the last one. */
    readonly lastAt: number;
}
/** Adds counts to their hours; skips removed apps. Call it in a write. */
export declare function addTraffic({ kysely }: Database, counts: readonly Traffic[]): Promise<void>;
/** Counts of an app since a time, oldest first. */
export declare function findTraffic({ kysely }: Database, appId: number, since: number): Promise<Traffic[]>;
/** For the list of apps: requests since a time, and the time of the last one. */
export declare function sumTraffic({ kysely }: Database, appIds: readonly number[], since: number): Promise<Map<number, {
    readonly count: number;
    readonly lastAt: number;
}>>;
/** Whether there are hours before this time, without a write. */
export declare function hasOldTraffic({ kysely }: Database, before: number): Promise<boolean>;
/** Deletes hours before this time. */
export declare function deleteOldTraffic({ kysely }: Database, before: number): Promise<void>;
