import { TreadleError, toError } from '../core/errors.ts';
import { isEmailAddress, toAsciiDomain } from '../core/text/email.ts';
import { isLoopbackHost } from '../core/text/host.ts';

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
   * @throws MAIL_FAILED, with a {@link MailError} in `detail`.
   */
  send(mail: OutgoingMail): Promise<void>;
}

export interface MailError {
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

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Reads `smtp://user:password@host:port` or `smtps://…`; undefined if it is neither. */
export function parseMailUrl(text: string): MailServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = PORTS[protocol];
  const isPlain = (pathname === '' || pathname === '/') && search === '' && hash === '';
  if (usual === undefined || hostname === '' || !isPlain) return undefined;
  try {
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? usual : Number(port),
      isSecure: protocol === 'smtps:',
      user: username === '' ? undefined : decodeURIComponent(username),
      password: password === '' ? undefined : decodeURIComponent(password),
    };
  } catch {
    return undefined;
  }
}

/** Reads `Name <address>` or an address; undefined if it is neither. */
export function parseMailbox(text: string): Mailbox | undefined {
  // Control characters and line breaks would add headers.
  if (/\p{C}/u.test(text)) return undefined;
  const [, name = '', address] = /^\s*"?([^"<>]*?)"?\s*<([^<>\s]+)>\s*$/.exec(text) ?? ['', '', text.trim()];
  return address === undefined || !isEmailAddress(address)
    ? undefined
    : { name: name.trim(), address: toAsciiDomain(address) };
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const REASON_LENGTH = 200;

/** What a mail server said, without the recipient: it goes to the log. */
function toReason(error: Error & { code?: string; responseCode?: number }, to: string): string {
  const message = error.message.replaceAll(to, '<recipient>').replace(/[\p{C}\s]+/gu, ' ');
  return `${error.code ?? 'error'}: ${message}`.slice(0, REASON_LENGTH);
}

/** Codes of nodemailer for a recipient or a message that the server refused. */
const ABOUT_MAIL: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

function createFailure(error: Error & { code?: string; responseCode?: number }, to: string): TreadleError {
  const { code = '', responseCode = 0 } = error;
  // A 5xx reply to a login is about the settings, and the operator mends those. RFC 5321 section 4.2.1.
  const isFinal = ABOUT_MAIL.has(code) && responseCode >= 500;
  const detail: MailError = { isFinal };
  return new TreadleError('MAIL_FAILED', toReason(error, to), { detail });
}

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
export function createMailer({ server, from, without }: MailerOptions): Mailer {
  if (!server || !from) {
    return { way: without, send: () => Promise.reject(new TreadleError('MAIL_FAILED', 'MAIL_URL is not set.')) };
  }
  const { host, port, isSecure, user, password } = server;
  return {
    way: 'smtp',
    async send({ to, ...mail }) {
      // Loaded when the first mail is sent: many processes send none.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host,
        port,
        secure: isSecure,
        // Prevents a STARTTLS downgrade, which would expose the password.
        requireTLS: user !== undefined && !isLoopbackHost(host),
        ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        // A template's text is never read as the name of a file or as an address to fetch.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({
          ...mail,
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          // RFC 3834 section 5: keeps out-of-office replies away.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw createFailure(toError(error), to);
      } finally {
        transport.close();
      }
    },
  };
}
