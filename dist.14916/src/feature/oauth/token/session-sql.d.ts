import type { Database, Row } from '../../../database/database.ts';
/** Sessions on one page of the developer section. */
export declare const SESSION_ROWS = 50;
/** Which of an app's sessions. */
export interface SessionWish {
    readonly appId: number;
    readonly now: number;
    /** Only lower ids: the next page. */
    readonly before?: number;
}
/**
 * Sessions of an app: consents with a valid token, newest first, with the user's name, last use and expiry.
 * One more than {@link SESSION_ROWS}, which tells whether there is a next page.
 */
export declare function findSessions({ kysely }: Database, { appId, now, before }: SessionWish): Promise<Row[]>;
/** Number of an app's current sessions. */
export declare function countSessions({ kysely }: Database, appId: number, now: number): Promise<number>;
/**
 * Ends one session of an app, or all including the app's own tokens; returns the number. Call it in a
 * write.
 */
export declare function revokeSessions({ kysely }: Database, { appId, grantId, now }: {
    readonly appId: number;
    readonly grantId: number | undefined;
    readonly now: number;
}): Promise<number>;
/** Gives an app a secret for trying the flow. */
export declare function setTrial({ kysely }: Database, appId: number, trial: {
    readonly hash: string;
    readonly until: number;
}): Promise<void>;
