/** A mail to one recipient, whose parts were judged before. */
export interface OutgoingMail {
    readonly to: string;
    readonly subject: string;
    readonly text?: string | undefined;
    readonly html?: string | undefined;
    /** Stays the same when the mail is sent again: a mail server may have accepted it without saying so. */
    readonly messageId: string;
}
/**
 * What becomes of mail: `smtp` sends it to the server of `MAIL_URL`; `outbox` keeps it for a developer to read; `none`
 * refuses it.
 */
export type MailWay = 'smtp' | 'outbox' | 'none';
export interface Mailer {
    readonly way: MailWay;
    /**
     * Hands a mail to the SMTP server.
     * @throws MAIL_FAILED, with a {@link MailFault} in `detail`.
     */
    send(mail: OutgoingMail): Promise<void>;
}
export interface MailFault {
    /** Whether the server refused this mail for good; false if it may accept it later. */
    readonly isFinal: boolean;
}
/** A mail server, from `MAIL_URL`. */
export interface MailServer {
    readonly host: string;
    readonly port: number;
    /** TLS from the first byte (`smtps:`); else STARTTLS if the server offers it. */
    readonly isSecure: boolean;
    readonly user: string | undefined;
    readonly password: string | undefined;
}
export interface Mailbox {
    readonly name: string;
    readonly address: string;
}
/** Reads `smtp://user:password@host:port` or `smtps://…`; undefined if it is neither. */
export declare function parseMailUrl(text: string): MailServer | undefined;
/** Reads `Name <address>` or an address; undefined if it is neither. */
export declare function parseMailbox(text: string): Mailbox | undefined;
export interface MailerOptions {
    /** Undefined: nothing is sent. */
    readonly server: MailServer | undefined;
    readonly from: Mailbox | undefined;
    /** What to do without a server. */
    readonly without: 'outbox' | 'none';
}
/**
 * Sends mail by SMTP. The server is the operator's own choice, in the environment, as the database is: the address
 * guard does not judge it, and nothing that a visitor or a definition says changes it.
 */
export declare function createMailer({ server, from, without }: MailerOptions): Mailer;
