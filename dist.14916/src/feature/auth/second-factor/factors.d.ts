import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Row } from '../../../database/database.ts';
import type { Context, Services } from '../../../plan/feature.ts';
import { type AuthRow } from '../sql.ts';
export interface Pair {
    readonly request: Request;
    readonly response: Response;
}
/** The account that a stage selects, unless a call asks: second factors are changed on pages and the command line only. */
export declare function findOwner(context: Context, { request, response }: Pair): Promise<AuthRow | undefined>;
export interface FactorChange {
    readonly event: string;
    /** Template of the mail that tells the user. */
    readonly mail: 'auth-factor-added' | 'auth-factor-removed';
    /** The factor in words, for the mail. */
    readonly factor: string;
    /** Changes the rows; false if there is nothing to change. */
    readonly write: () => Promise<boolean>;
}
export interface Changed {
    readonly account: Row;
    /** New recovery codes, if the account got its first factor. */
    readonly codes: readonly string[] | undefined;
}
/** Mails the account what happened to its second factors; nothing without a mail server. */
export declare function tellOwner(context: Context, response: Response, { auth, template, data }: {
    readonly auth: AuthRow;
    readonly template: string;
    readonly data: Row;
}): Promise<void>;
/**
 * Adds or removes factors of an account in one transaction, with the mail that tells its owner. A removal takes the trust
 * from all devices.
 * @returns undefined if there was nothing to change.
 */
export declare function changeFactors(context: Context, { request, response }: Pair, { auth, change }: {
    readonly auth: AuthRow;
    readonly change: FactorChange;
}): Promise<Changed | undefined>;
/** Deletes all factors of an account; false if it has none. Runs inside {@link changeFactors}. */
export declare function deleteAll({ database: { kysely } }: Services, authId: number): Promise<boolean>;
/** The seed of an account's authenticator app, still sealed. */
export declare function findTotp({ database }: Services, authId: number): Promise<Row | undefined>;
/** Stores the seed of an authenticator app in place of another one. */
export declare function saveTotp({ database, clock, secret }: Services, { authId, seed, step }: {
    readonly authId: number;
    readonly seed: string;
    readonly step: number;
}): Promise<void>;
export declare function deleteTotp({ database }: Services, authId: number): Promise<boolean>;
/** Takes a time step, if neither it nor a later one was taken; of two requests with one code, one gets true. */
export declare function takeStep({ database, clock }: Services, authId: number, step: number): Promise<boolean>;
