import type { IncomingHttpHeaders } from 'node:http';
import { TreadleError } from '../core/errors.ts';
import { closePairs, MAX_PAIRS, type Pairs, putPair } from '../core/pairs.ts';
import { createSentFile, type SentFile } from '../core/sent-file.ts';

export interface Multipart {
  readonly post: Pairs;
  readonly files: Pairs;
}

const MAX_FILES = 20;
const MAX_NAME_BYTES = 200;

const fault = (message: string, status: number): TreadleError =>
  new TreadleError(status === 413 ? 'REQUEST_PARTS_TOO_MANY' : 'REQUEST_MULTIPART_BROKEN', message, { status });

/** A multipart type without a boundary, or a form that a field's limit cut. */
const brokenForm = (): TreadleError => fault('The multipart body is not valid.', 400);

/**
 * Parses a multipart form that was read whole, under the body limit: at most 1,000 fields and 20 files, kept in memory.
 *
 * @throws REQUEST_MULTIPART_BROKEN (400). @throws REQUEST_PARTS_TOO_MANY (413).
 * @see RFC 7578
 */
export async function parseMultipart(headers: IncomingHttpHeaders, body: Buffer): Promise<Multipart> {
  const { Busboy } = await import('@fastify/busboy');
  const post: Pairs = {};
  const numbers: Pairs = {};
  const files: SentFile[] = [];
  await new Promise<void>((resolve, reject) => {
    const limits = {
      fields: MAX_PAIRS,
      files: MAX_FILES,
      parts: MAX_PAIRS + MAX_FILES,
      fieldNameSize: MAX_NAME_BYTES,
      fieldSize: body.length,
      headerPairs: 100,
    };
    const parser = new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
    const refuse = (): void => reject(fault('The form has too many parts.', 413));
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) reject(brokenForm());
      else putPair(post, name, value);
    });
    parser.on('file', (field, stream, name, _encoding, type) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => reject(brokenForm()));
      stream.on('end', () => {
        if (name === '' || name === undefined) return;
        files.push(createSentFile(name, type, Buffer.concat(chunks)));
        putPair(numbers, field, files.length - 1);
      });
    });
    parser.on('fieldsLimit', refuse).on('filesLimit', refuse).on('partsLimit', refuse);
    parser.on('error', () => reject(brokenForm()));
    parser.on('finish', () => resolve());
    parser.end(body);
  }).catch((error: unknown) => {
    throw error instanceof TreadleError ? error : brokenForm();
  });
  return { post: closePairs(post), files: placeFiles(closePairs(numbers), files) as Pairs };
}

/** Puts the files where their numbers stand, in whatever the names' brackets made. */
function placeFiles(node: unknown, files: readonly SentFile[]): unknown {
  if (typeof node === 'number') return files[node];
  if (Array.isArray(node)) return node.map((item) => placeFiles(item, files));
  return Object.fromEntries(Object.entries(node as Pairs).map(([key, item]) => [key, placeFiles(item, files)]));
}
