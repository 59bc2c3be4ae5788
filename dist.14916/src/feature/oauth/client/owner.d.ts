import type { Database } from '../../../database/database.ts';
import type { App } from '../../../model/shape.ts';
import type { CommitListener, Context, Worker } from '../../../plan/feature.ts';
/**
 * State of the owner that a definition file names. `kept`: not verified, but the app was given to the
 * account when that was not required. Anybody can sign up with an address, so `unverified` owns nothing.
 */
type OwnerState = 'verified' | 'kept' | 'unverified' | 'missing';
export interface AppOwner {
    /** Name of the app's definition file. */
    readonly app: string;
    /** E-mail that the file names. */
    readonly owner: string;
    readonly state: OwnerState;
}
interface Owner {
    readonly authId: number;
    readonly state: OwnerState;
    /** Whether the app belongs, or will belong, to this account. */
    readonly isBound: boolean;
}
/**
 * The account that an app's definition names as owner; undefined without an owner, or if no account has the
 * e-mail.
 */
export declare function findOwner(database: Database, { owner, clientId }: Pick<App, 'owner' | 'clientId'>): Promise<Owner | undefined>;
/** State of the owner of each app with one in its file. */
export declare function listOwners(database: Database, apps: Iterable<readonly [string, Pick<App, 'owner' | 'clientId'>]>): Promise<AppOwner[]>;
/** Gives an account its apps in the transaction that verifies it. */
export declare function bindOwner({ plan, services }: Context): CommitListener;
/** Logs once at start which definition files name an owner without a verified account. */
export declare function createOwnerNotice({ plan, services }: Context): Worker;
export {};
