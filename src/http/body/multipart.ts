import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { BusboyInstance } from '@fastify/busboy';
import { TreadleError } from '../../core/errors.ts';
import { toObject } from '../../core/record.ts';
import { createSentFile, type SentFile } from '../../core/request/sent-file.ts';
import { closePairs, findNameError, MAX_PAIRS, type Pairs, putPair } from '../../core/text/pairs.ts';
import { notUtf8 } from '../../core/text/utf8.ts';

export interface Multipart {
  readonly post: Pairs;
  readonly files: Pairs;
}

const MAX_FILES = 20;
const MAX_PARTS = MAX_PAIRS + MAX_FILES;
const MAX_NAME_BYTES = 200;
/** Limits of one part's headers. */
export const PART_HEADERS = { headerPairs: 100, headerSize: 16_384 } as const;
/** Bytes that are parsed before other requests get a turn. */
const SLICE_BYTES = 65_536;
/** The parameter `boundary`: at most 70 bytes of these characters. @see RFC 2046 section 5.1.1 */
const BOUNDARY =
  /;\s*boundary\s*=\s*(?:"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,70})"|([\x21\x23-\x3a\x3c-\x5b\x5d-\x7e]{1,70}))\s*(?:;|$)/i;

const tooMany = (): TreadleError =>
  new TreadleError('REQUEST_PARTS_TOO_MANY', `A form has at most ${MAX_PAIRS} fields and ${MAX_FILES} files.`, {
    status: 413,
  });

/** The type has no boundary, the body ends early, or a name is too long. */
export const brokenForm = (): TreadleError =>
  new TreadleError('REQUEST_MULTIPART_BROKEN', 'The multipart body is not valid.', { status: 400 });

/** @throws REQUEST_MULTIPART_BROKEN (400) for a type without a boundary. */
export function readBoundary(headers: IncomingHttpHeaders): string {
  const found = BOUNDARY.exec(headers['content-type'] ?? '');
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw brokenForm();
  return boundary;
}

/** Counts the delimiters before a parser creates a stream per part: a megabyte may have 200,000 parts. */
function hasTooManyParts(body: Buffer, boundary: string): boolean {
  // Each part has a delimiter before it, and the last one also after it.
  const delimiter = Buffer.from(`--${boundary}`);
  let at = body.indexOf(delimiter);
  for (let count = 1; at >= 0; count += 1) {
    if (count > MAX_PARTS + 1) return true;
    at = body.indexOf(`\r\n--${boundary}`, at + delimiter.length, 'latin1');
  }
  return false;
}

/** What the parser has read so far, and its first error. */
class MultipartReader {
  readonly post: Pairs = {};
  readonly numbers: Pairs = {};
  readonly files: SentFile[] = [];
  readonly #parser: BusboyInstance;
  readonly #whole: Promise<void>;
  #error: TreadleError | undefined;

  /** @param body What is parsed. */
  constructor(parser: BusboyInstance, body: Buffer) {
    this.#parser = parser;
    // The parser puts U+FFFD where bytes are not UTF-8. A text that was sent so stands in the body as it is.
    const isSent = (text: unknown): boolean =>
      typeof text !== 'string' || !text.includes('\ufffd') || body.includes(text, 0, 'utf8');
    this.#whole = new Promise((resolve, reject) => {
      const refuse = (fault: TreadleError): void => {
        this.#error ??= fault;
        reject(this.#error);
      };
      parser.on('field', (name: unknown, value, _isNameCut, isValueCut) => {
        const isText = isSent(name) && isSent(value);
        const fault = isValueCut
          ? brokenForm()
          : isText
            ? findBodyError(name)
            : notUtf8('A field of the form has bytes that are not UTF-8.');
        if (fault) refuse(fault);
        else if (!this.#error) putPair(this.post, String(name), value);
      });
      parser.on('file', (field: unknown, stream, name, _encoding, type) => {
        const chunks: Buffer[] = [];
        const fault =
          isSent(field) && isSent(name) ? findBodyError(field) : notUtf8("A file's name has bytes that are not UTF-8.");
        if (fault) refuse(fault);
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', () => refuse(brokenForm()));
        stream.on('end', () => {
          if (name === '' || name === undefined || fault) return;
          this.files.push(createSentFile(name, type, Buffer.concat(chunks)));
          putPair(this.numbers, String(field), this.files.length - 1);
        });
      });
      for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const)
        parser.on(limit, () => refuse(tooMany()));
      parser.on('error', () => refuse(brokenForm()));
      parser.on('finish', () => resolve());
    });
    // It may reject while a slice is still being parsed.
    this.#whole.catch(() => {});
  }

  /** Parses in slices, so that other requests are served in between, and stops at the first error. */
  async feed(body: Buffer): Promise<void> {
    for (let start = 0; start < body.length && !this.#error; start += SLICE_BYTES) {
      if (start > 0) await turn();
      this.#parser.write(body.subarray(start, start + SLICE_BYTES));
    }
    if (!this.#error) this.#parser.end();
    return this.#whole;
  }
}

const isName = (name: unknown): name is string =>
  typeof name === 'string' && (name.length <= MAX_NAME_BYTES / 4 || Buffer.byteLength(name) <= MAX_NAME_BYTES);

const findBodyError = (name: unknown): TreadleError | undefined => (isName(name) ? findNameError(name) : brokenForm());

/**
 * Parses a multipart form from memory, within the body limit: at most 1,000 fields and 20 files.
 *
 * @throws REQUEST_MULTIPART_BROKEN (400). @throws REQUEST_NAME_REFUSED (400). @throws REQUEST_PARTS_TOO_MANY (413).
 * @throws REQUEST_NOT_UTF8 (400).
 * @see RFC 7578
 */
export async function parseMultipart(headers: IncomingHttpHeaders, body: Buffer): Promise<Multipart> {
  const boundary = readBoundary(headers);
  if (hasTooManyParts(body, boundary)) throw tooMany();
  const { Busboy } = await import('@fastify/busboy');
  const reading = new MultipartReader(
    new Busboy({
      // The parser splits at the boundary that was counted.
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      limits: {
        fields: MAX_PAIRS,
        files: MAX_FILES,
        parts: MAX_PARTS,
        fieldSize: body.length,
        ...PART_HEADERS,
      },
    }),
    body,
  );
  try {
    await reading.feed(body);
  } catch (error) {
    throw error instanceof TreadleError ? error : brokenForm();
  }
  const { post, numbers, files } = reading;
  return { post: closePairs(post), files: placeAll(closePairs(numbers), files) };
}

/** Replaces the index numbers with the files, in the structure that the bracketed names built. */
function placeFiles(node: unknown, files: readonly SentFile[]): unknown {
  if (typeof node === 'number') return files[node];
  if (Array.isArray(node)) return node.map((item) => placeFiles(item, files));
  return placeAll(toObject(node), files);
}

const placeAll = (pairs: Pairs, files: readonly SentFile[]): Pairs =>
  Object.fromEntries(Object.entries(pairs).map(([key, item]) => [key, placeFiles(item, files)]));
