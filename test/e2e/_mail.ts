import type { OutgoingMail } from '../../src/outbound/mail.ts';

/** The path and query of the first link in a mail. */
export function toPath(mail: OutgoingMail | undefined): string {
  const link = /https?:\/\/[^\s]+\?token=[^\s]+/.exec(mail?.text ?? '')?.[0] ?? '';
  const url = new URL(link);
  return url.pathname + url.search;
}

export const toToken = (path: string): string => new URL(path, 'http://x').searchParams.get('token') ?? '';
