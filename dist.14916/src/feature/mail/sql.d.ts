import type { Database, SystemTable } from '../../database/database.ts';
/**
 * `waiting`: to be sent, or to be prepared. `sent`: the server has it. `failed`: it was given up. `kept`: it is in the
 * outbox.
 */
export type MailState = 'waiting' | 'sent' | 'failed' | 'kept';
export declare const mailTable: SystemTable;
export interface MailRow {
    readonly mail_id: number;
    readonly template: string;
    readonly state: MailState;
    readonly sealed: string | null;
    readonly attempts: number;
    readonly reason: string | null;
    /** Unix seconds, as the next two. */
    readonly created_at: number;
    /** A mail that was not sent by then is given up. */
    readonly expires_at: number;
    readonly settled_at: number | null;
}
/** A row to insert: it waits. */
export type NewMail = Pick<MailRow, 'template' | 'created_at' | 'expires_at'> & {
    readonly sealed: string;
};
export declare function insertMail({ kysely }: Database, row: NewMail): Promise<number>;
export declare function findMail({ kysely }: Database, mailId: number): Promise<MailRow | undefined>;
/** The newest mails, newest first. */
export declare function listMails({ kysely }: Database, limit: number): Promise<readonly MailRow[]>;
export declare function removeMail({ kysely }: Database, mailId: number): Promise<void>;
export declare function updateMail({ kysely }: Database, mailId: number, changes: Partial<Omit<MailRow, 'mail_id'>>): Promise<void>;
/** Removes a batch of mails that were settled before a time, in unix seconds; true if there may be more. */
export declare function purgeMails(database: Database, before: number): Promise<boolean>;
