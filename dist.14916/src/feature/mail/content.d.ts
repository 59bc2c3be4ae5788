import type { RootSecret } from '../../core/secret.ts';
import type { Row } from '../../database/database.ts';
import type { OutgoingMail } from '../../outbound/mail.ts';
/** An event that prepares mails. */
export interface Preparation {
    readonly event: string;
    readonly stage: Row;
}
/** What a row of `treadle_mail` seals. */
export type MailContent = {
    readonly mail: OutgoingMail;
} | {
    readonly prepare: Preparation;
};
/** Unseals a row's content; undefined if it was emptied, or sealed with another root secret. */
export declare function openContent(secret: RootSecret, sealed: string | null): MailContent | undefined;
/** The mail of a row, for showing it. */
export declare function findMailIn(secret: RootSecret, sealed: string | null): OutgoingMail | undefined;
