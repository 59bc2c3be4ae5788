import type { OutgoingHttpHeaders } from 'node:http';
import { findSameTag } from '../../core/request/tagging.ts';
import type { SizedImage } from '../../project/image.ts';
import type { Exchange } from '../exchange.ts';

/** Answers a GET or HEAD with a size of an image of `public/`. */
export function sendImage(
  { req, res, method }: Exchange,
  { bytes, type, etag }: SizedImage,
  headers: OutgoingHttpHeaders,
): void {
  if (findSameTag(req.headers['if-none-match'], etag) !== undefined) {
    res.writeHead(304, { ...headers, etag }).end();
    return;
  }
  res.writeHead(200, { ...headers, 'content-type': type, etag, 'content-length': bytes.length });
  res.end(method === 'HEAD' ? undefined : bytes);
}
