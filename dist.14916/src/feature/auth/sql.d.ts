import type { Database, Row } from '../../database/database.ts';
export declare const AUTH = "treadle_auth";
export type AuthRow = Row & {
    readonly auth_id: number;
    readonly auth_slug: string;
    readonly auth_password: string;
    readonly auth_type: string;
    readonly auth_active: number;
    readonly auth_verified: number;
    /** 1 if the account was made while `auth.verify` was on: only such an account must be verified to log in. */
    readonly auth_verify: number;
    /** Kinds of second factors, such as `totp,passkey`; empty: the password is enough. */
    readonly auth_second_factor: string;
    readonly profile_id: number;
};
/** True if the account has a password; one that a provider made has none until its user sets one. */
export declare const hasPassword: (auth: AuthRow) => boolean;
export interface NewAuth {
    readonly slug: string;
    readonly password: string;
    readonly type: string;
    readonly isActive: boolean;
    readonly isVerified: boolean;
    readonly mustVerify: boolean;
    readonly profileId: number;
    /** `YYYY-MM-DD HH:MM:SS`. */
    readonly stamp: string;
}
export declare function findAuth({ kysely }: Database, column: 'auth_id' | 'auth_slug', value: number | string): Promise<AuthRow | undefined>;
/** Keeps others from changing an account until the transaction ends. */
export declare function lockAuth(database: Database, authId: number): Promise<void>;
export declare function findProfile({ kysely }: Database, profileId: number): Promise<Row | undefined>;
/** The new row; undefined if the e-mail is taken, even by a concurrent sign-up. */
export declare function insertAuth({ kysely }: Database, auth: NewAuth): Promise<AuthRow | undefined>;
export declare function updateAuth({ kysely }: Database, authId: number, changes: Row): Promise<AuthRow | undefined>;
/** The different values of `auth_type` of active accounts. */
export declare function listTypes({ kysely }: Database): Promise<string[]>;
export declare function deleteAuth({ kysely }: Database, authId: number): Promise<void>;
export interface AuthSearch {
    readonly words: string;
    readonly active: 0 | 1 | undefined;
    readonly limit: number;
    readonly offset: number;
}
/** Accounts with their profiles, oldest first, and the total number. */
export declare function searchAuth({ kysely }: Database, { words, active, limit, offset }: AuthSearch): Promise<{
    rows: Row[];
    total: number;
}>;
