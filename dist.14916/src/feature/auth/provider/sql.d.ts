import type { Database, Row, SystemTable } from '../../../database/database.ts';
import type { Identity } from './identity.ts';
/** Which users of which providers an account belongs to. */
export declare const providerTable: SystemTable;
export type LinkRow = Row & {
    readonly link_id: number;
    readonly auth_id: number;
    readonly provider: string;
    readonly issuer: string;
    readonly subject: string;
    readonly email: string | null;
    readonly created_at: number;
    readonly used_at: number;
};
type Key = Pick<Identity, 'issuer' | 'subject'>;
export declare function findLink({ kysely }: Database, { issuer, subject }: Key): Promise<LinkRow | undefined>;
/** The providers of an account, the first linked first. */
export declare function listLinks({ kysely }: Database, authId: number): Promise<LinkRow[]>;
/** Links a provider's user to an account; false if that user belongs to an account already. */
export declare function insertLink({ kysely }: Database, { provider, issuer, subject, email }: Identity, { authId, now }: {
    readonly authId: number;
    readonly now: number;
}): Promise<boolean>;
/** Notes a sign-in. */
export declare function touchLink({ kysely }: Database, linkId: number, identity: Identity, now: number): Promise<void>;
/** Removes one link of an account; false if the account has no such link. */
export declare function deleteLink({ kysely }: Database, authId: number, linkId: number): Promise<boolean>;
/** Removes all links of an account. */
export declare function deleteLinks({ kysely }: Database, authId: number): Promise<void>;
export {};
