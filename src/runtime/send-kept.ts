import type { OutgoingHttpHeaders } from 'node:http';
import type { Encoding } from './encoding.ts';
import type { Exchange } from './exchange.ts';
import { isFresh, type KeptFile, parseRange, type Range, toFileHeaders } from './kept-file.ts';
import { findEncoding } from './packed-file.ts';

/** What the answer with a file depends on besides the file. */
export interface Sending {
  /** Those of every answer. */
  readonly headers: OutgoingHttpHeaders;
  readonly caching: string;
  readonly pack: (encoding: Encoding) => Promise<Buffer>;
}

/** The wanted range; a condition that fails makes it the whole file. @see RFC 9110 section 13.1.5 */
function findRange({ req }: Exchange, file: KeptFile): Range {
  const condition = req.headers['if-range'];
  const isHeld = condition === undefined || condition === file.etag || condition === file.modified.toUTCString();
  return isHeld ? parseRange(req.headers.range, file.bytes.length) : undefined;
}

/** Answers a GET or HEAD with a file in memory: all of it, a range, compressed, or 304. */
export async function sendKept(exchange: Exchange, file: KeptFile, sending: Sending): Promise<void> {
  const { req, res, method } = exchange;
  const range = findRange(exchange, file);
  const encoding =
    file.isText && range === undefined && req.headers.range === undefined ? findEncoding(exchange) : undefined;
  const headers: OutgoingHttpHeaders = {
    ...sending.headers,
    'cache-control': sending.caching,
    ...toFileHeaders(file, encoding),
  };
  if (isFresh(req.headers, file)) {
    const { 'content-type': _, 'content-encoding': __, 'accept-ranges': ___, ...rest } = headers;
    res.writeHead(304, rest).end();
    return;
  }
  if (range === 'none') {
    res.writeHead(416, { ...headers, 'content-range': `bytes */${file.bytes.length}`, 'content-length': 0 }).end();
    return;
  }
  const packed = encoding === undefined ? undefined : (file.packed.get(encoding) ?? (await sending.pack(encoding)));
  const bytes = packed ?? (range === undefined ? file.bytes : file.bytes.subarray(range.from, range.to + 1));
  if (range !== undefined) headers['content-range'] = `bytes ${range.from}-${range.to}/${file.bytes.length}`;
  res.writeHead(range === undefined ? 200 : 206, { ...headers, 'content-length': bytes.length });
  res.end(method === 'HEAD' ? undefined : bytes);
}
