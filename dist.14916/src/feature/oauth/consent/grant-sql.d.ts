import type { Database, Row } from '../../../database/database.ts';
/**
 * A user's current consents: with a valid token, or of an app that need not ask again. Newest first, with
 * app, last use and expiry.
 */
export declare function findLiveGrants({ kysely }: Database, authId: number, now: number): Promise<Row[]>;
/**
 * The apps of a user's current consents, all or one, with the granted scopes and what the app still has.
 * Empty for a user who may not log in.
 */
export declare function findLiveScopes({ kysely }: Database, { profileId, clientId, now, }: {
    readonly profileId: number;
    readonly clientId: string | undefined;
    readonly now: number;
}): Promise<Row[]>;
/** Last use of any token, also an ended one, for each app of a user. */
export declare function findLastUses({ kysely }: Database, authId: number): Promise<Map<number, number>>;
/** Revokes all consents of a user, or those to one app, with their tokens; returns the number. */
export declare function revokeGrantsOf({ kysely }: Database, { authId, appId, now }: {
    readonly authId: number;
    readonly appId?: number;
    readonly now: number;
}): Promise<number>;
/** Deletes every consent, code and token of an account that is deleted, and suspends the apps that it owned. */
export declare function deleteOf({ kysely }: Database, authId: number): Promise<void>;
/** Number of a user's stored consents, including ended ones. */
export declare function countGrants({ kysely }: Database, authId: number): Promise<number>;
/** The current consents of a user to an app, except the newest. */
export declare function findSurplusGrants({ kysely }: Database, { authId, appId, kept }: {
    readonly authId: number;
    readonly appId: number;
    readonly kept: number;
}): Promise<number[]>;
/**
 * Consents of the day before or older without token or code, to apps that ask each time. Kept for a day, so
 * that reuse of a code or token is recognized.
 */
export declare function findOldGrants({ kysely }: Database, now: number): Promise<number[]>;
/** Deletes consents; returns whether there may be more. */
export declare function deleteGrants({ kysely }: Database, ids: readonly number[]): Promise<boolean>;
/**
 * Deletes codes and access tokens a day after they end, and refresh tokens once their consent can have no
 * valid token: until then reuse is recognized. Returns whether there may be more.
 */
export declare function tidy({ kysely }: Database, now: number, refreshSeconds: number): Promise<boolean>;
/** Whether anything is old enough to delete, without a write. */
export declare function hasOld({ kysely }: Database, now: number, refreshSeconds: number): Promise<boolean>;
