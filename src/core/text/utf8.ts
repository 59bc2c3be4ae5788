import { isUtf8 } from 'node:buffer';
import { TreadleError } from '../errors.ts';

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;
const HIGH = /[\x80-\xff]/g;

/** For bytes that are not text: stored as U+FFFD, they would be lost. @see RFC 8259 section 8.1 */
export const notUtf8 = (message: string): TreadleError =>
  new TreadleError('REQUEST_NOT_UTF8', message, {
    status: 400,
    hint: 'Send text in UTF-8, such as C3 BC for ü.',
  });

/**
 * Bytes as text.
 * @param message The error's text.
 * @throws REQUEST_NOT_UTF8 (400)
 */
export function decodeUtf8(bytes: Uint8Array, message: string): string {
  if (!isUtf8(bytes)) throw notUtf8(message);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/**
 * Text with its percent-encoded bytes decoded. A `%` that begins no encoding stays as it is.
 * @throws REQUEST_NOT_UTF8 (400)
 */
export const decodeEscapes = (text: string): string =>
  text.replace(ESCAPES, (run) =>
    decodeUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'), 'A percent-encoded value has bytes that are not UTF-8.'),
  );

/** The query of a request line, in which some clients send bytes that are not ASCII, with these percent-encoded. */
export const encodeHigh = (query: string): string =>
  query.replace(HIGH, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
