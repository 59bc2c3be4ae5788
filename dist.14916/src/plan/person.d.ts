import type { Model } from '../model/model.ts';
import type { Context } from './feature.ts';
/** A person with an account, as currently stored: a session may be older than a change of roles. */
export interface Person {
    readonly authId: number;
    readonly profileId?: number;
    /** Slugs of the roles that open something to the person now. */
    readonly roles: readonly string[];
    /** Slugs of roles that open nothing before the account has a second factor. */
    readonly waiting?: readonly string[];
    /** The account and its profile, without secrets. */
    readonly row: Readonly<Record<string, unknown>>;
}
/** Whether an account has a second factor. `auth_second_factor` lists its kinds. */
export declare const hasSecondFactor: ({ auth_second_factor: kinds }: Readonly<Record<string, unknown>>) => boolean;
/** Maps a row of an account, of a session or of the database to a person; undefined if it is no account. */
export declare function toPerson(model: Pick<Model, 'roles'>, row: Readonly<Record<string, unknown>>): Person | undefined;
/**
 * Reads a person; undefined if the account is deleted or disabled. Without the auth feature the known row is
 * used.
 */
export declare function readPerson(context: Context, known: Person): Promise<Person | undefined>;
