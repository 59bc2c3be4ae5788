import type { IncomingHttpHeaders } from 'node:http';
import { type Pairs } from '../core/pairs.ts';
export interface Multipart {
    readonly post: Pairs;
    readonly files: Pairs;
}
/**
 * Parses a multipart form from memory, within the body limit: at most 1,000 fields and 20 files.
 *
 * @throws REQUEST_MULTIPART_BROKEN (400). @throws REQUEST_NAME_REFUSED (400). @throws REQUEST_PARTS_TOO_MANY (413).
 * @see RFC 7578
 */
export declare function parseMultipart(headers: IncomingHttpHeaders, body: Buffer): Promise<Multipart>;
