import type { RootSecret } from '../../core/secret/secret.ts';
import type { Row } from '../../database/row-statement.ts';
import type { OutgoingMail } from '../../outbound/mail.ts';

/** An event that prepares mails. */
export interface Preparation {
  readonly event: string;
  readonly stage: Row;
  /** Tag of the language of the request that asked for it. */
  readonly language?: string | undefined;
}

/** What a row of `treadle_mail` seals. */
export type MailContent = { readonly mail: OutgoingMail } | { readonly prepare: Preparation };

/** Unseals a row's content; undefined if it was emptied, or sealed with another root secret. */
export function openContent(secret: RootSecret, sealed: string | null): MailContent | undefined {
  if (sealed === null) return undefined;
  try {
    return JSON.parse(secret.open(sealed)) as MailContent;
  } catch {
    return undefined;
  }
}

/** The mail of a row, for showing it. */
export function findMailIn(secret: RootSecret, sealed: string | null): OutgoingMail | undefined {
  const content = openContent(secret, sealed);
  return content && 'mail' in content ? content.mail : undefined;
}
