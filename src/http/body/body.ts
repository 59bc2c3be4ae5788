import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { ClientGone } from '../../core/client-gone.ts';
import { TreadleError } from '../../core/errors.ts';
import { MAX_PAIRS, type Pairs, parsePairs } from '../../core/text/pairs.ts';
import { decodeUtf8 } from '../../core/text/utf8.ts';
import { isRecord } from '../../model/json/json-value.ts';

import { parseJson } from './json.ts';
import { parseMultipart } from './multipart.ts';

/** A parsed request body. */
export interface Body {
  readonly post: Pairs;
  readonly files: Pairs;
  /** Text, or bytes if the type is not text. */
  readonly raw: string | Buffer;
}

/** What a route says of its bodies. */
interface BodyTerms {
  /** Maximum bytes of a body, and of a form that may contain files. */
  readonly bodyBytes: number;
  readonly uploadBytes: number;
  /** Whether plain text that is an object or a list in JSON is read as such. */
  readonly isTextJson?: boolean | undefined;
}

/** Characters of a body; after parsing a longer one, other requests get a turn. */
const LONG_BODY = 65_536;

export const tooLarge = (limit: number): TreadleError =>
  new TreadleError('REQUEST_BODY_TOO_LARGE', `The body is larger than ${limit} bytes.`, {
    status: 413,
    headers: { connection: 'close' },
  });

/** Whether a request announces a body. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** @throws REQUEST_BODY_TOO_LARGE (413) for a body that says that it is above the limit. */
export function refuseLength(req: IncomingMessage, limit: number): void {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a whole body. Above the limit it stops reading, and the connection closes with the answer.
 *
 * @throws REQUEST_BODY_TOO_LARGE (413). @throws ClientGone.
 */
function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      else {
        req.pause();
        req.removeAllListeners('data');
        reject(tooLarge(limit));
      }
    });
    let isEnded = false;
    req.on('end', () => {
      isEnded = true;
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    req.on('error', () => reject(new ClientGone()));
    // Also told after the end, when an error with its stack would cost more than the parsing.
    req.on('close', () => {
      if (!isEnded) reject(new ClientGone());
    });
  });
}

function isText(type: string): boolean {
  return type.startsWith('text/') || type === '' || type.endsWith('/xml') || type.endsWith('+xml');
}

/** Media type without parameters, in lower case. */
export function toMediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
/** ASCII is a part of UTF-8. */
const CHARSETS = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/** @throws REQUEST_CHARSET_REFUSED (415) for a text in another encoding than UTF-8. */
function refuseCharset(header: string | undefined): void {
  const charset = CHARSET.exec(header ?? '')?.[1];
  if (charset === undefined || CHARSETS.includes(charset.toLowerCase())) return;
  const message = `A body in the encoding "${charset.slice(0, 40)}" is not accepted: send it in UTF-8.`;
  throw new TreadleError('REQUEST_CHARSET_REFUSED', message, { status: 415 });
}

/** Whether a text is a JSON object or list, so that a program sent it under the type that its library gives to texts. */
function isJsonText(text: string): boolean {
  if (!/^\ufeff?\s*[{[]/.test(text)) return false;
  try {
    return typeof JSON.parse(text.replace(/^\ufeff/, '')) === 'object';
  } catch {
    return false;
  }
}

/** The body of a JSON text; a promise for a long one. */
function parseJsonBody(text: string): Body | Promise<Body> {
  // A byte order mark is no part of JSON, but some programs write it. @see RFC 8259 section 8.1
  const raw = text.replace(/^\ufeff/, '');
  const value = raw === '' ? {} : parseJson(raw);
  // Validating and storing a long body takes as long as parsing it did.
  const body = { post: isRecord(value) ? value : {}, files: {}, raw };
  return raw.length > LONG_BODY ? turn(body) : body;
}

/**
 * Parses a body by its type: urlencoded, JSON and multipart fill `post` and `files`; anything else stays raw.
 *
 * @throws REQUEST_JSON_BROKEN (400), REQUEST_JSON_LARGE (413), REQUEST_PAIRS_TOO_MANY (413), REQUEST_MULTIPART_BROKEN
 * (400), REQUEST_NOT_UTF8 (400), REQUEST_CHARSET_REFUSED (415).
 */
function parseBody(req: IncomingMessage, bytes: Buffer, isTextJson = false): Body | Promise<Body> {
  const header = req.headers['content-type'];
  const type = toMediaType(header);
  const decode = (): string => {
    refuseCharset(header);
    return decodeUtf8(bytes, 'The body has bytes that are not UTF-8.');
  };
  if (type === 'application/x-www-form-urlencoded') {
    const raw = decode();
    return { post: parsePairs(raw, MAX_PAIRS, true), files: {}, raw };
  }
  if (type === 'application/json' || type.endsWith('+json')) return parseJsonBody(decode());
  if (type === 'multipart/form-data')
    return parseMultipart(req.headers, bytes).then((parts) => ({ ...parts, raw: '' }));
  const raw = isText(type) ? decode() : bytes;
  if (isTextJson && type === 'text/plain' && typeof raw === 'string' && isJsonText(raw)) return parseJsonBody(raw);
  return { post: {}, files: {}, raw };
}

/** @throws REQUEST_ENCODING_REFUSED (415) for a compressed body: it could unpack to a thousand times its size. */
export function refuseEncoding(req: IncomingMessage): void {
  const encoding = req.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  const message = 'A compressed body is not accepted: send it uncompressed.';
  const headers = { 'accept-encoding': 'identity', connection: 'close' };
  throw new TreadleError('REQUEST_ENCODING_REFUSED', message, { status: 415, headers });
}

/** Whether the client sends the body only after it was asked for it. @see RFC 9110 section 10.1.1 */
export const expectsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect);

/**
 * Reads and parses a body.
 *
 * @param res Tells a client that waits with its body (`Expect: 100-continue`) to send it, unless it would be refused.
 * @throws REQUEST_BODY_TOO_LARGE (413). @throws REQUEST_ENCODING_REFUSED (415). @throws ClientGone.
 */
export function takeBody(req: IncomingMessage, res: ServerResponse, terms: BodyTerms): Promise<Body> {
  const isForm = toMediaType(req.headers['content-type']) === 'multipart/form-data';
  const limit = isForm ? terms.uploadBytes : terms.bodyBytes;
  try {
    refuseEncoding(req);
    refuseLength(req, limit);
  } catch (error) {
    return Promise.reject(error);
  }
  if (expectsContinue(req)) res.writeContinue();
  return readBody(req, limit).then((bytes) => parseBody(req, bytes, terms.isTextJson));
}
