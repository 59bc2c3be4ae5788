import type { Request } from '../request/request.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Decodes form encoding; text that is not valid stays. */
export function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** An app's credentials by HTTP Basic, both parts form-encoded; undefined without that header. @see RFC 6749 section 2.3.1 */
export function readBasic(request: Request): { client_id: string; client_secret: string } | undefined {
  const encoded = BASIC.exec(request.getHeader('authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: decodeForm(id), client_secret: decodeForm(rest.join(':')) };
}
