import { type CompiledQuery } from 'kysely';
import type { Database, Row } from '../../database/database.ts';
import { type ClientApp } from './client/app-row.ts';
export declare function findApp({ kysely }: Database, column: 'client_id' | 'app_id', value: string | number): Promise<ClientApp | undefined>;
/** The current row, locked until the transaction ends. */
export declare function lockApp(database: Database, appId: number): Promise<ClientApp | undefined>;
export declare function findOwnApps({ kysely }: Database, authId: number): Promise<ClientApp[]>;
/** How many apps an account has registered itself. */
export declare function countOwnApps({ kysely }: Database, authId: number): Promise<number>;
export declare function findOwnerName({ kysely }: Database, authId: number): Promise<string | undefined>;
export declare function insertApp({ kysely }: Database, row: Row): Promise<ClientApp>;
export declare function updateApp({ kysely }: Database, appId: number, changes: Row): Promise<void>;
/** Suspends or resumes an app; an owner cannot change a suspended one. Returns whether it changed. */
export declare function setAppState({ kysely }: Database, appId: number, state: number, isOwner: boolean): Promise<boolean>;
/** Removes an app with its consents, codes and tokens. */
export declare function deleteApp({ kysely }: Database, appId: number): Promise<void>;
/** Creates or updates the row of a defined app. */
export declare function upsertApp({ kysely }: Database, row: Row): Promise<void>;
/**
 * Rows of apps that a file defines or once defined. Excludes a browser-registered app whose id a file is
 * about to take over.
 */
export declare function findFileApps({ kysely }: Database): Promise<Row[]>;
/** Suspends the apps whose definition files are gone. */
export declare function suspendOthers({ kysely }: Database, clientIds: readonly string[]): Promise<void>;
/** The scopes of a user's current consents to an app, as stored. */
export declare function findGrantedScopes({ kysely }: Database, authId: number, appId: number): Promise<unknown[]>;
export declare function insertGrant({ kysely }: Database, grant: Row): Promise<number>;
export declare function insertCode({ kysely }: Database, code: Row): Promise<void>;
/** A code, whether its user may still log in, and whether its consent is still valid. */
export declare function findCode({ kysely }: Database, codeHash: string): Promise<Row | undefined>;
/** The code of a user with its app's client id, for the page that shows it. */
export declare function findOwnCode({ kysely }: Database, codeHash: string, authId: number): Promise<string | undefined>;
/** Consumes a code: only one caller gets true. */
export declare function consumeCode({ kysely }: Database, codeHash: string, now: number): Promise<boolean>;
/** Counts a wrong verifier. */
export declare function countTry({ kysely }: Database, codeHash: string): Promise<void>;
export declare function markCommitted({ kysely }: Database, codeHash: string, now: number): Promise<void>;
export declare function insertToken({ kysely }: Database, token: Row): Promise<void>;
/** Records that a consent gives tokens now; false if it was revoked. Locks it until the transaction ends. */
export declare function touchGrant({ kysely }: Database, grantId: number, now: number): Promise<boolean>;
/**
 * A token of any kind, whether its user may still log in and its consent is valid; 1 and null without
 * either.
 */
export declare function findToken({ kysely }: Database, tokenHash: string): Promise<Row | undefined>;
/** Consumes a refresh token: only one caller gets true. */
export declare function consumeRefresh({ kysely }: Database, tokenHash: string, { now, seed }: {
    readonly now: number;
    readonly seed: string;
}): Promise<boolean>;
/** Revokes one token. */
export declare function revokeToken({ kysely }: Database, tokenHash: string, now: number): Promise<void>;
/** Revokes a consent with all its tokens. Locks the consent first, like {@link touchGrant}. */
export declare function revokeGrant({ kysely }: Database, grantId: number, now: number): Promise<void>;
/** Whether there are codes that ended more than a day ago. */
export declare function hasOldCodes({ kysely }: Database, now: number): Promise<boolean>;
/** Deletes codes a day after they end: until then a replay is recognized. */
export declare function deleteOldCodes({ kysely }: Database, now: number): Promise<void>;
export declare function markUsed({ kysely }: Database, hashes: readonly string[], now: number): Promise<void>;
export declare function findUser({ kysely }: Database, profileId: number): Promise<Row | undefined>;
export declare function findProfile({ kysely }: Database, profileId: number): Promise<Row | undefined>;
/** By client id, for each app call. Compiled once per plan; one parameter. */
export declare function compileAppSource({ kysely }: Database): CompiledQuery;
/** By token hash, for each call with a token. Compiled once per plan; one parameter. */
export declare function compileTokenSource({ kysely }: Database): CompiledQuery;
/** Redirect URIs of active public clients, as stored. */
export declare function findPublicRedirects({ kysely }: Database): Promise<unknown[]>;
/** Redirect URIs of each active app, as stored. */
export declare function findRedirects({ kysely }: Database): Promise<Row[]>;
