import type { Database, SystemTable } from '../../database/database.ts';
import type { Services } from '../../plan/feature.ts';
/** The purpose of a mailed link, or of the `state` sent to a sign-in provider: its token is valid for nothing else. */
export type Purpose = 'recover' | 'verify' | 'invite' | 'email' | 'setup' | 'provider';
/** Seconds that a link is valid. */
export declare const LINK_SECONDS: Readonly<Record<Purpose, number>>;
/** In place of an account: the link makes one. */
export declare const NOBODY_ID = 0;
/** Tokens of mailed links, stored as SHA-256, so that a copy of the table is useless. */
export declare const mailTokenTable: SystemTable;
export interface MailToken {
    readonly key: string;
    readonly purpose: Purpose;
    readonly auth_id: number;
    /** The new address for `email`, the flow for `provider`. */
    readonly data: string | undefined;
}
/** Creates a token for an account and removes the account's expired ones. Returns the text for the link. */
export declare function issueToken({ database, clock, random, secret }: Services, purpose: Purpose, authId: number, data?: string): Promise<string>;
/** The token of a link if it still works for one of the purposes. */
export declare function findToken({ database, clock, secret }: Services, text: unknown, ...purposes: readonly Purpose[]): Promise<MailToken | undefined>;
/** Uses up a token, inside the write that it allows. False if another request was faster. */
export declare function takeToken({ kysely }: Database, { key }: MailToken): Promise<boolean>;
/** Removes every token of an account, because its password or address changed. */
export declare function removeTokens({ kysely }: Database, authId: number): Promise<void>;
