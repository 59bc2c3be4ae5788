import type { Request } from '../../../core/request.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** A header as the runtime keeps it in the server data: by its CGI name, or by its own in lower case. */
export function readHeader(request: Request, name: string): string {
  const cgi = name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replace(/-/g, '_')}`;
  return String(request.getServer(cgi) ?? request.getServer(name) ?? '');
}

/** Undoes the form encoding of both parts. @see RFC 6749 section 2.3.1 */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** HTTP Basic credentials; undefined without the header, or where it is something else. */
export function readBasic(request: Request): { client_id: string; client_secret: string } | undefined {
  const encoded = BASIC.exec(readHeader(request, 'authorization'))?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { client_id: decodePart(id), client_secret: decodePart(rest.join(':')) };
}

/** The challenge that answers bad credentials which came by the header, and only then. @see RFC 6749 section 5.2 */
export const BASIC_CHALLENGE = 'Basic realm="Treadle", charset="UTF-8"';
